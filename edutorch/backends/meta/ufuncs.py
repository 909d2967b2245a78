"""Shapes and dtypes of NumPy's elementwise functions, reductions and products."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernels.memory_format import elementwise_strides
from .array import UFUNCS, MetaArray, as_numpy, empty, result_of

__all__: list[str] = []


def one_element(v: Any) -> Any:
    """One element of an operand's dtype; Python numbers stay as they are."""
    return np.ones((), v.dtype) if isinstance(v, (np.ndarray, np.generic)) else v


def check_out(
    run: Any, inputs: Any, out: Any, options: Any, shape: tuple[int, ...]
) -> Any:
    """The arrays of `out=`, which must have the result's shape.

    Ordinary ones are written to, because their values may be needed.

    Raises:
        ValueError: if one of them has another one.
    """
    if any(isinstance(a, np.ndarray) and type(a) is not MetaArray for a in out):
        with np.errstate(all="ignore"):
            return run(*map(as_numpy, inputs), out=tuple(map(as_numpy, out)), **options)
    for array in out:
        if array is not None and np.broadcast_shapes(array.shape, shape) != array.shape:
            raise ValueError(
                f"non-broadcastable output operand with shape {array.shape} doesn't "
                f"match the broadcast shape {shape}"
            )
    return out[0] if len(out) == 1 else out


def call(which: Any, inputs: Any, out: Any, options: Any) -> Any:
    """A function of each element, or of matrices."""
    if which.signature is not None:
        return _matrix_ufunc(which, inputs, out, options)
    arrays = [v for v in inputs if isinstance(v, np.ndarray)]
    shape = np.broadcast_shapes(*(v.shape for v in arrays))
    if out is not None:
        return check_out(which, inputs, out, options, shape)
    if not shape:  # a comparison of numbers, as in checks
        return compute_on_zeros(which, inputs, None, options)
    supported = ("dtype", "casting", "signature")
    options = {k: v for k, v in options.items() if k in supported}
    with np.errstate(all="ignore"):
        found = which(*map(one_element, inputs), **options)
    several = isinstance(found, tuple)
    made = [_empty_result(shape, np.asarray(f).dtype, arrays) for f in _as_tuple(found)]
    return tuple(made) if several else made[0]


def _as_tuple(found: Any) -> tuple[Any, ...]:
    return found if isinstance(found, tuple) else (found,)


def _empty_result(shape: tuple[int, ...], dtype: Any, arrays: list[Any]) -> MetaArray:
    if all(a.flags.c_contiguous for a in arrays if a.ndim > 1):
        return empty(shape, dtype)
    return empty(shape, dtype, elementwise_strides(shape, dtype.itemsize, arrays))


def _matrix_ufunc(which: Any, inputs: Any, out: Any, options: Any) -> Any:
    if which is not np.matmul:
        return compute_on_zeros(which, inputs, out, options)
    a, b = inputs
    if not (a.ndim and b.ndim) or a.shape[-1] != b.shape[-2 if b.ndim > 1 else 0]:
        np.matmul(*(np.empty(v.shape, np.bool_) for v in inputs))  # raises
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    rows = a.shape[-2:-1] if a.ndim > 1 else ()
    columns = b.shape[-1:] if b.ndim > 1 else ()
    shape = (*batch, *rows, *columns)
    if out is not None:
        return check_out(which, inputs, out, options, shape)
    return empty(shape, np.matmul(*(np.ones((1, 1), v.dtype) for v in inputs)).dtype)


def compute_on_zeros(which: Any, inputs: Any, out: Any, options: Any) -> Any:
    """The result of a NumPy function for zeros."""
    plain = [as_numpy(v) for v in inputs]
    if out is not None:
        return out[0] if len(out) == 1 else out
    with np.errstate(all="ignore"):
        return result_of(which(*plain, **options))


def reduce(which: Any, inputs: Any, out: Any, options: Any) -> Any:
    """A reduction over one dimension, several, or all."""
    (x,) = inputs[:1]
    if len(inputs) > 1:
        options = dict(zip(("axis", "dtype", "out", "keepdims"), inputs[1:]), **options)  # noqa: B905 (as many as there are)
    axis = options.get("axis", 0)
    axes = (
        range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    )
    gone = {a % x.ndim if x.ndim else 0 for a in axes}
    empty_axis = any(x.shape[a] == 0 for a in gone if x.ndim)
    if empty_axis and which.identity is None and "initial" not in options:
        raise ValueError(
            f"zero-size array to reduction operation {which.__name__} which has no "
            "identity"
        )
    keepdims = options.get("keepdims", False)
    shape = tuple(
        1 if axis in gone else n
        for axis, n in enumerate(x.shape)
        if keepdims or axis not in gone
    )
    if out is not None and out[0] is not None:
        return check_out(which.reduce, inputs[:1], out, options, shape)
    one = np.ones(1, x.dtype)
    dtype = np.asarray(which.reduce(one, dtype=options.get("dtype"))).dtype
    result = empty(shape, dtype)
    if which is np.logical_and:
        np.copyto(result.view(np.ndarray), True)  # so that checks pass
    return result


def accumulate(which: Any, inputs: Any, out: Any, options: Any) -> Any:
    """Running totals."""
    x = inputs[0]
    if out is not None:
        return check_out(which.accumulate, inputs, out, options, x.shape)
    one = np.ones(1, x.dtype)
    return empty(x.shape, which.accumulate(one, dtype=options.get("dtype")).dtype)


def outer(which: Any, inputs: Any, out: Any, options: Any) -> Any:
    """A function of all pairs."""
    a, b = inputs
    return call(which, (a.reshape(*a.shape, *(1,) * b.ndim), b), out, options)


def at(which: Any, inputs: Any, out: Any, options: Any) -> None:
    """Changes at some places: nothing to do."""


def reduceat(which: Any, inputs: Any, out: Any, options: Any) -> Any:
    """Reductions of several parts."""
    return compute_on_zeros(which.reduceat, inputs, out, options)


UFUNCS.update(
    __call__=call, reduce=reduce, accumulate=accumulate, outer=outer, at=at,
    reduceat=reduceat,
)  # fmt: skip
