"""Normalisation of rows: the work of batch, layer, group and instance norm.

Batch norm normalises the rows of a (C, N S) matrix with one scale for each row,
layer norm those of a (N, D) matrix with one scale for each column. Both are the same
two functions; only the shape of the scale differs: (M, 1) or (D).

Reference: Ioffe, Szegedy (2015), "Batch normalization"; Ba, Kiros, Hinton (2016),
"Layer normalization".
"""

from __future__ import annotations

from math import prod
from typing import Any

from edutorch.kernels.lazy import array_module
from edutorch.kernels.rows import row_blocks, row_sums
from edutorch.kernels.windows import accumulator

__all__ = [
    "normalize_rows",
    "normalize_rows_backward",
    "normalize_rows_reference",
    "standardize_rows",
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

    A row is everything behind the first axis, in any order of memory; the result has
    the order of x. The variance is that of the centred row, so that a large mean
    costs no digits.

    Math: y = (x - mean) / sqrt(var + eps) w + b
    Shape: (M, *D), (M, 1) or (prod D) or None, the same -> (M, *D), (M), (M)
    """
    xp, dtype = array_module(x), accumulator(x.dtype)
    rows, width = x.shape[0], prod(x.shape[1:])
    y = xp.empty_like(x)
    mean, var = xp.empty(rows, dtype), xp.empty(rows, dtype)
    for block in row_blocks(rows, width):
        part = _matrix(x, block, dtype)
        mean[block] = row_sums(part) / width
        z = part - mean[block, None]
        var[block] = xp.vecdot(z, z) / width
        z *= (1 / xp.sqrt(var[block] + eps))[:, None]
        if w is not None:
            z *= w if w.ndim == 1 else w[block]
        if b is not None:
            z += b if b.ndim == 1 else b[block]
        y[block] = z.reshape(y[block].shape)
    return y, mean, var


def standardize_rows(x: Any, mean: Any, var: Any, eps: float) -> Any:
    """Rows minus their mean, over the root of their variance, both given.

    Math: z = (x - mean) / sqrt(var + eps)
    Shape: (M, *D), (M), (M) -> (M, *D)
    """
    column = (-1, *(1,) * (x.ndim - 1))
    scale = 1 / array_module(x).sqrt(var + eps)
    z = x.astype(mean.dtype, copy=False) - mean.reshape(column)
    z *= scale.reshape(column)
    return z.astype(x.dtype, copy=False)


def normalize_rows_backward(
    g: Any, x: Any, w: Any, mean: Any, var: Any, eps: float
) -> tuple[Any, Any, Any]:
    """Gradients of `normalize_rows` with respect to x, w and b.

    The gradients of w and b have the shape of w, or (M, 1) where w is None.

    Math: gx = (h - mean(h) - z mean(h z)) / sqrt(var + eps), z = normalised x, h = g w
          gw = sum g z      gb = sum g
    Shape: (M, *D), (M, *D), (M, 1) or (prod D) or None, (M), (M) -> as x, w and w
    """
    xp, dtype = array_module(x), accumulator(x.dtype)
    rows, width = x.shape[0], prod(x.shape[1:])
    gx = xp.empty_like(x)
    columns = w is not None and w.ndim == 1
    shape = (width,) if columns else (rows, 1)
    gw, gb = xp.zeros(shape, dtype), xp.zeros(shape, dtype)
    scale = (1 / xp.sqrt(var + eps))[:, None]
    for block in row_blocks(rows, width):
        h = _matrix(g, block, dtype)
        z = _matrix(x, block, dtype) - mean[block, None]
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
        gx[block] = _project(h, z, scale[block]).reshape(gx[block].shape)
    return gx, gw, gb


def _project(h: Any, z: Any, scale: Any) -> Any:
    """Remove from h what normalising hides: its mean and its share along z."""
    width = h.shape[1]
    gx = z * (array_module(h).vecdot(h, z) / -width)[:, None]
    gx += h
    gx -= (row_sums(h) / width)[:, None]
    gx *= scale
    return gx


def _matrix(x: Any, block: slice, dtype: Any) -> Any:
    """Some rows as a matrix; a copy where they do not lie in memory as one."""
    part = x[block]
    return part.reshape(len(part), prod(part.shape[1:])).astype(dtype, copy=False)
