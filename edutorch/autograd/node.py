"""Op: one application of an operation, and a node of the graph."""

from __future__ import annotations

from types import new_class
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from .. import devices
from ..tensor.tensor import Tensor
from .hooks import hooks_of
from .leaf_node import AccumulateGrad

__all__ = ["FREED", "NthOutput", "Op", "with_torch_name"]

_new = object.__new__

FREED: Any = ("freed",)  # the `inputs` of a node whose saved values have been freed
# Attributes that are not inherited, since they describe a kernel of PyTorch.
OF_EACH_CLASS: Final[dict[str, Any]] = {
    "complex32": "", "vectorized": False, "float8_kernel": "", "complex32_kernel": "",
    "meta_kernel": "",
}  # fmt: skip


class RareAttribute:
    """An attribute that few nodes set; the others have its default."""

    def __init__(self, default: Any) -> None:
        self.default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, node: Any, owner: type) -> Any:
        try:
            return node.extras[self.name]
        except (AttributeError, KeyError):  # no `extras`, or without this one
            return self.default

    def __set__(self, node: Any, value: Any) -> None:
        try:
            node.extras[self.name] = value
        except AttributeError:
            node.extras = {self.name: value}


class Op:
    """One application of an operation; subclasses write `forward` and `backward`.

    Class attributes declare what backward needs, so that nothing else is kept alive:

    - `saves`: which inputs (their positions); None means all of them.
    - `saves_for`: {i: j}: input i only if input j needs a gradient (a product's
      factors; then the one that is not saved may be changed). With `saves`, which are
      then the first ones, no others.
    - `saves_output`: the result, as `self.output`.
    - `saves_extra`: what `forward` left in `self.saved` (constants: masks, indices).
    - `saves_results`: which of several results are among these (their positions).

    Instances, once recorded:

    - `inputs`: in backward, the saved inputs: arrays, or tensors with `create_graph`.
    - `needs`: for each input, whether its gradient is needed.
    - `edges`: for each input, the node or leaf that its gradient goes to, or None.
    - `edge_nrs`: which output of that node the input was.
    - `seq`: the creation number; `out_shape`, `out_dtype`: of the result.

    Attributes of every recorded node are slots, which need a fifth of the time and
    memory of a dictionary entry. Attributes that few nodes have are stored in `extras`.
    """

    __slots__ = (
        "edges", "needs", "seq", "out_shape", "out_dtype", "inputs", "output",
        "output_storage", "saved", "versions", "hooks", "device",
        "module_path", "module_model", "extras", "__weakref__",
    )  # fmt: skip

    is_op: ClassVar[bool] = True  # distinguishes nodes from leaves, which are tensors
    user_defined: ClassVar[bool] = False  # whether its backward is the user's

    # Names.
    op_class: ClassVar[Any]  # the class, without the name of `with_torch_name`
    renamed_classes: ClassVar[dict[str, Any]]  # its subclasses with such names
    torch_name: ClassVar[str] = ""  # PyTorch's name of the node, without "Backward0"
    usual_name: ClassVar[str] = ""  # the same with "Backward0"
    overload: int = 0  # the number at the end of the name: which signature was called
    onnx: ClassVar[str] = ""  # the corresponding operator of ONNX (no export yet)
    attributes: ClassVar[tuple[str, ...]] = ()  # arguments that are not tensors

    # What it accepts.
    takes_scalars: ClassVar[bool] = True  # whether an operand may be a Python number
    takes_scalar_first: ClassVar[bool] = True  # whether the first of two may be one
    takes_float8: bool = False  # ops that only move or compare values do
    # "single": computed in complex64; "stored": fills an array of that dtype
    complex32: ClassVar[str] = ""

    # PyTorch's kernel names in messages, if they differ from the public function's.
    vectorized: ClassVar[bool] = False  # whether they end in "vml_cpu"
    float8_kernel: ClassVar[str] = ""
    complex32_kernel: str = ""  # may depend on the operands
    meta_kernel: ClassVar[str] = ""

    checks: ClassVar[bool] = False  # whether it defines `check`

    # The dtype that it computes in.
    promotes: ClassVar[bool] = False  # whether it defines `promote`
    unrounded_scalars: ClassVar[tuple[int, ...]] = ()  # arguments not rounded to it
    forward_in_single: ClassVar[bool] = True  # whether 16-bit floats are widened for it
    backward_in_single: ClassVar[bool] = True
    dtype_operand: ClassVar[int] = (
        0  # the operand that determines the dtype of the result
    )

    # Devices (`device_placement.py`).
    # operands that must be on one device even if one is a meta tensor
    same_device: ClassVar[slice] = slice(0)
    # PyTorch's name of a kernel that needs self, index and source on one device
    index_kernel: ClassVar[str] = ""
    data_dependent: ClassVar[bool] = False  # whether the shape depends on values

    # Results.
    multiple_outputs: ClassVar[bool] = False  # whether `forward` returns a tuple
    is_view: ClassVar[bool] = False
    keeps_elements: ClassVar[bool] = True  # False: a view as another dtype or conjugate
    operand_geometry: Any = None  # where the operand of such a view lay
    lazy_bit: ClassVar[str] = ""  # for views that compute lazily: "conj" or "neg"

    # What is saved for backward.
    saves: ClassVar[tuple[int, ...] | None] = None
    saves_output: ClassVar[bool] = False
    saves_extra: ClassVar[bool] = False
    saves_results: ClassVar[tuple[int, ...]] = ()
    saves_for: ClassVar[dict[int, int]] = {}
    packs: Any = None  # the inputs passed to saved-tensor hooks, in PyTorch's order
    saves_inputs: ClassVar[bool] = True  # whether it saves any
    saves_factors: ClassVar[bool] = False  # whether it saves the factors of a product
    saves_anything: ClassVar[bool] = True  # whether it saves inputs or its output
    optional_slots: ClassVar[tuple[str, ...]] = ("extras",)  # not set in every node

    # Large arrays (`large_arrays.py`).
    # whether it can run block by block, forward and backward
    elementwise: ClassVar[bool] = False
    ufunc: ClassVar[Any] = None  # the NumPy function that `forward` calls
    blocks_backward: ClassVar[bool] = True  # False if a kernel already uses threads

    # Backward.
    differentiable: Any = True
    constants: Any = ()  # operands for which PyTorch's node has no edge
    reorders_leaves: ClassVar[bool] = False  # whether it defines `sort_leaves`
    begins_graph: bool = False  # whether its result is a leaf for a function transform
    simple: ClassVar[bool] = True  # has no check, is no view, always differentiable

    if TYPE_CHECKING:  # some ops compute these

        @property
        def public(self) -> str:
            """The name of the public function."""

        @property
        def materialize(self) -> bool:
            """Whether gradients that are missing arrive as zeros."""

        @property
        def double_backward(self) -> str:
            """Second derivatives (`double_backward.py`).

            "zeros" where PyTorch's gradient is a function of the input with derivative
            0, "every_order" where its gradients are, too, "joint" where one function
            gives all gradients.
            """

    else:
        public, materialize, double_backward = "", True, ""

    edges: tuple[Any, ...]
    needs: tuple[bool, ...]
    seq: int
    out_shape: Any
    out_dtype: Any
    inputs: Any
    output: Any
    output_storage: Any
    versions: tuple[int, ...] | None  # None: every version was 0
    saved: Any
    hooks: Any
    device: devices.device
    module_path: str  # the module that ran it, known if there were listeners
    module_model: int  # the number of the model that this module belongs to
    extras: dict[str, Any]
    # set if an input is not the first output of its node
    edge_nrs = RareAttribute((0,) * 1024)
    output_version = RareAttribute(0)
    # a view changed in place by this node, and its history
    changed_view = RareAttribute(None)
    trace = RareAttribute(None)
    # "no_grad" or "inference" for views made in these modes
    creation_mode = RareAttribute("")
    kernel_seconds = RareAttribute(0.0)  # the time of its kernel on a simulated GPU
    # whether its result was not finite, under anomaly detection
    nonfinite = RareAttribute(False)

    def __init_subclass__(cls, renamed: bool = False, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if renamed:
            return
        cls.op_class, cls.renamed_classes = cls, {}
        cls.torch_name = cls.__dict__.get("torch_name") or cls.__name__
        cls.usual_name = f"{cls.torch_name}Backward0"
        if not cls.__dict__.get("public"):
            type.__setattr__(cls, "public", _snake(cls.__name__))
        for name, default in OF_EACH_CLASS.items():
            if name not in cls.__dict__:
                type.__setattr__(cls, name, default)
        cls.checks = cls.check is not Op.check
        cls.promotes = cls.promote is not Op.promote
        slots = (*cls.optional_slots, *cls.__dict__.get("__slots__", ()))
        if cls.saves_extra and "saved" not in slots:
            slots = (*slots, "saved")
        cls.optional_slots = slots
        cls.forward_in_single &= not cls.is_view
        cls.saves_inputs = cls.saves is None or bool(cls.saves)
        factors = cls.saves in (None, (0, 1))
        cls.saves_factors = factors and cls.saves_for == {0: 1, 1: 0}
        cls.saves_anything = cls.saves_inputs or cls.saves_output
        usual = cls.differentiable is True and "differentiable" not in cls.__dict__
        cls.simple = (
            usual
            and getattr(cls.__base__, "simple", True)
            and not (cls.checks or cls.is_view)
        )

    def check(self, *operands: Any) -> None:
        """Check operands that `forward` would accept, with PyTorch's messages."""

    def promote(self, *arrays: Any) -> Any:
        """The operands in their common dtype; by default each keeps its own."""
        return arrays

    def forward(self, *arrays: Any) -> Any:
        """Arrays in, array (or a tuple of arrays) out."""
        raise NotImplementedError(f"{type(self).__name__}.forward")

    def backward(self, *gradients: Any) -> Any:
        """Gradients of the outputs in, gradients of the inputs out."""
        raise RuntimeError(f"derivative for aten::{self.public} is not implemented")

    def name(self) -> str:
        """PyTorch's name of the node, such as "MulBackward0"."""
        if self.overload:
            return f"{self.torch_name}Backward{self.overload}"
        return self.usual_name

    def describe(self) -> str:
        """The op with its attributes: `Sum(dim=(1,), keepdim=True)`."""
        shown = (f"{a}={_short(getattr(self, a, None))}" for a in self.attributes)
        return f"{self.op_class.__name__}({', '.join(shown)})"

    def sort_leaves(self, leaves: list[Tensor]) -> None:
        """Put leaves that are ready in the order in which PyTorch's nodes reach them.

        Only the order of their hooks depends on it.
        """

    def fresh_copy(self) -> Op:
        """A new application of the operation with the same attributes."""
        fresh = _new(self.op_class)
        for attribute in self.attributes:
            setattr(fresh, attribute, getattr(self, attribute))
        return fresh

    def copy_with_needs(self, needs: tuple[bool, ...]) -> Op:
        """A copy that computes only these gradients: other threads may use the node.

        It has the attributes that `restore_saved` and `backward` read.
        """
        copy = _new(self.op_class)
        copy.needs, copy.edges, copy.seq = needs, self.edges, self.seq
        copy.out_shape, copy.out_dtype = self.out_shape, self.out_dtype
        copy.inputs, copy.output = self.inputs, self.output
        copy.versions = getattr(self, "versions", None)
        copy.output_storage = getattr(self, "output_storage", None)
        copy.hooks, copy.device, copy.module_path = None, self.device, self.module_path
        if hasattr(self, "__dict__"):
            copy.__dict__.update(self.__dict__)
        for name in self.optional_slots:
            value = getattr(self, name, Op)  # `Op` marks a missing attribute
            if value is not Op:
                setattr(copy, name, value)
        return copy

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """The nodes that backward visits next, each with the number of its output."""
        return tuple(
            (AccumulateGrad(e) if isinstance(e, Tensor) else with_torch_name(e), nr)
            for i, (e, nr) in enumerate(zip(self.edges, self.edge_nrs, strict=False))
            if e is not None or i not in self.constants
        )

    def _sequence_nr(self) -> int:
        return self.seq

    @property
    def metadata(self) -> dict[str, Any]:
        """A dictionary for the user's own notes on a node."""
        return hooks_of(self).notes

    def register_hook(self, hook: Any) -> Any:
        """Call `hook(grad_inputs, grad_outputs)` after this node's backward."""
        return hooks_of(self).add("post", hook)

    def register_prehook(self, hook: Any) -> Any:
        """Call `hook(grad_outputs)` before this node's backward."""
        return hooks_of(self).add("pre", hook)

    def __repr__(self) -> str:
        return f"<{self.name().rsplit(':', 1)[-1]} object at {id(self):#x}>"


def with_torch_name(node: Any) -> Any:
    """The same node, with a type that has PyTorch's name ("MulBackward0").

    Only a node that a program looks at gets one, so that recording costs nothing.
    Elsewhere, `op_class` is the type of a node.
    """
    if isinstance(node, Op):
        name = node.name().rpartition(":")[2]
        if type(node).__name__ != name:
            node.__class__ = _renamed_class(node.op_class, name)
    return node


def _renamed_class(cls: Any, name: str) -> type[Op]:
    """A subclass that differs only in its name; the class caches it."""
    known: dict[str, type[Op]] = cls.renamed_classes
    if name not in known:
        own = {"__slots__": (), "__module__": cls.__module__, "__doc__": cls.__doc__}
        known[name] = new_class(
            name, (cls,), {"renamed": True}, lambda ns: ns.update(own)
        )
    return known[name]


class NthOutput:
    """One output of a view op with several (`split`), as a step from base to view."""

    lazy_bit = ""
    keeps_elements = True

    def __init__(self, op: Op, nr: int) -> None:
        self.op, self.nr = op, nr


def _snake(name: str) -> str:
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


def _short(value: Any) -> str:
    text = f"<{np.shape(value)} array>" if hasattr(value, "dtype") else repr(value)
    return text if len(text) < 60 else text[:57] + "..."
