"""Copies between planes and padded buffers, shared by the convolutions.

Planes with one or two dimensions are treated as three-dimensional. The rows of
`geometry` are stride, padding and dilation.

# Note [Padded buffer]
A plane is copied into a buffer with its padding around it, so that no window reaches
outside. Its layers, rows and columns are grouped by their index modulo the stride, so
that, for any stride, the elements which a tap reads for one row of windows are
contiguous, and those for the next row of windows are in the next row of the buffer. The
buffer of a plane (D, H, W) has the shape (*stride, layers, rows, columns).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.fast.compiling import helper

__all__ = ["copy_into", "copy_out_of", "fits", "tap_starts"]


@helper
def _loop_indices(
    i: int, step: int, rows: int, height_stride: int
) -> tuple[int, int, int, int]:
    """The indices of four nested loops, from one counter."""
    quotient = i // step
    outer = quotient // rows
    return i % step, quotient % rows, outer % height_stride, outer // height_stride


@helper
def copy_into(x: Any, geometry: Any, first: int, padded: Any) -> None:
    """Copy the layers of a plane from `first` on into a buffer of zeros.

    Shape: (D, H, W) -> (*stride, layers, rows, columns)
    """
    depth_stride, height_stride, step = padded.shape[:3]
    for i in range(depth_stride * height_stride * step * padded.shape[4]):
        s, h, q, p = _loop_indices(i, step, padded.shape[4], height_stride)
        row, skip = h * height_stride + q - geometry[1, 1], (s - geometry[1, 2]) % step
        column = (skip + geometry[1, 2]) // step
        for d in range(padded.shape[3] if 0 <= row < x.shape[1] else 0):
            layer = d * depth_stride + p + first
            if layer < 0 or layer >= x.shape[0]:
                continue
            line, cells = x[layer, row, skip:], padded[p, q, s, d, h, column:]
            for j in range((line.size + step - 1) // step):
                cells[j] = line[step * j]


@helper
def copy_out_of(padded: Any, geometry: Any, x: Any) -> None:
    """Copy a whole plane out of its padded buffer."""
    depth_stride, height_stride, step = padded.shape[:3]
    for i in range(depth_stride * height_stride * step * padded.shape[4]):
        s, h, q, p = _loop_indices(i, step, padded.shape[4], height_stride)
        row, skip = h * height_stride + q - geometry[1, 1], (s - geometry[1, 2]) % step
        column = (skip + geometry[1, 2]) // step
        for d in range(padded.shape[3] if 0 <= row < x.shape[1] else 0):
            layer = d * depth_stride + p - geometry[1, 0]
            if layer < 0 or layer >= x.shape[0]:
                continue
            line, cells = x[layer, row, skip:], padded[p, q, s, d, h, column:]
            for j in range((line.size + step - 1) // step):
                line[step * j] = cells[j]


@helper
def fits(padded: Any, geometry: Any, width: int, kernel: Any, out: Any) -> bool:
    """Whether a buffer is large enough for planes with `width` columns.

    Layers and rows of the plane need no check: `copy_into` and `copy_out_of` skip those
    outside the buffer.
    """
    for a in range(3):
        stride, padding, dilation = geometry[0, a], geometry[1, a], geometry[2, a]
        if stride < 1 or padding < 0 or dilation < 0 or padded.shape[a] != stride:
            return False
        if kernel[a] < 1 or padded.shape[3 + a] < 1:
            return False
        if out[a] + (kernel[a] - 1) * dilation // stride > padded.shape[3 + a]:
            return False
    return bool(width + geometry[1, 2] <= padded.shape[5] * padded.shape[2])


@helper
def tap_starts(kernel: Any, geometry: Any, padded: Any) -> Any:
    """The flat index of the element that each tap reads for the first window."""
    depth, height, width = kernel
    starts = np.empty(depth * height * width, np.int64)
    for k in range(len(starts)):
        tap = k // (height * width), k // width % height, k % width
        group = offset = 0
        for a in range(3):
            cell, stride = tap[a] * geometry[2, a], geometry[0, a]
            group = group * stride + cell % stride
            offset = offset * padded.shape[3 + a] + cell // stride
        layers, rows, columns = padded.shape[3:]
        starts[k] = group * layers * rows * columns + offset
    return starts
