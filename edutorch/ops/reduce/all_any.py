"""Counts and tests elements: all, any, count_nonzero."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd.dispatch import Op, apply1
from ...backends import reduce_with
from ...kernels.memory_format import row_major
from ...tensor.tensor import Tensor
from ..argument_checks import type_error
from ..dims import ABSENT, axis_for, dims_of, ndim_of
from ..registration import copyto, public

__all__ = ["all", "any", "count_nonzero"]


class All(Op):
    """Whether all elements are true (nonzero)."""

    attributes = ("dim", "keepdim")
    differentiable = False
    takes_float8 = True
    function: Any = np.logical_and
    complex32 = "single"

    def __init__(self, dim: tuple[int, ...] | None, keepdim: bool) -> None:
        self.dim, self.keepdim = dim, keepdim

    def forward(self, x: Any) -> Any:
        y = row_major(reduce_with(self.function, x, self.dim, self.keepdim))
        # Bytes once stood for booleans, and give bytes still.
        return y.astype(np.uint8) if x.dtype == np.uint8 else y


class Any_(All):  # noqa: N801 (Any is taken by typing)
    """Whether any element is true (nonzero)."""

    public = "any"
    function = np.logical_or
    complex32 = "single"


def _logical_reduction(
    op: type[All], input: Any, dim: Any, keepdim: bool, out: Any
) -> Tensor:
    """Run `op`; with `dim=()` it tests each element separately, unlike `sum`."""
    none = isinstance(dim, (tuple, list)) and not dim
    name: Any = op.public  # of each class
    along = () if none else dims_of(dim, ndim_of(input, name), name)
    if isinstance(out, Tensor) and out.dtype is dtypes.uint8:
        if input.numel() == 1:
            input = input.to(dtypes.bool_)
        input = input.to(dtypes.uint8)  # in which PyTorch looks for zeros among several
    result = apply1(op(along, keepdim), input)
    if out is None:
        return result
    return copyto(out, result, name, (input,))


@public("all")
def all(
    input: Tensor,
    dim: Any = None,
    keepdim: bool = False,
    *,
    out: Tensor | None = None,
    axis: Any = None,
    keepdims: Any = ABSENT,
) -> Tensor:
    """Whether all elements are true (nonzero), over all or some dimensions.

    Math: y = (every x ≠ 0)
    Shape: (*) -> (* without dim), bool

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> torch.all(torch.tensor([[1, 0], [2, 3]]), dim=1)
        tensor([False,  True])
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    if keepdims is not ABSENT:
        keepdim = keepdims
    if keepdim is not False and keepdim is not True:
        raise type_error("bool", "keepdim", keepdim, "all")
    return _logical_reduction(All, input, dim, keepdim, out)


@public("any")
def any(
    input: Tensor,
    dim: Any = None,
    keepdim: bool = False,
    *,
    out: Tensor | None = None,
    axis: Any = None,
    keepdims: Any = ABSENT,
) -> Tensor:
    """Whether any element is true (nonzero), over all or some dimensions.

    Math: y = (some x ≠ 0)
    Shape: (*) -> (* without dim), bool

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> torch.any(torch.tensor([[0, 0], [2, 0]]), dim=1)
        tensor([False,  True])
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    if keepdims is not ABSENT:
        keepdim = keepdims
    if keepdim is not False and keepdim is not True:
        raise type_error("bool", "keepdim", keepdim, "any")
    return _logical_reduction(Any_, input, dim, keepdim, out)


class CountNonzero(Op):
    """The number of nonzero elements."""

    attributes = ("dim",)
    differentiable = False
    complex32 = "single"

    def __init__(self, dim: tuple[int, ...] | None) -> None:
        self.dim = dim

    def forward(self, x: Any) -> Any:
        return row_major(np.add.reduce(x != 0, axis=self.dim, dtype=np.int64))


@public("count_nonzero")
def count_nonzero(
    input: Tensor,
    dim: Any = None,
    *,
    axis: Any = None,
) -> Tensor:
    """The number of nonzero elements, over all or some dimensions.

    Math: y = number of i with x[i] ≠ 0
    Shape: (*) -> (* without dim), int64

    Example:
        >>> import edutorch as torch
        >>> torch.count_nonzero(torch.tensor([[0, 1], [2, 3]]), dim=1)
        tensor([1, 2])
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    return apply1(
        CountNonzero(dims_of(dim, ndim_of(input, "count_nonzero"), "count_nonzero")),
        input,
    )
