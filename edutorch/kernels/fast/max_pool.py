"""Compiled loops of `kernels/max_pool.py`, plane by plane.

A plane has three spatial dimensions; those that an image or a line lacks have size 1.
`geometry` holds kernel, stride, padding and dilation, one row each. Taps are numbered
row by row, and `winner` has one for each window: the number of taps where the window
has no cell.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.fast.bounds import require
from edutorch.kernels.fast.compiling import helper, kernel

__all__ = ["max_pool_2x2", "max_pool_backward", "max_pool_channels_last"]


@helper
def _improve(cells: Any, t: int, best: Any, won: Any) -> int:
    """Compare tap t of some windows with the best so far: larger cells win.

    Written without branches, which random numbers would mislead. Returns whether there
    is a nan: then `_improve_with_nan` must decide.
    """
    bad = 0
    for j in range(best.size):
        v = cells[j]
        bad |= v != v
        more = np.int32(v > best[j])
        best[j] = max(best[j], v)
        won[j] += more * (np.int32(t) - won[j])
    return bad


@helper
def _improve_with_nan(cells: Any, t: int, unset: int, best: Any, won: Any) -> None:
    """As PyTorch scans: a first cell always wins, and so does the latest nan."""
    for j in range(best.size):
        v = cells[j]
        if v > best[j] or v != v or won[j] == unset:
            best[j], won[j] = v, t


@helper
def _largest_of_four(above: Any, below: Any, best: Any, winner: Any) -> int:
    """Windows of 2 x 2 cells side by side in two rows, the first of equal cells wins.

    Written without branches, as `_improve`. Returns whether there may be a nan.
    """
    bad = 0
    for j in range(best.size):
        a, b, c, d = above[2 * j], above[2 * j + 1], below[2 * j], below[2 * j + 1]
        total = (a + b) + (c + d)
        bad |= total != total
        upper, lower = max(a, b), max(c, d)
        t, u = np.int32(b > a), np.int32(2) + np.int32(d > c)
        best[j] = max(upper, lower)
        winner[j] = t + np.int32(lower > upper) * (u - t)
    return bad


@helper
def _largest_with_nan(above: Any, below: Any, best: Any, winner: Any) -> None:
    """`_largest_of_four` where there is a nan: the latest one wins."""
    for j in range(best.size):
        v, t = above[2 * j], 0
        for k in range(1, 4):
            u = (above if k < 2 else below)[2 * j + k % 2]
            if u > v or u != u:
                v, t = u, k
        best[j], winner[j] = v, t


@helper
def _store(won: Any, unset: int, winner: Any) -> bool:
    """Keep who won; whether each window has a winner."""
    missing = 0
    for j in range(won.size):
        missing |= won[j] == unset
        winner[j] = won[j]
    return missing == 0


@helper
def _pool_cell(
    x: Any, place: Any, geometry: Any, careful: bool, best: Any, won: Any
) -> int:
    """The window at a place. Shape: (D, H, W, C) -> (C), (C)."""
    kernel, stride = geometry[0], geometry[1]
    padding, dilation = geometry[2], geometry[3]
    i, j, k = place
    unset = kernel[0] * kernel[1] * kernel[2]
    best[:] = -np.inf
    won[:] = unset
    t, bad = -1, 0
    for a in range(kernel[0]):
        d = i * stride[0] - padding[0] + a * dilation[0]
        for b in range(kernel[1]):
            h = j * stride[1] - padding[1] + b * dilation[1]
            for c in range(kernel[2]):
                w = k * stride[2] - padding[2] + c * dilation[2]
                t += 1
                if 0 <= d < x.shape[0] and 0 <= h < x.shape[1] and 0 <= w < x.shape[2]:
                    if careful:
                        _improve_with_nan(x[d, h, w], t, unset, best, won)
                    else:
                        bad |= _improve(x[d, h, w], t, best, won)
    return bad


@helper
def _offsets(kernel: Any, dilation: Any, high: int, wide: int) -> Any:
    """How far each tap lies behind the first, in cells of the flattened plane."""
    offsets, t = np.empty(kernel[0] * kernel[1] * kernel[2], np.int64), 0
    for a in range(kernel[0]):
        for b in range(kernel[1]):
            for c in range(kernel[2]):
                row = a * dilation[0] * high + b * dilation[1]
                offsets[t] = row * wide + c * dilation[2]
                t += 1
    return offsets


@helper
def _scatter_row(
    g: Any, winner: Any, begin: int, step: int, offsets: Any, plane: Any
) -> None:
    """Windows of a row in a plane of single cells. Shape: (W') twice -> (cells)."""
    for k in range(g.size):
        t = winner[k]
        if t < offsets.size:
            cell = begin + k * step + offsets[t]
            if 0 <= cell < plane.size:
                plane[cell] += g[k]


@helper
def _scatter_cells(
    g: Any, winner: Any, begin: int, step: int, offsets: Any, plane: Any
) -> None:
    """As `_scatter_row` with channels. Shape: (W', C) twice -> (cells, C)."""
    for k in range(g.shape[0]):
        for c in range(g.shape[1]):
            t = winner[k, c]
            if t < offsets.size:
                cell = begin + k * step + offsets[t]
                if 0 <= cell < plane.shape[0]:
                    plane[cell, c] += g[k, c]


@kernel("void(T[:,:,::1], T[:,:,::1], uint8[:,:,::1])")
def max_pool_2x2(x: Any, y: Any, winner: Any) -> None:
    """Squares of 2 x 2 cells side by side. Shape: (P, H, W) -> (P, H/2, W/2) twice."""
    require(y.shape == winner.shape and len(x) == len(y))
    require(x.shape[1] // 2 == y.shape[1] and x.shape[2] // 2 == y.shape[2])
    for p in range(len(x)):
        for i in range(y.shape[1]):
            above, below = x[p, 2 * i], x[p, 2 * i + 1]
            if _largest_of_four(above, below, y[p, i], winner[p, i]):
                _largest_with_nan(above, below, y[p, i], winner[p, i])


@kernel("void(T[:,:,:,:,::1], T[:,:,:,:,::1], uint8[:,:,:,:,::1], int64[:,::1])")
def max_pool_channels_last(x: Any, y: Any, winner: Any, geometry: Any) -> None:
    """Shape: (P, D, H, W, C) -> (P, D', H', W', C) twice."""
    require(y.shape == winner.shape and geometry.shape == (4, 3))
    require(len(x) == len(y) and x.shape[4] == y.shape[4])
    unset = geometry[0, 0] * geometry[0, 1] * geometry[0, 2]
    won = np.empty(y.shape[4], np.int32)
    for p in range(len(x)):
        for i in range(y.shape[1]):
            for j in range(y.shape[2]):
                for k in range(y.shape[3]):
                    best, cell, place = y[p, i, j, k], winner[p, i, j, k], (i, j, k)
                    bad = _pool_cell(x[p], place, geometry, False, best, won)
                    if not _store(won, unset, cell) or bad:
                        _pool_cell(x[p], place, geometry, True, best, won)
                        _store(won, unset, cell)


@kernel("void(T[:,:,:,:,::1], uint8[:,:,:,:,::1], T[:,:,:,:,::1], int64[:,::1])")
def max_pool_backward(g: Any, winner: Any, gx: Any, geometry: Any) -> None:
    """Each g added at the cell that won; gx may hold anything before.

    Shape: (P, D', H', W', C) twice -> (P, D, H, W, C)
    """
    require(g.shape == winner.shape and geometry.shape == (4, 3))
    require(len(g) == len(gx) and g.shape[4] == gx.shape[4])
    stride, padding = geometry[1], geometry[2]
    deep, high, wide, channels = gx.shape[1:]
    cells, windows = deep * high * wide, g.shape[1] * g.shape[2] * g.shape[3]
    offsets = _offsets(geometry[0], geometry[3], high, wide)
    for p in range(len(g)):
        plane = gx[p].reshape(cells, channels)
        values = g[p].reshape(windows, channels)
        names = winner[p].reshape(windows, channels)
        plane[:] = 0
        if channels == 1:
            line, ones = plane.reshape(cells), values.reshape(windows)
            won = names.reshape(windows)
        for row in range(g.shape[1] * g.shape[2]):
            d = row // g.shape[2] * stride[0] - padding[0]
            h = row % g.shape[2] * stride[1] - padding[1]
            begin = (d * high + h) * wide - padding[2]
            first, last = row * g.shape[3], (row + 1) * g.shape[3]
            if channels == 1:
                _scatter_row(
                    ones[first:last], won[first:last], begin, stride[2], offsets, line
                )
            else:
                _scatter_cells(
                    values[first:last],
                    names[first:last],
                    begin,
                    stride[2],
                    offsets,
                    plane,
                )
