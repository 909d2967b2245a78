"""Saved values in rare cases: packed by hooks, changed, freed, read as attributes."""

from __future__ import annotations

from typing import Any

from ..tensor.tensor import Tensor, bare_tensor, wrap
from . import modes as _m
from .anomaly import note_node
from .dispatch import FREED, Op, record
from .inplace_lines import inplace_notes
from .modes import set_grad
from .op_errors import short_name, type_name
from .save_for_backward import result_number
from .saved_tensor_hooks import OWN_OUTPUT, PackedTensor, PackedValues
from .views import refresh_view

__all__ = ["SECOND_TIME", "refuse_modified", "restore_packed", "unpack_tensor"]

# PyTorch's names of what nodes save, and which operand that is: of two, of three.
POSITIONS = {
    "self": (0, 0), "other": (1, 1), "mat1": (0, 1), "mat2": (1, 2), "vec": (1, 2),
    "tensor": (1, 1), "exponent": (1, 1), "input": (0, 0), "weight": (1, 1),
}  # fmt: skip

ATTRIBUTES = (
    "alpha", "beta", "dilation", "dim", "dim0", "dim1", "eps", "groups", "keepdim", "p",
    "padding", "stride", "value",
)  # fmt: skip

SECOND_TIME = (
    "Trying to backward through the graph a second time (or directly access saved "
    "tensors after they have already been freed). Saved intermediate values of the "
    "graph are freed when you call .backward() or autograd.grad(). Specify "
    "retain_graph=True if you need to backward through the graph a second time or if "
    "you need to access saved tensors after calling backward."
)

ANOMALY_OFF = (
    "enable anomaly detection to find the operation that failed to compute its "
    "gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False)."
)
ANOMALY_ON = (
    "the backtrace further above shows the operation that failed to compute its "
    "gradient. The variable in question was changed in there or anywhere later. Good "
    "luck!"
)


def restore_packed(node: Op, inputs: Any, create_graph: bool, original: Op) -> None:
    """Unpack values that hooks have packed, for backward.

    Raises:
        RuntimeError: if the values have been freed.
    """
    if (
        type(inputs) is not PackedValues
    ):  # FREED, or a pass in another thread is freeing it
        raise RuntimeError(SECOND_TIME)
    _unpack(node, inputs, create_graph, original)


def _unpack(node: Op, packs: PackedValues, create_graph: bool, original: Op) -> None:
    """Unpack saved values with the user's hooks, and restore them.

    Formulas of pointwise ops broadcast the unpacked values. Others need the shapes and
    dtypes that were saved.
    """
    check_metadata = not getattr(node, "broadcasts", False)

    def back(value: Any) -> Any:
        if type(value) is not PackedTensor:
            return value
        tensor = unpack_tensor(value, create_graph, original, check_metadata)
        return tensor if create_graph else tensor._data

    if packs.inputs is None:
        node.inputs = None
    else:  # in the order in which they were packed
        order = node.packs or range(len(packs.inputs))
        found = {i: back(packs.inputs[i]) for i in order}
        node.inputs = [found.get(i, v) for i, v in enumerate(packs.inputs)]
    node.output = back(packs.output)
    if packs.saved is not None:
        several = type(packs.saved) is tuple
        constants = packs.saved if several else (packs.saved,)
        arrays = tuple(
            [
                c.unpacked(check_metadata)._data if type(c) is PackedTensor else c
                for c in constants
            ]
        )
        node.saved = arrays if several else arrays[0]


def unpack_tensor(
    packed: PackedTensor,
    graph: bool,
    node: Op | None = None,
    check_metadata: bool = False,
) -> Tensor:
    """A packed tensor as it was: with `graph`, at its old place in the graph.

    Args:
        node: which saved it.
        check_metadata: whether shape and dtype must be those of the packed tensor.
    """
    tensor = packed.unpacked(check_metadata)
    own: Tensor = bare_tensor(Tensor, tensor._data, tensor._device)
    own._storage = tensor._storage
    edge = node if packed.edge is OWN_OUTPUT else packed.edge
    if edge is None or not graph:
        return own
    if edge.is_op:
        own._requires_grad, own._grad_fn, own._output_nr = True, edge, packed.nr
    else:  # it requires grad, whether or not backward is recorded
        recording = set_grad(True)
        try:
            record(Restored(), (edge,), (own,), False)
        finally:
            set_grad(recording)
    return own


class Restored(Op):
    """A leaf's value that hooks had packed: the same numbers, another tensor.

    Math: y = x      ∂L/∂x = g
    """

    forward_in_single = False
    backward_in_single = False
    saves = ()

    def forward(self, x: Any) -> Any:
        return x

    def backward(self, g: Any) -> Any:
        return g


def _as_attribute(packed: PackedTensor, node: Op) -> Tensor:
    """A packed value as an attribute of its node; that of a leaf is a leaf."""
    own = unpack_tensor(packed, graph=True, node=node)
    if isinstance(own._grad_fn, Restored):
        own._grad_fn = None
    return own


class SavedValue:
    """`_saved_self`, `_saved_other`, `_saved_result`, `_saved_dim` ... of a node.

    Raises:
        AttributeError: if the node saves nothing of that name.
        RuntimeError: if it has been freed.
    """

    def __init__(self, what: str) -> None:
        self.what = what

    def __get__(self, node: Any, owner: type) -> Any:
        if node is None:
            return self
        what, inputs, output = self.what, node.inputs, node.output
        if what in node.attributes:
            return getattr(node, what)
        if inputs is FREED and (what == "result" or what in POSITIONS):
            raise RuntimeError(SECOND_TIME)
        if type(inputs) is PackedValues:
            inputs, output = inputs.inputs, inputs.output
        found = None
        if what == "result":
            found = output
        elif what in POSITIONS and inputs:
            n = len(node.edges)  # see Note [Saved versions]
            i = POSITIONS[what][n > 2]
            found = inputs[i] if i < n else None
        if found is None:
            raise AttributeError(
                f"'{node.name()}' object has no attribute '_saved_{what}'"
            )
        if type(found) is PackedTensor:
            return _as_attribute(found, node)
        if isinstance(found, Tensor):
            return found
        made: Tensor = bare_tensor(Tensor, found, node.device)
        made._requires_grad, made._grad_fn = True, node
        return made


# Named one by one: `__getattr__` would slow down every attribute of a node.
for _what in (*POSITIONS, *ATTRIBUTES, "result"):
    setattr(Op, f"_saved_{_what}", SavedValue(_what))


def _displayed_node(node: Op) -> Op:
    """The node that errors name for a saved result: its view's, if there is one."""
    if node.changed_view is None:
        return node
    view, known = (ref() for ref in node.changed_view)
    return known if view is not None and view._grad_fn is known else node


def refuse_modified(node: Op, array: Any, found: int, expected: int, what: Any) -> None:
    """Refuse a saved value that was changed in place.

    Raises:
        RuntimeError: always, with PyTorch's message.
    """
    if isinstance(what, Tensor):
        recording = set_grad(True)
        refresh_view(what)
        set_grad(recording)
    from_, nr = what, 0
    if isinstance(what, Tensor):
        from_, nr = what._grad_fn, what._output_nr
        own = result_number(node, what)
        if own is not None:
            from_, nr = node, own
    place = ""
    if from_ is not None:
        place = f", which is output {nr} of {short_name(_displayed_node(from_))},"
    kind = type_name(wrap(array))
    message = (
        "one of the variables needed for gradient computation has been modified by an "
        f"inplace operation: [{kind} {list(array.shape)}]{place} is at version "
        f"{found}; expected version {expected} instead. Hint: "
        f"{ANOMALY_ON if _m.anomaly else ANOMALY_OFF}"
    )
    raise _with_lines(RuntimeError(message), node, array)


def _with_lines(error: RuntimeError, node: Op, array: Any) -> RuntimeError:
    """Add notes: the node, and the lines that change what it saved."""
    note_node(error, node)
    for note in inplace_notes(array):
        error.add_note(note)
    return error
