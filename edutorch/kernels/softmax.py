"""Softmax and log-softmax along one axis, and cross entropy by rows.

Along the last axis, rows are processed in blocks, so that repeated passes over a block
read it from the cache.

# Note [Sums as products]
`x @ ones` adds rows several times faster than `np.add.reduce`, because BLAS uses SIMD
registers. Rows are short enough that the order of the additions does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np

from edutorch.backends.array_modules import array_module, reduce_with
from edutorch.config import kernel_path
from edutorch.kernels.compiled import CompiledKernels, materialized
from edutorch.kernels.gpu import softmax_norm as gpu
from edutorch.kernels.plain import softmax as plain_softmax
from edutorch.kernels.sliding_windows import accumulator
from edutorch.kernels.thread_pool import parallel_blocks

__all__ = [
    "check_labels",
    "cross_entropy_rows",
    "cross_entropy_rows_backward",
    "log_softmax",
    "log_softmax_backward",
    "logsumexp",
    "row_blocks",
    "row_max",
    "row_sums",
    "softmax",
    "softmax_backward",
]

# Numbers in a block of rows: 256 KB of float32, so that two or three such arrays
# stay in the L2 cache.
BLOCK = 2**16
MIN_SIZE = 2**12  # below this, the number of calls dominates
INT64, UINT64 = np.dtype(np.int64), np.dtype(np.uint64)
MAX_NARROW_COLUMNS = 32  # up to this width, rows are summed faster when transposed

_compiled = CompiledKernels("softmax")


def row_blocks(rows: int, width: int) -> Iterator[slice]:
    """Slices over `rows` rows of `width` numbers, each small enough for the cache.

    Example:
        >>> [(s.start, s.stop) for s in row_blocks(5, 2**15)]
        [(0, 2), (2, 4), (4, 6)]
    """
    step = max(1, BLOCK // max(1, width))
    for start in range(0, rows, step):
        yield slice(start, start + step)


def row_sums(x: Any) -> Any:
    """Sum of each row, see Note [Sums as products].

    Shape: (M, D) -> (M)
    """
    if x.dtype.kind != "f" or x.dtype.itemsize < 4:
        return array_module(x).add.reduce(x, axis=-1)
    return x.dot(array_module(x).ones(x.shape[-1], x.dtype))


def row_max(x: Any) -> Any:
    """Largest value of each row; nan wins.

    `argmax` is vectorised where `max` along the last axis is not.

    Shape: (M, D) -> (M)
    """
    xp = array_module(x)
    if x.dtype.kind != "f" or x.size < MIN_SIZE:
        return reduce_with(np.maximum, x, -1)
    return x[xp.arange(x.shape[0]), xp.argmax(x, axis=-1)]


def softmax(x: Any, axis: int) -> Any:
    """Exponentials along `axis`, scaled to add up to 1.

    Math: y_i = exp(x_i - m) / sum_j exp(x_j - m), m = max_j x_j
    Shape: (*) -> (*)

    Example:
        >>> softmax(np.array([0.0, np.log(3.0)]), 0)
        array([0.25, 0.75])
    """
    if type(x) is not np.ndarray and (done := gpu.softmax(x, axis)) is not None:
        return done
    path = kernel_path()
    if path == "plain" and _plain_supports(x):
        return plain_softmax.softmax(x, axis)
    y = _compiled_rows("softmax", axis, x) if path == "compiled" else None
    return _apply_blockwise(_softmax_block, axis, x) if y is None else y


def _softmax_block(x: Any, axis: int, out: Any) -> None:
    xp = array_module(x)
    xp.subtract(x, _max(x, axis), out=out)
    xp.exp(out, out=out)
    out /= _sum(out, axis)


def softmax_backward(g: Any, y: Any, axis: int) -> Any:
    """Gradient of `softmax`, from its result y.

    Math: gx = y (g - sum_j g_j y_j)
    Shape: (*), (*) -> (*)
    """
    if (
        type(y) is not np.ndarray
        and (done := gpu.softmax_backward(g, y, axis)) is not None
    ):
        return done
    path = kernel_path()
    if path == "plain" and _plain_supports(g):
        return plain_softmax.softmax_backward(g, y, axis)
    gx = _compiled_rows("softmax_backward", axis, g, y) if path == "compiled" else None
    return _apply_blockwise(_softmax_backward_block, axis, g, y) if gx is None else gx


def _softmax_backward_block(g: Any, y: Any, axis: int, out: Any) -> None:
    xp = array_module(g)
    if xp is np and _are_rows(g, axis):  # CuPy has no vecdot
        total = np.vecdot(g, y)[:, None]
    else:
        total = xp.add.reduce(g * y, axis=axis, keepdims=True)
    xp.subtract(g, total, out=out)
    out *= y


def log_softmax(x: Any, axis: int) -> Any:
    """Logarithm of the softmax, without forming it.

    Math: y_i = x_i - m - log sum_j exp(x_j - m), m = max_j x_j
    Shape: (*) -> (*)
    """
    if type(x) is not np.ndarray and (done := gpu.log_softmax(x, axis)) is not None:
        return done
    path = kernel_path()
    if path == "plain" and _plain_supports(x):
        return plain_softmax.log_softmax(x, axis)
    y = _compiled_rows("log_softmax", axis, x) if path == "compiled" else None
    return _apply_blockwise(_log_softmax_block, axis, x) if y is None else y


def _log_softmax_block(x: Any, axis: int, out: Any) -> None:
    xp = array_module(x)
    xp.subtract(x, _max(x, axis), out=out)
    out -= xp.log(_sum(xp.exp(out), axis))


def log_softmax_backward(g: Any, y: Any, axis: int) -> Any:
    """Gradient of `log_softmax`, from its result y.

    Math: gx = g - exp(y) sum_j g_j
    Shape: (*), (*) -> (*)
    """
    if (
        type(y) is not np.ndarray
        and (done := gpu.log_softmax_backward(g, y, axis)) is not None
    ):
        return done
    path = kernel_path()
    if path == "plain" and _plain_supports(g):
        return plain_softmax.log_softmax_backward(g, y, axis)
    gx = (
        _compiled_rows("log_softmax_backward", axis, g, y)
        if path == "compiled"
        else None
    )
    return (
        _apply_blockwise(_log_softmax_backward_block, axis, g, y) if gx is None else gx
    )


def _log_softmax_backward_block(g: Any, y: Any, axis: int, out: Any) -> None:
    xp = array_module(g)
    xp.exp(y, out=out)
    out *= _sum(g, axis)
    xp.subtract(g, out, out=out)


def logsumexp(x: Any, axis: tuple[int, ...], keepdims: bool = False) -> Any:
    """Logarithm of the sum of exponentials; infinite maxima are left as they are.

    Math: y = m + log sum_j exp(x_j - m), m = max_j x_j
    Shape: (*) -> (*) without `axis`
    """
    xp = array_module(x)
    most = xp.max(x, axis=axis, keepdims=True)
    shift = xp.where(xp.abs(most) == np.inf, x.dtype.type(0), most)
    total = xp.add.reduce(xp.exp(x - shift), axis=axis, keepdims=True)
    with np.errstate(divide="ignore"):  # log 0 = -inf: all of x is -inf
        y = xp.log(total) + shift
    return y if keepdims else xp.squeeze(y, axis)


def cross_entropy_rows(x: Any, target: Any) -> tuple[Any, Any]:
    """Negative log likelihood of class target[i] under softmax(x[i]), for each row.

    Returns the losses, and (m, s) of each row, which the backward needs. They are not
    combined, as m + log s would lose digits of log s if m is large.

    Math: loss_i = log s_i - (x[i, target_i] - m_i)
          m_i = max_j x_ij, s_i = sum_j exp(x_ij - m_i)
    Shape: (M, C), (M) -> (M), (2, M)
    """
    if type(x) is not np.ndarray and (done := gpu.cross_entropy(x, target)) is not None:
        return done
    path = kernel_path()
    if path == "plain" and _plain_supports(x):
        return plain_softmax.cross_entropy_rows(x, target)
    xp = array_module(x)
    by_kernel = x.size and path == "compiled"
    values = x if x.dtype.char in "fd" else x.astype(accumulator(x.dtype))
    run = _compiled.lookup("cross_entropy", values) if by_kernel else None
    if run is not None:
        losses = np.empty(len(x), values.dtype)
        most, total = sums = np.empty((2, len(x)), values.dtype)
        _run_on_rows(run, x.size, values, _int64_labels(target), most, total, losses)
        return losses if values is x else losses.astype(x.dtype), sums
    sums = xp.empty((2, len(x)), values.dtype)
    for block in row_blocks(*x.shape):
        _exp_sums(values[block], sums[:, block])
    losses = xp.log(sums[1])
    losses -= values[xp.arange(len(x)), target] - sums[0]
    return losses.astype(x.dtype, copy=False), sums


def check_labels(target: Any, classes: int) -> None:
    """Refuse labels that are not classes: they may have changed since the forward.

    As numbers without a sign, those below 0 are too large as well.

    Raises:
        IndexError: naming one of them.
    """
    if target.size and target.astype(UINT64, copy=False).max() >= classes:
        wrong = target[(target < 0) | (target >= classes)][0]
        raise IndexError(f"Target {wrong} is out of bounds.")


def _int64_labels(target: Any) -> Any:
    """Class indices as compiled kernels take them."""
    if target.dtype is INT64 and target.flags.carray:
        return target
    return np.array(target, INT64)


def _run_on_rows(run: Any, numbers: int, *arrays: Any) -> None:
    """Run a kernel on arrays of as many rows: all at once if there are few numbers."""
    if numbers < BLOCK:
        run(*arrays)
    else:
        n = len(arrays[0])
        parallel_blocks(
            lambda p: run(*[a[p] for a in arrays]), n, numbers / 4, uses_blas=False
        )


def _exp_sums(x: Any, out: Any) -> None:
    """Largest number of each row, and the sum of exponentials below it."""
    xp = array_module(x)
    if x.shape[1] <= MAX_NARROW_COLUMNS:
        columns = xp.ascontiguousarray(x.T)
        most = reduce_with(np.maximum, columns, 0)
        out[1] = xp.add.reduce(xp.exp(columns - most), axis=0)
    else:
        most = row_max(x)
        out[1] = row_sums(xp.exp(x - most[:, None]))
    out[0] = most


def cross_entropy_rows_backward(g: Any, x: Any, sums: Any, target: Any) -> Any:
    """Gradient of the losses of `cross_entropy_rows` with respect to x.

    Math: gx_ij = g_i (exp(x_ij - m_i) / s_i - [j = target_i])
    Shape: (M) or (), (M, C), (2, M), (M) -> (M, C)
    """
    if type(x) is not np.ndarray:
        gx = gpu.cross_entropy_backward(g, x, sums, target)
        if gx is not None:
            return gx
    path = kernel_path()
    if path == "plain" and _plain_supports(x):
        check_labels(target, x.shape[1])
        return plain_softmax.cross_entropy_rows_backward(g, x, sums, target)
    xp = array_module(x)
    most, total = sums
    g = g.astype(total.dtype, copy=False)
    gx = xp.empty(x.shape, total.dtype)
    by_kernel = x.size and path == "compiled"
    run = _compiled.lookup("cross_entropy_backward", x, total) if by_kernel else None
    if run is not None:
        each = np.empty_like(total)
        each[...] = g
        try:
            _run_on_rows(run, x.size, x, _int64_labels(target), most, total, each, gx)
        except IndexError:
            check_labels(target, x.shape[1])
            raise
        return gx
    check_labels(target, x.shape[1])
    scale = g / total  # (M)
    for block in row_blocks(*x.shape):
        part = xp.subtract(x[block], most[block, None], out=gx[block])
        xp.exp(part, out=part)
        part *= scale[block, None]
    gx[xp.arange(len(x)), target] -= g
    return gx.astype(x.dtype, copy=False)


def _plain_supports(x: Any) -> bool:
    """Whether `plain/` can compute this: float32 or float64, and not empty."""
    return bool(x.size and x.ndim and x.dtype.char in "fd")


def _compiled_rows(name: str, axis: int, *arrays: Any) -> Any:
    """The result of a compiled kernel along the last axis, or None without one."""
    x = arrays[0]
    if x.size == 0 or x.ndim == 0 or axis % x.ndim < x.ndim - 1:
        return None
    first, *others = arrays
    arrays = (materialized(first), *others)
    run = _compiled.lookup(name, *arrays)
    if run is None:
        return None
    y = np.empty_like(arrays[0])
    _run_on_rows(run, x.size, *[a.reshape(-1, x.shape[-1]) for a in (*arrays, y)])
    return y


def _apply_blockwise(block: Any, axis: int, *arrays: Any) -> Any:
    """Run `block` over the arrays: on blocks of rows where `axis` is the last one."""
    x = arrays[0]
    xp = array_module(x)
    dtype = accumulator(x.dtype)
    if x.ndim == 0 or x.size == 0:
        return _apply_unblocked(block, 0, arrays, dtype)
    if axis % x.ndim < x.ndim - 1 or not all(a.flags.c_contiguous for a in arrays):
        return _apply_unblocked(block, axis, arrays, dtype)
    rows, width = prod(x.shape[:-1]), x.shape[-1]
    y = xp.empty((rows, width), dtype)
    arrays = tuple(a.reshape(rows, width) for a in arrays)
    for part in row_blocks(rows, width):
        block(*(a[part].astype(dtype, copy=False) for a in arrays), 1, y[part])
    return y.reshape(x.shape).astype(x.dtype, copy=False)


def _apply_unblocked(block: Any, axis: int, arrays: tuple[Any, ...], dtype: Any) -> Any:
    x, *others = (array_module(a).atleast_1d(a).astype(dtype) for a in arrays)
    y = array_module(x).empty(x.shape, x.dtype)  # in rows, in any memory order of x
    if x.size:
        block(x, *others, axis, y)
    return y.reshape(arrays[0].shape).astype(arrays[0].dtype, copy=False)


def _are_rows(x: Any, axis: int) -> bool:
    return bool(x.ndim == 2 and axis == 1)


def _sum(x: Any, axis: int) -> Any:
    if _are_rows(x, axis):
        return row_sums(x)[:, None]
    return array_module(x).add.reduce(x, axis=axis, keepdims=True)


def _max(x: Any, axis: int) -> Any:
    if _are_rows(x, axis):
        return row_max(x)[:, None]
    return array_module(x).max(x, axis=axis, keepdims=True)
