"""Sums and means."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd.op import Op, apply1
from ...tensor.tensor import Tensor
from ..attach import into, public
from ..dims import dims_of, kept_shape
from ..shape.views import expand, reshape

__all__ = ["sum"]


class Sum(Op):
    """Sum over dimensions.

    Math: y = Σ x      ∂L/∂x = g, repeated
    Shape: (*) -> (* without dim)
    """

    attributes = ("dim", "keepdim", "dtype")
    onnx = "ReduceSum"
    saves = ()

    def __init__(self, dim: tuple[int, ...] | None, keepdim: bool, dtype: Any) -> None:
        self.dim, self.keepdim, self.dtype = dim, keepdim, dtype

    def forward(self, x: Any) -> Any:
        self.shape = x.shape
        return np.add.reduce(x, axis=self.dim, dtype=self.dtype, keepdims=self.keepdim)

    def backward(self, g: Any) -> Any:
        if not self.keepdim:
            g = reshape(g, kept_shape(self.shape, self.dim))
        return expand(g, self.shape)


def _sum_dtype(x: Any, dtype: dtypes.dtype | None) -> Any:
    """Integers and booleans are summed as int64."""
    if dtype is not None:
        return dtype.numpy
    kind = x.dtype if not isinstance(x, Tensor) else x._data.dtype
    return np.int64 if kind.kind in "iub" else None


@public("sum")
def sum(
    input: Tensor,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: dtypes.dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Sum of all elements, or over the given dimensions.

    Math: y = Σ x      ∂L/∂x = g, repeated
    Shape: (*) -> (* without dim), or with size 1 there (`keepdim`)

    Args:
        dim: one dimension, several, or None for all.
        dtype: what to convert to first; integers are summed as int64 without it.

    Raises:
        IndexError: if a dimension does not exist.

    Example:
        >>> import edutorch as torch
        >>> torch.ones(2, 3).sum(dim=1)
        tensor([3., 3.])
    """
    op = Sum(dims_of(dim, input.ndim), keepdim, _sum_dtype(input, dtype))
    result = apply1(op, input)
    return result if out is None else into(out, result)
