"""Compiled loops of `kernels/max_pool.py`.

Planes have three spatial dimensions, of which some may have size 1. The rows of
`geometry` are kernel, stride, padding and dilation. The taps of a window are numbered
row by row; `argmax` has the tap of each window's maximum, or the number of taps if the
window lies in the padding.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.fast.bounds import require
from edutorch.kernels.fast.compiling import helper, kernel

__all__ = ["max_pool_2x2", "max_pool_backward", "max_pool_channels_last"]


@helper
def _update_max(elements: Any, t: int, best: Any, best_tap: Any) -> int:
    """Update the maxima of some windows with tap t.

    There are no branches, because random numbers make them unpredictable. Returns
    whether there is a nan; then `_update_max_with_nan` has to be used.
    """
    has_nan = 0
    for j in range(best.size):
        v = elements[j]
        has_nan |= v != v
        more = np.int32(v > best[j])
        best[j] = max(best[j], v)
        best_tap[j] += more * (np.int32(t) - best_tap[j])
    return has_nan


@helper
def _update_max_with_nan(
    elements: Any, t: int, no_tap: int, best: Any, best_tap: Any
) -> None:
    """In PyTorch's order: the first element always counts, and so does the last nan."""
    for j in range(best.size):
        v = elements[j]
        if v > best[j] or v != v or best_tap[j] == no_tap:
            best[j], best_tap[j] = v, t


@helper
def _max_of_four(above: Any, below: Any, best: Any, argmax: Any) -> int:
    """Maxima of adjacent 2 x 2 windows in two rows; of equal elements, the first.

    There are no branches, as in `_update_max`. Returns whether there may be a nan.
    """
    has_nan = 0
    for j in range(best.size):
        a, b, c, d = above[2 * j], above[2 * j + 1], below[2 * j], below[2 * j + 1]
        total = (a + b) + (c + d)
        has_nan |= total != total
        upper, lower = max(a, b), max(c, d)
        t, u = np.int32(b > a), np.int32(2) + np.int32(d > c)
        best[j] = max(upper, lower)
        argmax[j] = t + np.int32(lower > upper) * (u - t)
    return has_nan


@helper
def _max_of_four_with_nan(above: Any, below: Any, best: Any, argmax: Any) -> None:
    """`_max_of_four` if there is a nan: the last one is the maximum."""
    for j in range(best.size):
        v, t = above[2 * j], 0
        for k in range(1, 4):
            u = (above if k < 2 else below)[2 * j + k % 2]
            if u > v or u != u:
                v, t = u, k
        best[j], argmax[j] = v, t


@helper
def _store_argmax(best_tap: Any, no_tap: int, argmax: Any) -> bool:
    """Copy the taps, as bytes; returns whether every window has one."""
    missing = 0
    for j in range(best_tap.size):
        missing |= best_tap[j] == no_tap
        argmax[j] = best_tap[j]
    return missing == 0


@helper
def _max_of_window(
    x: Any, window: Any, geometry: Any, with_nan: bool, best: Any, best_tap: Any
) -> int:
    """The maximum and its tap, for one window: (D, H, W, C) -> (C), (C)."""
    kernel, stride = geometry[0], geometry[1]
    padding, dilation = geometry[2], geometry[3]
    i, j, k = window
    no_tap = kernel[0] * kernel[1] * kernel[2]
    best[:] = -np.inf
    best_tap[:] = no_tap
    t, has_nan = -1, 0
    for a in range(kernel[0]):
        d = i * stride[0] - padding[0] + a * dilation[0]
        for b in range(kernel[1]):
            h = j * stride[1] - padding[1] + b * dilation[1]
            for c in range(kernel[2]):
                w = k * stride[2] - padding[2] + c * dilation[2]
                t += 1
                if 0 <= d < x.shape[0] and 0 <= h < x.shape[1] and 0 <= w < x.shape[2]:
                    if with_nan:
                        _update_max_with_nan(x[d, h, w], t, no_tap, best, best_tap)
                    else:
                        has_nan |= _update_max(x[d, h, w], t, best, best_tap)
    return has_nan


@helper
def _offsets(kernel: Any, dilation: Any, height: int, width: int) -> Any:
    """The distance of each tap from the first one in the flattened plane."""
    offsets, t = np.empty(kernel[0] * kernel[1] * kernel[2], np.int64), 0
    for a in range(kernel[0]):
        for b in range(kernel[1]):
            for c in range(kernel[2]):
                row = a * dilation[0] * height + b * dilation[1]
                offsets[t] = row * width + c * dilation[2]
                t += 1
    return offsets


@helper
def _scatter_row(
    g: Any, argmax: Any, first_tap: int, stride: int, offsets: Any, plane: Any
) -> None:
    """Add g at the maxima of a row of windows. Shape: (W'), (W') -> (elements)."""
    for k in range(g.size):
        t = argmax[k]
        if t < offsets.size:
            element = first_tap + k * stride + offsets[t]
            if 0 <= element < plane.size:
                plane[element] += g[k]


@helper
def _scatter_row_channels(
    g: Any, argmax: Any, first_tap: int, stride: int, offsets: Any, plane: Any
) -> None:
    """`_scatter_row` with channels. Shape: (W', C), (W', C) -> (elements, C)."""
    for k in range(g.shape[0]):
        for c in range(g.shape[1]):
            t = argmax[k, c]
            if t < offsets.size:
                element = first_tap + k * stride + offsets[t]
                if 0 <= element < plane.shape[0]:
                    plane[element, c] += g[k, c]


@kernel("void(T[:,:,::1], T[:,:,::1], uint8[:,:,::1])")
def max_pool_2x2(x: Any, y: Any, argmax: Any) -> None:
    """Adjacent 2 x 2 windows. Shape: (P, H, W) -> (P, H/2, W/2), (P, H/2, W/2)."""
    require(y.shape == argmax.shape and len(x) == len(y))
    require(x.shape[1] // 2 == y.shape[1] and x.shape[2] // 2 == y.shape[2])
    for p in range(len(x)):
        for i in range(y.shape[1]):
            above, below = x[p, 2 * i], x[p, 2 * i + 1]
            if _max_of_four(above, below, y[p, i], argmax[p, i]):
                _max_of_four_with_nan(above, below, y[p, i], argmax[p, i])


@kernel("void(T[:,:,:,:,::1], T[:,:,:,:,::1], uint8[:,:,:,:,::1], int64[:,::1])")
def max_pool_channels_last(x: Any, y: Any, argmax: Any, geometry: Any) -> None:
    """Any windows. Shape: (P, D, H, W, C) -> y and argmax (P, D', H', W', C)."""
    require(y.shape == argmax.shape and geometry.shape == (4, 3))
    require(len(x) == len(y) and x.shape[4] == y.shape[4])
    no_tap = geometry[0, 0] * geometry[0, 1] * geometry[0, 2]
    best_tap = np.empty(y.shape[4], np.int32)
    for p in range(len(x)):
        for i in range(y.shape[1]):
            for j in range(y.shape[2]):
                for k in range(y.shape[3]):
                    best, taps, window = y[p, i, j, k], argmax[p, i, j, k], (i, j, k)
                    has_nan = _max_of_window(
                        x[p], window, geometry, False, best, best_tap
                    )
                    if not _store_argmax(best_tap, no_tap, taps) or has_nan:
                        _max_of_window(x[p], window, geometry, True, best, best_tap)
                        _store_argmax(best_tap, no_tap, taps)


@kernel("void(T[:,:,:,:,::1], uint8[:,:,:,:,::1], T[:,:,:,:,::1], int64[:,::1])")
def max_pool_backward(g: Any, argmax: Any, gx: Any, geometry: Any) -> None:
    """Set gx to the sum of each g at the maximum of its window.

    Shape: g and argmax (P, D', H', W', C) -> (P, D, H, W, C)
    """
    require(g.shape == argmax.shape and geometry.shape == (4, 3))
    require(len(g) == len(gx) and g.shape[4] == gx.shape[4])
    stride, padding = geometry[1], geometry[2]
    depth, height, width, channels = gx.shape[1:]
    size, windows = depth * height * width, g.shape[1] * g.shape[2] * g.shape[3]
    offsets = _offsets(geometry[0], geometry[3], height, width)
    for p in range(len(g)):
        plane = gx[p].reshape(size, channels)
        values = g[p].reshape(windows, channels)
        taps = argmax[p].reshape(windows, channels)
        plane[:] = 0
        if channels == 1:
            flat_plane, flat_g = plane.reshape(size), values.reshape(windows)
            flat_taps = taps.reshape(windows)
        for row in range(g.shape[1] * g.shape[2]):
            d = row // g.shape[2] * stride[0] - padding[0]
            h = row % g.shape[2] * stride[1] - padding[1]
            first_tap = (d * height + h) * width - padding[2]
            first, last = row * g.shape[3], (row + 1) * g.shape[3]
            if channels == 1:
                _scatter_row(
                    flat_g[first:last],
                    flat_taps[first:last],
                    first_tap,
                    stride[2],
                    offsets,
                    flat_plane,
                )
            else:
                _scatter_row_channels(
                    values[first:last],
                    taps[first:last],
                    first_tap,
                    stride[2],
                    offsets,
                    plane,
                )
