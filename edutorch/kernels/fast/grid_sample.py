"""Compiled loops of `kernels/grid_sample.py`: bilinear sampling."""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.fast.bounds import require
from edutorch.kernels.fast.compiling import helper, kernel

__all__ = ["bilinear", "bilinear_backward"]


@helper
def _corners(
    rows: Any,
    columns: Any,
    height: int,
    width: int,
    pixels: Any,
    fractions: Any,
    w: Any,
) -> None:
    """The four pixels around each position, -1 for those outside, and their weights.

    `fractions` are the distances from the upper left pixel, in rows and in columns.
    Shape: (P), (P) -> pixels (4, P), fractions (2, P), w (4, P)
    """
    for p in range(rows.size):
        row, column = np.floor(rows[p]), np.floor(columns[p])
        t, s = rows[p] - row, columns[p] - column
        u, v = w.dtype.type(1) - t, w.dtype.type(1) - s
        w[0, p], w[1, p], w[2, p], w[3, p] = u * v, u * s, t * v, t * s
        fractions[0, p], fractions[1, p] = t, s
        # Compared as floats, because large ones overflow as integers.
        upper, lower = 0 <= row < height, -1 <= row < height - 1
        left, right = 0 <= column < width, -1 <= column < width - 1
        inside = (upper or lower) and (left or right)
        i = int(row) * width + int(column) if inside else 0
        pixels[0, p] = i if upper and left else -1
        pixels[1, p] = i + 1 if upper and right else -1
        pixels[2, p] = i + width if lower and left else -1
        pixels[3, p] = i + width + 1 if lower and right else -1


@helper
def _gather(plane: Any, pixels: Any, w: Any, y: Any) -> None:
    """Weighted sums of four pixels each."""
    for p in range(y.size):
        total = y.dtype.type(0)
        for k in range(4):
            i = pixels[k, p]
            if i >= 0:
                total += plane[i] * w[k, p]
        y[p] = total


@helper
def _scatter(
    g: Any,
    plane: Any,
    pixels: Any,
    fractions: Any,
    w: Any,
    gx: Any,
    g_row: Any,
    g_column: Any,
) -> None:
    """Add the gradients of `_gather` to those of the pixels and of the positions."""
    one = g.dtype.type(1)
    for p in range(g.size):
        t, s = fractions[0, p], fractions[1, p]
        for k in range(4):
            i = pixels[k, p]
            if i >= 0:
                product = g[p] * plane[i]
                gx[i] += g[p] * w[k, p]
                g_down = product * (s if k % 2 else one - s)
                g_right = product * (t if k > 1 else one - t)
                g_row[p] += g_down if k > 1 else -g_down
                g_column[p] += g_right if k % 2 else -g_right


@kernel("void(T[:,:,:,::1], T[:,::1], T[:,::1], T[:,:,::1])")
def bilinear(x: Any, rows: Any, columns: Any, y: Any) -> None:
    """Sample every image at its positions, given as rows and columns.

    Shape: (N, C, H, W), (N, P), (N, P) -> (N, C, P)
    """
    require(len(x) == len(rows) and rows.shape == columns.shape)
    require(y.shape == (*x.shape[:2], rows.shape[1]))
    height, width = x.shape[2:]
    pixels = np.empty((4, rows.shape[1]), np.int64)
    fractions = np.empty((2, rows.shape[1]), x.dtype)
    w = np.empty((4, rows.shape[1]), x.dtype)
    for n in range(len(x)):
        _corners(rows[n], columns[n], height, width, pixels, fractions, w)
        for c in range(x.shape[1]):
            _gather(x[n, c].reshape(height * width), pixels, w, y[n, c])


@kernel(
    "void(T[:,:,::1], T[:,:,:,::1], T[:,::1], T[:,::1], T[:,:,:,::1], T[:,::1],"
    "T[:,::1])"
)
def bilinear_backward(
    g: Any, x: Any, rows: Any, columns: Any, gx: Any, g_rows: Any, g_columns: Any
) -> None:
    """Add the gradients to gx, g_rows and g_columns."""
    require(len(x) == len(rows) and x.shape == gx.shape)
    require(rows.shape == columns.shape == g_rows.shape == g_columns.shape)
    require(g.shape == (*x.shape[:2], rows.shape[1]))
    height, width = x.shape[2:]
    size = height * width
    pixels = np.empty((4, rows.shape[1]), np.int64)
    fractions = np.empty((2, rows.shape[1]), x.dtype)
    w = np.empty((4, rows.shape[1]), x.dtype)
    for n in range(len(x)):
        _corners(rows[n], columns[n], height, width, pixels, fractions, w)
        for c in range(x.shape[1]):
            plane, g_plane = x[n, c].reshape(size), gx[n, c].reshape(size)
            _scatter(
                g[n, c], plane, pixels, fractions, w, g_plane, g_rows[n], g_columns[n]
            )
