"""Normalisation of rows: the work of batch, layer, group and instance norm.

Batch norm normalises the rows of a (C, N S) matrix with one scale for each row,
layer norm those of a (N, D) matrix with one scale for each column. Both are the same
two functions; only the shape of the scale differs: (M, 1) or (D).

Reference: Ioffe, Szegedy (2015), "Batch normalization"; Ba, Kiros, Hinton (2016),
"Layer normalization".
"""

from __future__ import annotations

from typing import Any

from edutorch.kernels.lazy import array_module
from edutorch.kernels.rows import row_blocks, row_sums
from edutorch.kernels.windows import accumulator

__all__ = [
    "normalize_rows",
    "normalize_rows_backward",
    "normalize_rows_reference",
    "scale_rows",
]


def normalize_rows_reference(
    x: Any, w: Any, b: Any, eps: float
) -> tuple[Any, Any, Any]:
    """`normalize_rows` as its formula reads.

    Shape: (M, D), (M, 1) or (D), the same -> (M, D), (M), (M)
    """
    mean = x.mean(axis=1, keepdims=True)
    var = x.var(axis=1, keepdims=True)
    y = (x - mean) / (var + eps) ** 0.5
    y = y if w is None else y * w
    y = y if b is None else y + b
    return y, mean[:, 0], var[:, 0]


def normalize_rows(x: Any, w: Any, b: Any, eps: float) -> tuple[Any, Any, Any]:
    """Rows of mean 0 and variance 1, then scaled and shifted; with mean and variance.

    The variance is that of the centred row, so a large mean costs no digits.

    Math: y = (x - mean) / sqrt(var + eps) w + b
    Shape: (M, D), (M, 1) or (D) or None, the same -> (M, D), (M), (M)
    """
    xp = array_module(x)
    rows, width = x.shape
    dtype = accumulator(x.dtype)
    y = xp.empty((rows, width), dtype)
    mean, var = xp.empty(rows, dtype), xp.empty(rows, dtype)
    for block in row_blocks(rows, width):
        part, out = x[block].astype(dtype, copy=False), y[block]
        mean[block] = row_sums(part) / width
        xp.subtract(part, mean[block, None], out=out)
        var[block] = xp.vecdot(out, out) / width
        out *= (1 / xp.sqrt(var[block] + eps))[:, None]
        _scale(out, w, b, block)
    return y.astype(x.dtype, copy=False), mean, var


def scale_rows(x: Any, mean: Any, var: Any, w: Any, b: Any, eps: float) -> Any:
    """`normalize_rows` with a given mean and variance for each row.

    Math: y = (x - mean) / sqrt(var + eps) w + b
    Shape: (M, D), (M), (M), (M, 1) or (D) or None, the same -> (M, D)
    """
    xp = array_module(x)
    dtype = accumulator(x.dtype)
    y = xp.empty(x.shape, dtype)
    scale = (1 / xp.sqrt(var.astype(dtype) + eps))[:, None]
    for block in row_blocks(*x.shape):
        out = y[block]
        xp.subtract(x[block], mean[block, None], out=out)
        out *= scale[block]
        _scale(out, w, b, block)
    return y.astype(x.dtype, copy=False)


def normalize_rows_backward(
    g: Any, x: Any, w: Any, mean: Any, var: Any, eps: float
) -> tuple[Any, Any, Any]:
    """Gradients of `normalize_rows` with respect to x, w and b.

    The gradients of w and b have the shape of w, or (M, 1) where w is None.

    Math: gx = (h - mean(h) - z mean(h z)) / sqrt(var + eps), z = normalised x, h = g w
          gw = sum g z      gb = sum g
    Shape: (M, D), (M, D), (M, 1) or (D) or None, (M), (M) -> (M, D), like w, like w
    """
    xp = array_module(x)
    rows, width = x.shape
    dtype = accumulator(x.dtype)
    gx = xp.empty((rows, width), dtype)
    columns = w is not None and w.ndim == 1
    shape = (width,) if columns else (rows, 1)
    gw, gb = xp.zeros(shape, dtype), xp.zeros(shape, dtype)
    scale = (1 / xp.sqrt(var.astype(dtype) + eps))[:, None]
    for block in row_blocks(rows, width):
        h = g[block].astype(dtype, copy=False)
        z = x[block] - mean[block, None]
        z *= scale[block]
        if columns:
            ones = xp.ones(len(h), dtype)  # see Note [Sums as products] in rows.py
            gb += ones @ h
            gw += ones @ (h * z)
            h = h * w
        else:
            gb[block, 0] = row_sums(h)
            gw[block, 0] = xp.vecdot(h, z)
            if w is not None:
                h = h * w[block]
        _project(h, z, scale[block], gx[block])
    return gx.astype(x.dtype, copy=False), gw, gb


def _project(h: Any, z: Any, scale: Any, out: Any) -> None:
    """Remove from h what normalising hides: its mean and its share along z."""
    xp = array_module(h)
    width = h.shape[1]
    xp.multiply(z, (xp.vecdot(h, z) / -width)[:, None], out=out)
    out += h
    out -= (row_sums(h) / width)[:, None]
    out *= scale


def _scale(y: Any, w: Any, b: Any, block: slice) -> None:
    if w is not None:
        y *= w if w.ndim == 1 else w[block]
    if b is not None:
        y += b if b.ndim == 1 else b[block]
