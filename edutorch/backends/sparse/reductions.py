"""Sums of sparse arrays, and softmax over the stored values."""

from __future__ import annotations

from typing import Any

import numpy as np

from .array import UnsupportedError, function, ufunc
from .blocks import Blocks
from .compressed import Compressed, compress
from .coo import Coo, linear_indices

__all__ = ["grouped_softmax", "row_numbers", "sum_over"]


@ufunc(np.add, method="reduce")
def _reduce(
    x: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
) -> Any:
    return sum_over(x, axis, dtype, keepdims)


def sum_over(x: Any, axis: Any, dtype: Any = None, keepdims: bool = False) -> Any:
    """The sum over dimensions: sparse, unless no sparse dimension remains.

    Math: y = Σ values of the same remaining position
    """
    if axis is None:
        total = x.values.sum(dtype=dtype)
        return total.reshape((1,) * x.ndim) if keepdims else total
    if isinstance(x, Compressed) and keepdims and not isinstance(x, Blocks):
        return compress(sum_over(x.coo(), axis, dtype, keepdims), x.layout)
    if isinstance(x, Compressed):
        raise RuntimeError(
            "reduction operations on CSR tensors with keepdim=False is unsupported"
        )
    dims = {d % x.ndim for d in (axis if isinstance(axis, tuple) else (axis,))}
    n = x.sparse_dim
    dense = tuple(d - n + 1 for d in dims if d >= n)
    values = x.values.sum(dense, dtype=dtype, keepdims=keepdims)
    if keepdims:
        indices = x.indices.copy()
        indices[[d for d in dims if d < n]] = 0
        shape = [1 if d in dims else size for d, size in enumerate(x.shape)]
        return Coo(indices, values, shape).unique()
    remaining = [d for d in range(n) if d not in dims]
    shape = [size for d, size in enumerate(x.shape) if d not in dims]
    if not remaining:
        return values.sum(axis=0)
    return Coo(x.indices[remaining], values, shape).unique()


@ufunc(np.logical_or, method="reduce")
def _any(x: Any, axis: Any = None, **options: Any) -> Any:
    if axis is not None:
        raise UnsupportedError("sparse arrays have no any along a dimension")
    return x.unique().values.any()


@function(np.any)
def _any_along(x: Any, axis: Any = None, **options: Any) -> Any:
    return _any(x, axis)


def row_numbers(x: Coo, axis: int) -> Any:
    """For each value the index of its row, along `axis`."""
    others = [d for d in range(x.sparse_dim) if d != axis]
    shape = tuple(x.shape[d] for d in others)
    keys = linear_indices(x.indices[others], shape)
    return np.unique(keys, return_inverse=True)[1]


def grouped_softmax(values: Any, group: Any, log: bool) -> Any:
    """Softmax over the values of each group; those not stored count as -inf.

    Shape: (nnz, *), (nnz) -> (nnz, *)
    """
    count = int(group.max()) + 1 if len(group) else 0
    largest = np.full((count, *values.shape[1:]), -np.inf, values.dtype)
    np.maximum.at(largest, group, values)
    shifted = values - largest[group]
    sums = np.zeros_like(largest)
    np.add.at(sums, group, np.exp(shifted))
    if log:
        return shifted - np.log(sums)[group]
    return np.exp(shifted) / sums[group]
