"""Copies between planes and padded buffers, which the convolutions share.

One and two dimensions are treated as three, the leading ones of size 1. `geometry`
holds stride, padding and dilation in its rows.

# Note [Padded buffer]
A plane is copied into a buffer with its padding around it, so that no window reaches
outside, and with its layers, rows and columns grouped by their remainder modulo the
stride: whatever the stride, the elements that one tap reads for a line of windows are
contiguous, and those of the next line are one row further. The buffer of a plane
(D, H, W) has the shape (*stride, layers, rows, columns).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.fast.compiling import helper

__all__ = ["copy_into", "copy_out_of", "fits", "tap_starts"]


@helper
def _digits(i: int, step: int, rows: int, high: int) -> tuple[int, int, int, int]:
    """One number for four loops."""
    rest = i // step
    more = rest // rows
    return i % step, rest % rows, more % high, more // high


@helper
def copy_into(x: Any, geometry: Any, first: int, padded: Any) -> None:
    """Copy layers of a plane, from `first` on, into a buffer of zeros.

    Shape: (D, H, W) -> (*stride, layers, rows, columns)
    """
    deep, high, step = padded.shape[:3]
    for i in range(deep * high * step * padded.shape[4]):
        s, h, q, p = _digits(i, step, padded.shape[4], high)
        row, skip = h * high + q - geometry[1, 1], (s - geometry[1, 2]) % step
        column = (skip + geometry[1, 2]) // step
        for d in range(padded.shape[3] if 0 <= row < x.shape[1] else 0):
            layer = d * deep + p + first
            if layer < 0 or layer >= x.shape[0]:
                continue
            line, cells = x[layer, row, skip:], padded[p, q, s, d, h, column:]
            for j in range((line.size + step - 1) // step):
                cells[j] = line[step * j]


@helper
def copy_out_of(padded: Any, geometry: Any, x: Any) -> None:
    """Copy a whole plane out of its padded buffer."""
    deep, high, step = padded.shape[:3]
    for i in range(deep * high * step * padded.shape[4]):
        s, h, q, p = _digits(i, step, padded.shape[4], high)
        row, skip = h * high + q - geometry[1, 1], (s - geometry[1, 2]) % step
        column = (skip + geometry[1, 2]) // step
        for d in range(padded.shape[3] if 0 <= row < x.shape[1] else 0):
            layer = d * deep + p - geometry[1, 0]
            if layer < 0 or layer >= x.shape[0]:
                continue
            line, cells = x[layer, row, skip:], padded[p, q, s, d, h, column:]
            for j in range((line.size + step - 1) // step):
                line[step * j] = cells[j]


@helper
def fits(padded: Any, geometry: Any, wide: int, kernel: Any, out: Any) -> bool:
    """Whether a buffer is large enough for planes of `wide` columns and their windows.

    Of the plane only the columns matter: `copy_into` and `copy_out_of` skip layers and
    rows outside of the buffer.
    """
    for a in range(3):
        stride, padding, dilation = geometry[0, a], geometry[1, a], geometry[2, a]
        if stride < 1 or padding < 0 or dilation < 0 or padded.shape[a] != stride:
            return False
        if kernel[a] < 1 or padded.shape[3 + a] < 1:
            return False
        if out[a] + (kernel[a] - 1) * dilation // stride > padded.shape[3 + a]:
            return False
    return bool(wide + geometry[1, 2] <= padded.shape[5] * padded.shape[2])


@helper
def tap_starts(kernel: Any, geometry: Any, padded: Any) -> Any:
    """For each tap, where the element of the first window lies in the flat buffer."""
    deep, high, wide = kernel
    starts = np.empty(deep * high * wide, np.int64)
    for k in range(len(starts)):
        tap = k // (high * wide), k // wide % high, k % wide
        group = place = 0
        for a in range(3):
            cell, stride = tap[a] * geometry[2, a], geometry[0, a]
            group = group * stride + cell % stride
            place = place * padded.shape[3 + a] + cell // stride
        layers, rows, columns = padded.shape[3:]
        starts[k] = group * layers * rows * columns + place
    return starts
