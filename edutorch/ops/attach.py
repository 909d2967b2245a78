"""How a public function becomes Tensor's method, operator and in-place twin."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from ..autograd.inplace import check_writable, in_place, update
from ..autograd.modes import modes
from ..autograd.overlap import refuse_overlap, refuse_partial_overlap
from ..tensor.tensor import Tensor
from .asked import asked
from .refusals import not_a
from .return_types import out_type

__all__ = [
    "composite", "into", "method", "public", "refuse_numbers", "refuse_self",
]  # fmt: skip

CPP_NAMES = {
    "bool": "bool", "uint8": "unsigned char", "int8": "signed char",
    "int16": "short int", "int32": "int", "int64": "long int",
    "uint16": "short unsigned int", "uint32": "unsigned int",
    "uint64": "long unsigned int", "float16": "c10::Half",
    "bfloat16": "c10::BFloat16", "float32": "float", "float64": "double",
    "complex64": "c10::complex<float>", "complex128": "c10::complex<double>",
}  # fmt: skip
NUMBERS = frozenset((bool, int, float, complex))
F = TypeVar("F", bound=Callable[..., Any])


def public(*methods: str, inplace: str = "", augmented: str = "") -> Callable[[F], F]:
    """Attach a function to Tensor under each name; returns the function unchanged.

    Args:
        methods: names of methods and operators ("add", "__add__").
        inplace: the name of the in-place twin ("add_").
        augmented: the operator of the in-place twin ("__iadd__").
    """

    def attach(function: F) -> F:
        for name in methods:
            setattr(Tensor, name, function)
        if inplace:
            twin = in_place(function, inplace)
            setattr(Tensor, inplace, twin)
            if augmented:
                setattr(Tensor, augmented, twin)
        return function

    return attach


def method(function: F) -> F:
    """Attach a function that is a method only, under its own name."""
    name = function.__name__
    setattr(Tensor, name.removeprefix("_tensor_"), function)
    return function


def composite(function: F) -> F:
    """Mark a function made of ops: views fold the ops it runs into one box."""
    function.composite = True  # type: ignore[attr-defined]  # a note on the function
    return function


def refuse_numbers(name: str, **operands: Any) -> None:
    """Refuse Python numbers where a function takes tensors only.

    Raises:
        TypeError: with the first argument that is a number.
    """
    for position, (argument, value) in enumerate(operands.items(), 1):
        if type(value) in NUMBERS:  # NumPy's numbers are arrays without dimensions
            raise TypeError(
                f"{name}(): argument '{argument}' (position {position}) must be "
                f"Tensor, not {type(value).__name__}"
            )


def refuse_self(name: str, self: Any) -> None:
    """Refuse an operator's method asked of something that is no tensor.

    Raises:
        TypeError: in Python's words for methods of built-in types.
    """
    if isinstance(self, (int, float, complex)):
        raise TypeError(
            f"descriptor '{name}' for 'torch._C.TensorBase' objects doesn't apply to a "
            f"'{type(self).__name__}' object"
        )


def into(
    out: Any, result: Any, *, exact: bool = False, apart: tuple[Any, ...] = ()
) -> Any:
    """Write a result into the tensor that `out=` names, and return that tensor.

    Args:
        exact: whether `out` must have the result's dtype.
        apart: inputs whose memory must not be written to.

    Raises:
        RuntimeError: if one of them requires grad, or dtypes do not fit.
        TypeError: if `out` is no tensor, or not as many as there are results.
    """
    if isinstance(result, tuple):
        if not isinstance(out, (tuple, list)):
            raise not_a("tuple of Tensors", "out", out)
        if len(out) != len(result):
            raise TypeError(
                f"expected tuple of {len(result)} elements but got {len(out)}"
            )
        pairs = zip(out, result, strict=True)
        written = [into(o, r, exact=exact, apart=apart) for o, r in pairs]
        named = hasattr(result, "_fields")
        return out_type(type(result))(*written) if named else tuple(written)
    if not isinstance(out, Tensor):
        raise not_a("Tensor", "out", out)
    if modes.grad and (out._requires_grad or result._requires_grad):
        name = asked().name
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic "
            "differentiation, but one of the arguments requires grad."
        )
    _check_out(out, result, exact, apart)
    check_writable(out)
    if out._data.shape != result._data.shape:
        if out._data.size:
            _warn_of_resizing(out._data.shape, result._data.shape)
        out._data = type(result._data)(result._data.shape, dtype=out._data.dtype)
        out._storage = None
    return update(out, out, result)


# PyTorch's elementwise ops, scans and scatterings look whether they write to a part of
# what they read; its products, reductions and decompositions do not.
LOOKS_FOR_OVERLAP = (
    "activations", "compare", "index", "matmul.sums_of_products", "pointwise", "scan",
)  # fmt: skip


def _operands() -> Iterable[Any]:
    """What the function that was given `out` read, if it looks for overlaps."""
    frame: Any = sys._getframe(1)
    while frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    module = frame.f_globals.get("__name__", "").partition(".ops.")[2]
    return frame.f_locals.values() if module.startswith(LOOKS_FOR_OVERLAP) else ()


def _warn_of_resizing(had: tuple[int, ...], needed: tuple[int, ...]) -> None:
    warnings.warn(
        "An output with one or more elements was resized since it had shape "
        f"{list(had)}, which does not match the required output shape {list(needed)}. "
        "This behavior is deprecated, and in a future PyTorch release outputs will not "
        "be resized unless they have zero elements. You can explicitly reuse an out "
        "tensor t by resizing it, inplace, to zero elements with t.resize_(0).",
        stacklevel=4,
    )


def _check_out(
    out: Tensor, result: Tensor, exact: bool, apart: tuple[Any, ...]
) -> None:
    if exact and out._data.dtype != result._data.dtype:
        needed, given = (CPP_NAMES[t.dtype.name] for t in (result, out))
        raise RuntimeError(
            f"Expected out tensor to have dtype {needed}, but got {given} instead"
        )
    if apart:
        refuse_overlap(out, apart)
    elif out._storage is not None:
        refuse_partial_overlap(out, _operands())
    grows = result._data.size > out._data.size
    if grows and not out.untyped_storage().resizable():
        raise RuntimeError("Trying to resize storage that is not resizable")
