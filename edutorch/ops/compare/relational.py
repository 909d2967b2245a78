"""Elementwise comparisons: ==, !=, <, <=, >, >=."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
from numpy import ndarray

from ...autograd.batched_tensor import refuse_batched
from ...autograd.dispatch import Op, apply, apply2
from ...autograd.inplace_variants import in_place
from ...autograd.modes import modes
from ...autograd.op_errors import no_meta_kernel
from ...backends.meta import MetaArray
from ...dtypes import of_numpy
from ...tensor.tensor import Tensor
from ..argument_checks import need_one_device, tensor_of
from ..pointwise.conjugate import zeros
from ..promotion import Pointwise, common_dtype, refuse_dtype
from ..registration import copyto, public

__all__ = [
    "eq", "equal", "ge", "greater", "greater_equal", "gt", "le", "less", "less_equal",
    "lt", "ne", "not_equal",
]  # fmt: skip


class Eq(Pointwise):
    """Whether two tensors have equal elements."""

    elementwise = True
    takes_float8 = True
    onnx = "Equal"
    differentiable = False
    takes_scalar_first = False
    complex32 = "single"

    def forward(self, a: Any, b: Any) -> Any:
        return a == b


@public("eq")
def eq(input: Tensor, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `input == other`.

    Math: y = a = b
    Shape: (*), (*) -> (*), bool, broadcast

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1, 2]) == 2
        tensor([False,  True])
    """
    result = apply2(Eq(), input, other)
    return result if out is None else copyto(out, result, "eq", (input, other))


class Ne(Pointwise):
    """Whether two tensors have different elements."""

    elementwise = True
    takes_float8 = True
    differentiable = False
    takes_scalar_first = False
    complex32 = "single"

    def forward(self, a: Any, b: Any) -> Any:
        return a != b


@public("ne", "not_equal")
def ne(input: Tensor, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `input != other`.

    Math: y = a ≠ b
    Shape: (*), (*) -> (*), bool, broadcast

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1, 2]) != 2
        tensor([ True, False])
    """
    result = apply2(Ne(), input, other)
    return result if out is None else copyto(out, result, "ne", (input, other))


not_equal = ne


@public("__eq__")
def _tensor_eq(input: Tensor, other: Any) -> Any:
    if type(other) is ndarray and other.dtype.kind in "biufc":
        return apply(Eq(), input, other)  # otherwise NumPy would compare
    if not isinstance(other, _COMPARABLE):
        return NotImplemented  # Python then compares identities: unequal
    return apply2(Eq(), input, other)


@public("__ne__")
def _tensor_ne(input: Tensor, other: Any) -> Any:
    if not isinstance(other, _COMPARABLE):
        return NotImplemented  # for arrays, too, unlike `==`
    return apply2(Ne(), input, other)


_COMPARABLE = (Tensor, int, float, complex, np.generic)


class _Order(Pointwise):
    """Base class of <, <=, > and >=, which refuse complex numbers."""

    elementwise = True
    differentiable = False
    takes_scalar_first = False
    gives_bool = True

    def check(self, a: Any, b: Any) -> None:
        for x in (a, b):
            if isinstance(x, Tensor) and x._data.dtype.kind in "cW":
                found = common_dtype(*[getattr(v, "_data", v) for v in (a, b)])
                refuse_dtype(f"{self.public}_cpu", found)


class Lt(_Order):
    """Whether the first is smaller."""

    onnx = "Less"

    def forward(self, a: Any, b: Any) -> Any:
        if type(a) is ndarray and a.dtype.kind in "cW":
            refuse_dtype("lt_cpu", of_numpy[a.dtype])
        return a < b


@public("lt", "less", "__lt__")
def lt(input: Tensor, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `input < other`.

    Math: y = a < b
    Shape: (*), (*) -> (*), bool, broadcast

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1, 2]) < 2
        tensor([ True, False])
    """
    result = apply2(Lt(), input, other)
    return result if out is None else copyto(out, result, "lt", (input, other))


less = lt


class Le(_Order):
    """Whether the first is smaller or equal."""

    onnx = "LessOrEqual"

    def forward(self, a: Any, b: Any) -> Any:
        if type(a) is ndarray and a.dtype.kind in "cW":
            refuse_dtype("le_cpu", of_numpy[a.dtype])
        return a <= b


@public("le", "less_equal", "__le__")
def le(input: Tensor, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `input <= other`.

    Math: y = a ≤ b
    Shape: (*), (*) -> (*), bool, broadcast

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1, 2, 3]) <= 2
        tensor([ True,  True, False])
    """
    result = apply2(Le(), input, other)
    return result if out is None else copyto(out, result, "le", (input, other))


less_equal = le


class Gt(_Order):
    """Whether the first is larger."""

    onnx = "Greater"

    def forward(self, a: Any, b: Any) -> Any:
        if type(a) is ndarray and a.dtype.kind in "cW":
            refuse_dtype("gt_cpu", of_numpy[a.dtype])
        return a > b


@public("gt", "greater", "__gt__")
def gt(input: Tensor, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `input > other`.

    Math: y = a > b
    Shape: (*), (*) -> (*), bool, broadcast

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1, 3]) > 2
        tensor([False,  True])
    """
    result = apply2(Gt(), input, other)
    return result if out is None else copyto(out, result, "gt", (input, other))


greater = gt


class Ge(_Order):
    """Whether the first is larger or equal."""

    onnx = "GreaterOrEqual"

    def forward(self, a: Any, b: Any) -> Any:
        if type(a) is ndarray and a.dtype.kind in "cW":
            refuse_dtype("ge_cpu", of_numpy[a.dtype])
        return a >= b


@public("ge", "greater_equal", "__ge__")
def ge(input: Tensor, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `input >= other`.

    Math: y = a ≥ b
    Shape: (*), (*) -> (*), bool, broadcast

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1, 2, 3]) >= 2
        tensor([False,  True,  True])
    """
    result = apply2(Ge(), input, other)
    return result if out is None else copyto(out, result, "ge", (input, other))


greater_equal = ge


class Overwriting(Op):
    """A comparison written over its first operand, on which nothing depends then.

    Math: y = x, the comparison      ∂L/∂a = 0      ∂L/∂b = 0
    """

    attributes = ("comparison", "overload")
    saves = ()

    def __init__(self, comparison: str, overload: int) -> None:
        self.comparison, self.overload = comparison, overload

    def name(self) -> str:
        """PyTorch's name of the node."""
        return f"{self.comparison}Backward{self.overload}"

    def forward(self, x: Any, *operands: Any) -> Any:
        self.shapes = [v.shape for v in operands]
        return x.astype(operands[0].dtype)

    def backward(self, g: Any) -> Any:
        none = zeros(g).reshape(-1)
        return None, *[none[: math.prod(s)].reshape(s) for s in self.shapes]


def _in_place(function: Any, name: str) -> Any:
    """The in-place variant of a comparison, which has a derivative, that is 0."""

    @functools.wraps(function)
    def compared(input: Tensor, other: Any) -> Tensor:
        result: Tensor = function(input, other)
        tensors = (input, other) if isinstance(other, Tensor) else (input,)
        if not modes.grad or not any(t._requires_grad for t in tensors):
            return result
        return apply(Overwriting(name, len(tensors) - 1), result, *tensors)

    return in_place(compared, f"{function.__name__}_")


def _add_in_place_variants() -> None:
    for function in (eq, ne, lt, le, gt, ge):
        name = function.__name__
        setattr(Tensor, f"{name}_", _in_place(function, name.capitalize()))
    pairs = {"not_equal_": "ne_", "less_": "lt_", "less_equal_": "le_",
             "greater_": "gt_", "greater_equal_": "ge_"}  # fmt: skip
    for alias, name in pairs.items():
        setattr(Tensor, alias, getattr(Tensor, name))


_add_in_place_variants()


UNBATCHED_EQUAL = (
    "Batching rule not implemented for aten::equal. We could not generate a fallback."
)


@public("equal")
def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape and equal elements (nan is never equal).

    Math: y = (a and b have the same shape) ∧ (every aᵢ = bᵢ)
    Shape: (*), (*) -> one bool of Python

    Raises:
        NotImplementedError: for tensors without values, on the meta device.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([1, 2])
        >>> torch.equal(x, torch.tensor([1, 2])), torch.equal(x, torch.tensor([[1, 2]]))
        (True, False)
    """
    a, b = (
        tensor_of(input, "equal")._data,
        tensor_of(other, "equal", "other")._data,
    )
    refuse_batched(UNBATCHED_EQUAL, input, other)
    if input._device is not other._device:
        need_one_device("__equal", input, other=other)
    if type(a) is MetaArray:
        raise NotImplementedError(no_meta_kernel("equal"))
    return bool(a.shape == b.shape and (a == b).all())
