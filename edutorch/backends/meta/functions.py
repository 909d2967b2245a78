"""Shapes and dtypes of NumPy's other functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernels.memory_format import elementwise_strides
from .array import MetaArray, as_numpy, empty, function, like, no_data_error

__all__: list[str] = []


def _dtype_of(*values: Any) -> Any:
    return np.result_type(*(
        v.dtype if isinstance(v, (np.ndarray, np.generic)) else v for v in values
    ))  # fmt: skip


def _byte_array(x: Any) -> Any:
    """An array of a shape over a single byte, for which NumPy raises its errors."""
    return np.broadcast_to(np.False_, x.shape)


function(np.array_equal)(no_data_error)


@function(np.nonzero)
def _nonzero(a: Any) -> Any:
    return a.nonzero()


@function(np.count_nonzero)
def _count_nonzero(a: Any, axis: Any = None, **options: Any) -> Any:
    return np.add.reduce(a.astype(np.intp), axis=axis, **options)


@function(np.bincount)
def _bincount(x: Any, weights: Any = None, minlength: int = 0) -> Any:
    return empty((max(minlength, 1),), np.intp if weights is None else np.float64)


@function(np.histogram)
def _histogram(a: Any, bins: Any = 10, range: Any = None, **options: Any) -> Any:
    n = bins if isinstance(bins, int) else len(bins) - 1
    edges = a.dtype if a.dtype.kind == "f" else np.dtype(np.float64)
    return empty((n,), np.intp), empty((n + 1,), edges)


@function(np.broadcast_to)
def _broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    return np.broadcast_to(array.view(np.ndarray), shape).view(MetaArray)


@function(np.zeros_like, np.ones_like, np.empty_like)
def _empty_like(x: Any, dtype: Any = None, order: Any = "K", **options: Any) -> Any:
    return empty(x.shape, dtype or x.dtype) if order == "C" else like(x, dtype)


@function(np.full_like)
def _full_like(x: Any, fill_value: Any, dtype: Any = None, **options: Any) -> Any:
    return like(x, dtype)


@function(np.copy)
def _copy(x: Any, order: Any = "K", subok: bool = False) -> Any:
    return x.copy(order)


@function(np.copyto)
def _copyto(dst: Any, src: Any, casting: Any = "same_kind", where: Any = True) -> None:
    if type(dst) is MetaArray:
        np.broadcast_to(src, dst.shape)  # which raises the error
        return
    np.copyto(dst, as_numpy(src), casting=casting, where=as_numpy(where))


@function(np.putmask, np.put, np.place, np.put_along_axis, np.fill_diagonal)
def _no_op(*_: Any, **__: Any) -> None:
    """A change in place: nothing to do."""


@function(np.shares_memory, np.may_share_memory)
def _shares(a: Any, b: Any, max_work: Any = None) -> bool:
    return bool(np.may_share_memory(as_numpy(a), as_numpy(b)))


@function(np.concatenate)
def _concatenate(
    arrays: Any, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: Any = ""
) -> Any:
    arrays = [a.reshape(-1) for a in arrays] if axis is None else list(arrays)
    arrays = [a for a in arrays if a.shape != (0,)] or arrays[:1]
    at = 0 if axis is None else axis % arrays[0].ndim
    shape = list(arrays[0].shape)
    for a in arrays:
        if a.ndim != len(shape) or a.shape[:at] + a.shape[at + 1 :] != (
            *shape[:at], *shape[at + 1 :],
        ):  # fmt: skip
            np.concatenate([_byte_array(a) for a in arrays], at)  # raises
    shape[at] = sum(a.shape[at] for a in arrays)
    return empty(shape, dtype or _dtype_of(*arrays)) if out is None else out


@function(np.where)
def _where(condition: Any, x: Any = None, y: Any = None) -> Any:
    if x is None:
        no_data_error()
    operands = [v for v in (condition, x, y) if isinstance(v, np.ndarray)]
    shape = np.broadcast_shapes(*(v.shape for v in operands))
    dtype = _dtype_of(x, y)
    if all(v.flags.c_contiguous for v in operands):
        return empty(shape, dtype)
    return empty(shape, dtype, elementwise_strides(shape, dtype.itemsize, operands))


@function(np.dot)
def _dot(a: Any, b: Any, out: Any = None) -> Any:
    if not (np.ndim(a) and np.ndim(b)):
        return np.multiply(a, b)
    if a.shape[-1] != b.shape[-2 if b.ndim > 1 else 0]:
        np.dot(_byte_array(a), _byte_array(b))  # raises
    columns = b.shape[:-2] + b.shape[-1:] if b.ndim > 1 else ()
    return empty(a.shape[:-1] + columns, _dtype_of(a, b)) if out is None else out


@function(np.inner)
def _inner(a: Any, b: Any) -> Any:
    return empty(a.shape[:-1] + b.shape[:-1], _dtype_of(a, b))


@function(np.vdot)
def _vdot(a: Any, b: Any) -> Any:
    return empty((), _dtype_of(a, b))


@function(np.einsum)
def _einsum(*operands: Any, out: Any = None, **options: Any) -> Any:
    if out is not None:
        return out
    subscripts, *arrays = operands
    if not isinstance(subscripts, str):
        return np.einsum(*(np.asarray(v) for v in operands), **options)
    # Each name has one size: a matrix of bytes gives the shape at an element's cost.
    inputs, _, output = subscripts.replace(" ", "").partition("->")
    sizes: dict[str, int] = {}
    dots: list[Any] = []
    for names, array in zip(inputs.split(","), arrays, strict=True):
        front, _, back = names.partition("...")
        if "..." in names:
            end = array.ndim - len(back)
            dots.append(array.shape[len(front) : end])
        shape = array.shape[: len(front)] + array.shape[array.ndim - len(back) :]
        for name, n in zip(front + back, shape, strict=True):
            sizes[name] = n if sizes.get(name, 1) == 1 else sizes[name]
    if "->" not in subscripts:
        flat = inputs.replace(",", "").replace("...", "")
        output = ("..." if dots else "") + "".join(
            sorted(c for c in set(flat) if flat.count(c) == 1)
        )
    front, _, back = output.partition("...")
    middle = np.broadcast_shapes(*dots) if "..." in output else ()
    shape = (*(sizes[c] for c in front), *middle, *(sizes[c] for c in back))
    return empty(shape, _dtype_of(*arrays))


@function(np.take)
def _take(
    a: Any, indices: Any, axis: Any = None, out: Any = None, mode: Any = ""
) -> Any:
    if isinstance(a, MetaArray):
        return a.take(indices, axis)
    return like(np.take(a, np.zeros(np.shape(indices), np.intp), axis))


@function(np.take_along_axis)
def _take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Any:
    shape = list(np.broadcast_shapes(
        *(tuple(1 if i == axis % v.ndim else n for i, n in enumerate(v.shape))
          for v in (arr, indices))
    ))  # fmt: skip
    shape[axis % indices.ndim] = indices.shape[axis]
    return empty(shape, arr.dtype)


@function(np.repeat)
def _repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    return a.repeat(repeats, axis)


@function(np.pad)
def _pad(array: Any, pad_width: Any, mode: Any = "constant", **options: Any) -> Any:
    widths = np.broadcast_to(np.asarray(pad_width), (array.ndim, 2)).tolist()
    shape = [n + a + b for n, (a, b) in zip(array.shape, widths, strict=True)]
    return empty(shape, array.dtype)


@function(np.sort)
def _sort(a: Any, axis: Any = -1, **options: Any) -> Any:
    return empty(a.shape if axis is not None else (a.size,), a.dtype)


@function(np.partition)
def _partition(a: Any, kth: Any, axis: Any = -1, **options: Any) -> Any:
    return empty(a.shape, a.dtype)


@function(np.searchsorted)
def _searchsorted(a: Any, v: Any, side: Any = "left", sorter: Any = None) -> Any:
    return empty(np.shape(v), np.intp)


@function(np.ravel)
def _ravel(a: Any, order: Any = "C") -> Any:
    return a.ravel(order)


@function(np.reshape)
def _reshape(a: Any, /, shape: Any = None, order: Any = "C", **options: Any) -> Any:
    return a.reshape(shape)


@function(np.isclose)
def _isclose(a: Any, b: Any, *_: Any, **options: Any) -> Any:
    return np.equal(a, b)


@function(np.median, np.nanmedian)
def _median(a: Any, axis: Any = None, keepdims: bool = False, **options: Any) -> Any:
    return a.sum(axis=axis, keepdims=keepdims)


@function(np.linalg.svd)
def _svd(
    a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False
) -> Any:
    *batch, m, n = a.shape
    k = min(m, n)
    values = empty((*batch, k), _real(a.dtype))
    if not compute_uv:
        return values
    left, right = (m, n) if full_matrices else (k, k)
    return (
        empty((*batch, m, left), a.dtype), values, empty((*batch, right, n), a.dtype)
    )  # fmt: skip


@function(np.linalg.qr)
def _qr(a: Any, mode: str = "reduced") -> Any:
    *batch, m, n = a.shape
    k = m if mode == "complete" else min(m, n)
    r = empty((*batch, k, n), a.dtype)
    return r if mode == "r" else (empty((*batch, m, k), a.dtype), r)


@function(np.linalg.eigh)
def _eigh(a: Any, UPLO: str = "L") -> Any:
    return empty(a.shape[:-1], _real(a.dtype)), like(a)


@function(np.linalg.eigvalsh)
def _eigvalsh(a: Any, UPLO: str = "L") -> Any:
    return empty(a.shape[:-1], _real(a.dtype))


@function(np.linalg.eig)
def _eig(a: Any) -> Any:
    return empty(a.shape[:-1], _complex(a.dtype)), empty(a.shape, _complex(a.dtype))


@function(np.linalg.eigvals)
def _eigvals(a: Any) -> Any:
    return empty(a.shape[:-1], _complex(a.dtype))


@function(np.linalg.inv, np.linalg.cholesky)
def _matrix(a: Any, **options: Any) -> Any:
    return empty(a.shape, a.dtype)


@function(np.linalg.det)
def _det(a: Any) -> Any:
    return empty(a.shape[:-2], a.dtype)


@function(np.linalg.slogdet)
def _slogdet(a: Any) -> Any:
    return empty(a.shape[:-2], a.dtype), empty(a.shape[:-2], _real(a.dtype))


@function(np.linalg.solve)
def _solve(a: Any, b: Any) -> Any:
    if b.ndim == 1:
        return empty(a.shape[:-1], _dtype_of(a, b))
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return empty((*batch, *b.shape[-2:]), _dtype_of(a, b))


def _real(dtype: Any) -> Any:
    return np.zeros((), dtype).real.dtype


def _complex(dtype: Any) -> Any:
    return np.result_type(dtype, np.complex64)
