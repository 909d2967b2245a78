"""Normalisation of rows, for batch, layer, group and instance norm.

Batch norm normalises the rows of a (C, N S) matrix with one scale for each row,
layer norm those of a (N, D) matrix with one scale for each column. Both are the same
two functions; only the shape of the scale differs: (M, 1) or (D).

Reference: Ioffe, Szegedy (2015), "Batch normalization"; Ba, Kiros, Hinton (2016),
"Layer normalization".
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from edutorch.backends.array_modules import array_module
from edutorch.config import kernel_path
from edutorch.kernels.compiled import CompiledKernels, materialized
from edutorch.kernels.gpu import softmax_norm as gpu
from edutorch.kernels.plain import norm as plain_norm
from edutorch.kernels.sliding_windows import accumulator
from edutorch.kernels.softmax import row_blocks
from edutorch.kernels.sums import blocked_row_dots, blocked_row_sums
from edutorch.kernels.thread_pool import BLOCKS, parallel_blocks

__all__ = [
    "channel_gradients",
    "normalize_channels",
    "normalize_channels_backward",
    "normalize_rows",
    "normalize_rows_backward",
]

MIN_SIZE = 2**8  # below this, looking up a kernel costs more than it saves
MIN_PLANE = 16  # contiguous numbers of a channel; fewer make too short a loop

_compiled = CompiledKernels("norm")


def normalize_rows(x: Any, w: Any, b: Any, eps: float) -> tuple[Any, Any, Any]:
    """Rows of mean 0 and variance 1, then scaled and shifted; with mean and variance.

    A row is everything after the first axis, in any memory order; the result has that
    of x. The variance is that of the centred row, so that a large mean costs no digits.

    Math: y = (x - mean) / sqrt(var + eps) w + b
    Shape: (M, *D), (M, 1) or (prod D) or None, the same -> (M, *D), (M), (M)
    """
    if (
        type(x) is not np.ndarray
        and (done := gpu.normalize_rows(x, w, b, eps)) is not None
    ):
        return done
    path = kernel_path()
    if path == "plain" and _plain_supports(x):
        return plain_norm.normalize_rows(x, w, b, eps)
    xp, dtype = array_module(x), accumulator(x.dtype)
    rows, width = x.shape[0], prod(x.shape[1:])
    run = _row_kernel("normalize_rows", w, x, b) if path == "compiled" else None
    if run is not None:
        return _compiled_rows(run, x, w, b, eps)
    y = xp.empty_like(x)
    mean, var = xp.empty(rows, dtype), xp.empty(rows, dtype)
    for block in row_blocks(rows, width):
        part = _matrix(x, block, dtype)
        mean[block] = blocked_row_sums(part) / width
        z = part - mean[block, None]
        var[block] = blocked_row_dots(z, z) / width
        scale = (1 / xp.sqrt(var[block] + eps))[:, None]
        z *= scale if w is None or w.ndim == 1 else scale * w[block]
        if w is not None and w.ndim == 1:
            z *= w
        if b is not None:
            z += b if b.ndim == 1 else b[block]
        y[block] = z.reshape(y[block].shape)
    return y, mean, var


def normalize_rows_backward(
    g: Any, x: Any, w: Any, mean: Any, var: Any, eps: float
) -> tuple[Any, Any, Any]:
    """Gradients of `normalize_rows` with respect to x, w and b.

    The gradients of w and b have the shape of w. Where w is None they are (M, 1), but
    the compiled kernel, whose scale lies along the rows, gives None.

    Math: gx = (h - mean(h) - z mean(h z)) / sqrt(var + eps), z = normalised x, h = g w
          gw = sum g z      gb = sum g
    Shape: (M, *D), (M, *D), (M, 1) or (prod D) or None, (M), (M) -> as x, w and w
    """
    if type(x) is not np.ndarray:
        found = gpu.normalize_rows_backward(g, x, w, mean, var, eps)
        if found is not None:
            return found
    path = kernel_path()
    if path == "plain" and _plain_supports(x):
        return plain_norm.normalize_rows_backward(g, x, w, mean, var, eps)
    xp, dtype, g = array_module(x), accumulator(x.dtype), materialized(g)
    rows, width = x.shape[0], prod(x.shape[1:])
    name = "normalize_rows_backward"
    run = _row_kernel(name, w, x, g) if path == "compiled" else None
    if run is not None:
        return _compiled_rows_backward(run, g, x, w, mean, var, eps)
    gx = xp.empty_like(x)
    columns = w is not None and w.ndim == 1
    shape = (width,) if columns else (rows, 1)
    gw, gb = xp.zeros(shape, dtype), xp.zeros(shape, dtype)
    scale = (1 / xp.sqrt(var + eps))[:, None]
    for block in row_blocks(rows, width):
        h = _matrix(g, block, dtype)
        z = _matrix(x, block, dtype) - mean[block, None]
        z *= scale[block]
        factor = scale[block]
        if columns:
            ones = xp.ones(len(h), dtype)  # see Note [Sums as products] in softmax.py
            gb += ones @ h
            gw += ones @ (h * z)
            h = h * w
        along, along_z = blocked_row_sums(h)[:, None], blocked_row_dots(h, z)[:, None]
        if not columns:
            gb[block], gw[block] = along, along_z
            factor = factor if w is None else factor * w[block]
        z *= along_z / -width  # z becomes gx: h without its projections on 1 and z
        z += h
        z -= along / width
        z *= factor
        gx[block] = z.reshape(gx[block].shape)
    return gx, gw, gb


def normalize_channels(x: Any, w: Any, b: Any, eps: float) -> tuple[Any, Any, Any]:
    """`normalize_rows` for channels, which are rows in pieces.

    Shape: (N, C, *S), (C) or None, the same -> (N, C, *S), (C), (C)
    """
    if type(x) is not np.ndarray:
        found = gpu.normalize_channels(x, w, b, eps)
        if found is not None:
            return found
    run = _channel_kernel("normalize_channels", x, w, b)
    if run is None:
        w, b = _column(w), _column(b)
        y, mean, var = normalize_rows(x.swapaxes(0, 1), w, b, eps)
        return y.swapaxes(0, 1), mean, var
    x3, channels = x.reshape(*x.shape[:2], -1), x.shape[1]
    w = np.ones(channels, x.dtype) if w is None else w
    b = np.zeros(channels, x.dtype) if b is None else b
    y = np.empty_like(x)
    y3 = y.reshape(x3.shape)
    mean, var = np.empty(channels, x.dtype), np.empty(channels, x.dtype)
    parallel_blocks(
        lambda p: run(x3, w, b, eps, y3, mean[p], var[p], p.start),
        channels,
        x.size / 5,
        uses_blas=False,
    )
    return y, mean, var


def normalize_channels_backward(
    g: Any, x: Any, w: Any, mean: Any, var: Any, eps: float
) -> tuple[Any, Any, Any]:
    """Gradients of `normalize_channels` with respect to x, w and b.

    Shape: (N, C, *S), (N, C, *S), (C) or None, (C), (C) -> (N, C, *S), (C), (C)
    """
    if type(x) is not np.ndarray:
        found = gpu.normalize_channels_backward(g, x, w, mean, var, eps)
        if found is not None:
            return found
    g = materialized(g)
    run = _channel_kernel("normalize_channels_backward", x, g, w)
    if run is None:
        rows, grads = x.swapaxes(0, 1), g.swapaxes(0, 1)
        column = _column(w)
        gx, gw, gb = normalize_rows_backward(grads, rows, column, mean, var, eps)
        gx = gx.swapaxes(0, 1)
        if gw is None:
            return gx, *channel_gradients(grads[None], rows[None], mean, var, eps)
        return gx, gw[:, 0], gb[:, 0]
    x3, channels = x.reshape(*x.shape[:2], -1), x.shape[1]
    gx = np.empty_like(x)  # returned itself, since a view would be copied into `.grad`
    g3, gx3 = g.reshape(x3.shape), gx.reshape(x3.shape)
    w = np.ones(channels, x.dtype) if w is None else w
    scale = (1 / np.sqrt(var + eps)).astype(x.dtype)
    gw, gb = np.empty(channels, x.dtype), np.empty(channels, x.dtype)

    def work(p: slice) -> None:
        run(g3, x3, w, mean, scale, gx3, gw[p], gb[p], p.start)

    parallel_blocks(work, channels, x.size / 2, uses_blas=False)
    return gx, gw, gb


def channel_gradients(
    g: Any, x: Any, mean: Any, var: Any, eps: float
) -> tuple[Any, Any]:
    """Gradients of a scale and a shift of channels, whose groups were normalised.

    Math: gw = sum g z = sum (sum g x - mean sum g) / sqrt(var + eps)      gb = sum g
    Shape: (N, C, *S), (N, C, *S), (N groups), (N groups) -> (C), (C)
    """
    xp, dtype, (n, c) = array_module(x), accumulator(x.dtype), x.shape[:2]
    shape = (n * c, prod(x.shape[2:]))
    x, g = (v.reshape(shape).astype(dtype, copy=False) for v in (x, materialized(g)))
    along, along_x = blocked_row_sums(g), blocked_row_dots(g, x)
    each = n * c // mean.size if mean.size else 1  # channels of a group
    mean, scale = (xp.repeat(v, each) for v in (mean, 1 / xp.sqrt(var + eps)))
    grads = (along_x - mean * along) * scale
    return grads.reshape(n, c).sum(0), along.reshape(n, c).sum(0)


def _plain_supports(x: Any) -> bool:
    """Whether `plain/` can compute this: float32 or float64, and not empty."""
    return bool(x.size) and x.dtype.char in "fd"


def _column(w: Any) -> Any:
    """Numbers of the channels as a column, one for each row."""
    return None if w is None else w.reshape(-1, 1)


def _channel_kernel(name: str, *arrays: Any) -> Any:
    x = arrays[0]
    if x.size < MIN_SIZE or prod(x.shape[2:]) < MIN_PLANE:
        return None
    return _compiled.find(name, *[a for a in arrays if a is not None])


def _row_kernel(name: str, w: Any, *arrays: Any) -> Any:
    """The kernel for matrices whose scale, if there is one, lies along the rows."""
    x = arrays[0]
    if x.ndim != 2 or x.size < MIN_SIZE or (w is not None and w.ndim != 1):
        return None
    return _compiled.lookup(name, *[a for a in (*arrays, w) if a is not None])


def _compiled_rows(
    run: Any, x: Any, w: Any, b: Any, eps: float
) -> tuple[Any, Any, Any]:
    rows, width = x.shape
    w = np.ones(width, x.dtype) if w is None else w
    b = np.zeros(width, x.dtype) if b is None else b
    y, mean, var = np.empty_like(x), np.empty(rows, x.dtype), np.empty(rows, x.dtype)
    parallel_blocks(
        lambda p: run(x[p], w, b, eps, y[p], mean[p], var[p]),
        rows,
        x.size / 5,
        uses_blas=False,
    )
    return y, mean, var


def _compiled_rows_backward(
    run: Any, g: Any, x: Any, w: Any, mean: Any, var: Any, eps: float
) -> tuple[Any, Any, Any]:
    rows, width = x.shape
    scale = (1 / np.sqrt(var + eps)).astype(x.dtype)
    factor = np.ones(width, x.dtype) if w is None else w
    gx = np.empty_like(x)
    if w is None:
        gw, gb = np.zeros((2, width), x.dtype)
        run(g, x, factor, mean, scale, gx, gw, gb)
        return gx, None, None
    step = -(-rows // BLOCKS)  # as parallel_blocks: every block has its own sums
    parts = np.zeros((2, BLOCKS, width), x.dtype)

    def work(p: slice) -> None:
        block = p.start // step
        gw, gb = parts[:, block]
        run(g[p], x[p], factor, mean[p], scale[p], gx[p], gw, gb)

    parallel_blocks(work, rows, x.size / 3.5, uses_blas=False)
    gw, gb = parts.sum(axis=1)
    return gx, gw, gb


def _matrix(x: Any, block: slice, dtype: Any) -> Any:
    """Some rows as a matrix; a copy where they do not lie in memory as one."""
    part = x[block]
    return part.reshape(len(part), prod(part.shape[1:])).astype(dtype, copy=False)
