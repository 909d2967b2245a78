"""Compiled loops of `kernels/grid_sample.py`: bilinear sampling, image by image."""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.fast.bounds import require
from edutorch.kernels.fast.compiling import helper, kernel

__all__ = ["bilinear", "bilinear_backward"]


@helper
def _corners(
    rows: Any, columns: Any, high: int, wide: int, cells: Any, far: Any, w: Any
) -> None:
    """The four cells around each place of an image, -1 for those outside, and weights.

    `far` are the distances to the first row and the first column.
    Shape: (P), (P) -> cells (4, P), far (2, P), w (4, P)
    """
    for p in range(rows.size):
        top, left = np.floor(rows[p]), np.floor(columns[p])
        t, s = rows[p] - top, columns[p] - left
        u, v = w.dtype.type(1) - t, w.dtype.type(1) - s
        w[0, p], w[1, p], w[2, p], w[3, p] = u * v, u * s, t * v, t * s
        far[0, p], far[1, p] = t, s
        # Compared before they are whole numbers: those of large floats overflow.
        upper, lower = 0 <= top < high, -1 <= top < high - 1
        near, behind = 0 <= left < wide, -1 <= left < wide - 1
        i = int(top) * wide + int(left) if (upper or lower) and (near or behind) else 0
        cells[0, p] = i if upper and near else -1
        cells[1, p] = i + 1 if upper and behind else -1
        cells[2, p] = i + wide if lower and near else -1
        cells[3, p] = i + wide + 1 if lower and behind else -1


@helper
def _gather(plane: Any, cells: Any, w: Any, y: Any) -> None:
    """Weighted sums of four cells each."""
    for p in range(y.size):
        total = y.dtype.type(0)
        for k in range(4):
            i = cells[k, p]
            if i >= 0:
                total += plane[i] * w[k, p]
        y[p] = total


@helper
def _scatter(
    g: Any, plane: Any, cells: Any, far: Any, w: Any, gx: Any, g_row: Any, g_column: Any
) -> None:
    """Gradients of `_gather` added to those of the cells and of the places."""
    one = g.dtype.type(1)
    for p in range(g.size):
        t, s = far[0, p], far[1, p]
        for k in range(4):
            i = cells[k, p]
            if i >= 0:
                seen = g[p] * plane[i]
                gx[i] += g[p] * w[k, p]
                along = seen * (s if k % 2 else one - s)
                across = seen * (t if k > 1 else one - t)
                g_row[p] += along if k > 1 else -along
                g_column[p] += across if k % 2 else -across


@kernel("void(T[:,:,:,::1], T[:,::1], T[:,::1], T[:,:,::1])")
def bilinear(x: Any, rows: Any, columns: Any, y: Any) -> None:
    """Shape: (N, C, H, W), (N, P), (N, P) -> (N, C, P)."""
    require(len(x) == len(rows) and rows.shape == columns.shape)
    require(y.shape == (*x.shape[:2], rows.shape[1]))
    high, wide = x.shape[2:]
    cells = np.empty((4, rows.shape[1]), np.int64)
    far, w = (
        np.empty((2, rows.shape[1]), x.dtype),
        np.empty((4, rows.shape[1]), x.dtype),
    )
    for n in range(len(x)):
        _corners(rows[n], columns[n], high, wide, cells, far, w)
        for c in range(x.shape[1]):
            _gather(x[n, c].reshape(high * wide), cells, w, y[n, c])


@kernel(
    "void(T[:,:,::1], T[:,:,:,::1], T[:,::1], T[:,::1], T[:,:,:,::1], T[:,::1],"
    "T[:,::1])"
)
def bilinear_backward(
    g: Any, x: Any, rows: Any, columns: Any, gx: Any, g_rows: Any, g_columns: Any
) -> None:
    """Adds the gradients to gx, g_rows and g_columns."""
    require(len(x) == len(rows) and x.shape == gx.shape)
    require(rows.shape == columns.shape == g_rows.shape == g_columns.shape)
    require(g.shape == (*x.shape[:2], rows.shape[1]))
    high, wide = x.shape[2:]
    cells = np.empty((4, rows.shape[1]), np.int64)
    far, w = (
        np.empty((2, rows.shape[1]), x.dtype),
        np.empty((4, rows.shape[1]), x.dtype),
    )
    for n in range(len(x)):
        _corners(rows[n], columns[n], high, wide, cells, far, w)
        for c in range(x.shape[1]):
            plane, total = x[n, c].reshape(high * wide), gx[n, c].reshape(high * wide)
            _scatter(g[n, c], plane, cells, far, w, total, g_rows[n], g_columns[n])
