"""NumPy's sums, products and other functions for sparse arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ..array_modules import array_module
from .array import SparseArray, UnsupportedError, elementwise, function, ufunc
from .blocks import Blocks, gather_blocks
from .compressed import Compressed, compress
from .coo import Coo, empty_coo

__all__ = ["in_layout"]


def in_layout(x: Coo, like: SparseArray) -> Any:
    """Convert an array in coordinate format to the format of another."""
    if isinstance(like, Blocks):
        return gather_blocks(x, like.layout, like.block)
    return compress(x, like.layout) if isinstance(like, Compressed) else x


def _coo(x: Any) -> Coo:
    found: Coo = x.coo() if isinstance(x, Compressed) else x
    return found


def _is_number(x: Any) -> bool:
    return not isinstance(x, SparseArray) and np.ndim(x) == 0


@ufunc(np.negative)
def negative(x: Any) -> Any:
    """The negative of each value, also if a position has several."""
    return x.like(-x.values)


@ufunc(np.add)
def add(a: Any, b: Any) -> Any:
    """The sum of two sparse arrays, or of a dense and a sparse one."""
    return _sum(a, b, 1)


@ufunc(np.subtract)
def subtract(a: Any, b: Any, dtype: Any = None) -> Any:
    """The difference of two sparse arrays, or of a dense and a sparse one."""
    if dtype is not None:
        a, b = a.astype(dtype), b.astype(dtype)
    return _sum(a, b, -1)


def _sum(a: Any, b: Any, sign: int) -> Any:
    if not isinstance(b, SparseArray):
        if isinstance(a, Compressed) and np.shape(b) == a.shape:
            return b + a if sign == 1 else a.dense() - b
        raise RuntimeError(
            "add(sparse, dense) is not supported. Use add(dense, sparse) instead."
        )
    if isinstance(a, SparseArray):
        return _union(a, b, sign)
    if np.shape(a) != b.shape:
        raise RuntimeError(
            "add: expected 'self' and 'other' to have same size, but self has size "
            f"{list(np.shape(a))} while other has size {list(b.shape)} (FYI: "
            "dense-sparse addition does not currently support broadcasting)"
        )
    y = array_module(a).array(a, dtype=np.result_type(a, b.dtype))
    return b.add_into(y, sign)


def _union(a: SparseArray, b: SparseArray, sign: int) -> Any:
    if a.shape != b.shape:
        raise RuntimeError(
            "add: expected sizes of 'self' and 'other' to match, but "
            f"{list(a.shape)} != {list(b.shape)}"
        )
    x, y = _coo(a), _coo(b)
    if x.sparse_dim != y.sparse_dim:
        raise RuntimeError(
            "add: expected 'self' and 'other' to have same number of sparse "
            f"dimensions, but {x.sparse_dim} != {y.sparse_dim}"
        )
    values = y.values if sign == 1 else -y.values
    if np.array_equal(x.indices, y.indices):
        both = x.like(x.values + values)
        both.coalesced = x.coalesced and y.coalesced
        return in_layout(both, a)
    indices = np.concatenate([x.indices, y.indices], axis=1)
    both = Coo(indices, np.concatenate([x.values, values]), x.shape)
    return in_layout(both.unique() if x.coalesced and y.coalesced else both, a)


@ufunc(np.multiply)
def multiply(a: Any, b: Any) -> Any:
    """The product of two sparse arrays, or of a sparse array and what broadcasts."""
    if not isinstance(a, SparseArray):
        a, b = b, a
    if _is_number(b):
        return a.like(a.values * b)
    if isinstance(b, SparseArray):
        return _intersection(a, b)
    if np.broadcast_shapes(a.shape, b.shape) != a.shape:
        raise UnsupportedError("the sparse factor of a product is not broadcast")
    return a.like(a.values * a.values_at(np.broadcast_to(b, a.shape)))


def _intersection(a: SparseArray, b: SparseArray) -> Any:
    """Products where both have values: at the positions of `a` that `b` has, too."""
    x, y = _coo(a), _coo(b).unique()
    if x.shape != y.shape or x.sparse_dim != y.sparse_dim:
        raise RuntimeError(
            "sparse_binary_op_intersection_cpu(): expects sparse inputs with equal "
            "dimensionality, number of sparse dimensions, and shape of sparse "
            "dimensions"
        )
    keys, known = x.keys(), y.keys()
    place = np.searchsorted(known, keys)
    met = place < known.size
    met[met] = known[place[met]] == keys[met]
    values = x.values[met] * y.values[place[met]]
    both = Coo(x.indices[:, met], values, x.shape, x.coalesced)
    return in_layout(both, a)


@ufunc(np.true_divide)
def divide(a: Any, b: Any) -> Any:
    """A sparse array divided by a number."""
    if not _is_number(b):
        raise RuntimeError(
            "Sparse division requires a scalar or zero-dim dense tensor divisor (got "
            f"shape {list(b.shape)} for divisor)"
        )
    if not isinstance(a, SparseArray):
        raise UnsupportedError("nothing is divided by a sparse array")
    return a.like(a.values / b)


@ufunc(np.floor_divide)
def floor_divide(a: Any, b: Any) -> Any:
    """A sparse array divided by a number and rounded down."""
    divide(a, b)  # rejects the same operands
    return elementwise(np.floor_divide, a, b)


@function(np.copyto)
def copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    """Copy a sparse array into another one, or into a dense one."""
    if not isinstance(dst, SparseArray):
        dst[...] = src.dense()
    elif type(dst) is type(src):
        dst.assign(src)
    else:
        raise RuntimeError(
            "copy_() between dense and sparse Tensors is not implemented! Found self "
            f"type = torch.{dst.layout.words} and src type = torch."
            f"{getattr(src, 'layout', 'strided')}"
        )


@function(np.may_share_memory, np.shares_memory)
def may_share_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    """Whether both are the same sparse array, or have the same values."""
    x, y = (getattr(v, "values", v) for v in (a, b))
    return np.may_share_memory(x, y)


@function(np.clip)
def clip(x: Any, low: Any, high: Any, **options: Any) -> Any:
    """Clip values to a range that contains zero."""
    return elementwise(np.clip, x, low, high)


@function(np.where)
def where(chosen: Any, x: Any, otherwise: Any) -> Any:
    """The values at the positions that are chosen; `otherwise` must be zero."""
    sparse = isinstance(chosen, SparseArray) and isinstance(x, SparseArray)
    if not sparse or not _is_number(otherwise) or otherwise != 0:
        raise UnsupportedError("sparse arrays have no where with other values than 0")
    bits = x.view(f"u{x.dtype.itemsize}")  # nan times 0 would be nan
    return np.multiply(bits, chosen).view(x.dtype)


@function(np.shape)
def shape(x: Any) -> tuple[int, ...]:
    """The size of each dimension."""
    return x.shape


@function(np.ndim)
def ndim(x: Any) -> int:
    """The number of dimensions."""
    return len(x.shape)


@function(np.zeros_like, np.empty_like)
def zeros_like(x: Any, dtype: Any = None, **options: Any) -> Any:
    """A sparse array of zeros of the same shape: nothing is stored."""
    zeros = empty_coo(x.shape, x.sparse_dim, dtype or x.dtype)
    return in_layout(zeros, x)


@function(np.take)
def take(x: Any, index: Any, axis: int = 0) -> Any:
    """The entries of one dimension that an index names, in its order."""
    if not isinstance(x, Coo):
        raise UnsupportedError("only arrays in coordinate format are indexed")
    axis, n = normalize_axis_index(axis, x.ndim), x.sparse_dim
    shape = (*x.shape[:axis], index.size, *x.shape[axis + 1 :])
    if axis >= n:
        values = np.take(x.values, index, axis - n + 1)
        return Coo(x.indices, values, shape, x.coalesced)
    order = np.argsort(x.indices[axis], kind="stable")
    first = np.searchsorted(x.indices[axis][order], [index, index + 1])
    counts = first[1] - first[0]  # values of each requested entry
    xp = array_module(counts)
    steps = xp.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    chosen = order[np.repeat(first[0], counts) + steps]
    indices = x.indices[:, chosen]
    indices[axis] = np.repeat(xp.arange(index.size), counts)
    return Coo(indices, x.values[chosen], shape)


@function(np.concatenate)
def concatenate(arrays: Any, axis: int = 0, **options: Any) -> Any:
    """Sparse arrays one after the other."""
    if not all(isinstance(x, Coo) for x in arrays):
        raise RuntimeError("Concatenating sparse tensors, but a dense tensor was found")
    first = arrays[0]
    axis, n = normalize_axis_index(axis, first.ndim), first.sparse_dim
    for position, x in enumerate(arrays):
        pairs = enumerate(zip(first.shape, x.shape, strict=False))
        if x.ndim != first.ndim or any(a != b for d, (a, b) in pairs if d != axis):
            raise RuntimeError(
                f"All tensors must have the same shape: {list(first.shape)} (except in "
                f"the concatenating dimension), but found shape: {list(x.shape)} at "
                f"position {position}."
            )
    if axis >= n:
        return _concatenate_dense(arrays, axis)
    indices, start = [], 0
    for x in arrays:
        moved = x.indices.copy()
        moved[axis] += start
        indices.append(moved)
        start += x.shape[axis]
    shape = (*first.shape[:axis], start, *first.shape[axis + 1 :])
    values = np.concatenate([x.values for x in arrays])
    return Coo(np.concatenate(indices, axis=1), values, shape)


def _concatenate_dense(arrays: Any, axis: int) -> Coo:
    """Sparse arrays joined along a dense dimension, padded with zeros."""
    axis -= arrays[0].sparse_dim - 1  # that of the values
    total = sum(x.values.shape[axis] for x in arrays)
    parts, start = [], 0
    for x in arrays:
        size = list(x.values.shape)
        size[axis] = total
        padded = array_module(x.values).zeros(size, x.dtype)
        where = (slice(None),) * axis + (slice(start, start + x.values.shape[axis]),)
        padded[where] = x.values
        parts.append(padded)
        start += x.values.shape[axis]
    values = np.concatenate(parts)
    shape = (*arrays[0].shape[: arrays[0].sparse_dim], *values.shape[1:])
    return Coo(np.concatenate([x.indices for x in arrays], axis=1), values, shape)


@function(np.stack)
def stack(arrays: Any, axis: int = 0, **options: Any) -> Any:
    """Sparse arrays stacked along a new dimension."""
    axis = normalize_axis_index(axis, arrays[0].ndim + 1)
    new = (*(slice(None),) * axis, None)
    return concatenate([x[new] for x in arrays], axis)
