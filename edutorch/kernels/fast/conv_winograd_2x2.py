"""Compiled loops of `kernels/conv_winograd_2x2.py`: the transforms of tiles.

The structure, and the transforms of rows, are those of `conv_winograd.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.fast.bounds import require
from edutorch.kernels.fast.compiling import SINGLE, helper, kernel
from edutorch.kernels.fast.winograd_rows import (
    copy_padded_row,
    transform_row,
    write_row,
)

__all__ = ["input_tiles", "kernel_tiles", "output_tiles"]

HALF = np.float32(1 / 2)


@helper
def _transform_columns(d: Any, step: int, s: int, v: Any, c: int) -> None:
    """Multiply four rows by Cᵀ, for column s of all tiles of a channel."""
    size = v.shape[2]
    d0, d1 = d[0, s, :size], d[1, s, :size]
    d2, d3 = (
        d[0, s, step : step + size],
        d[1, s, step : step + size],
    )
    t0, t1, t2, t3 = v[s, c], v[4 + s, c], v[8 + s, c], v[12 + s, c]
    for j in range(size):
        t0[j] = d0[j] - d2[j]
        t3[j] = d1[j] - d3[j]
    for j in range(size):
        t1[j] = d1[j] + d2[j]
        t2[j] = d2[j] - d1[j]


@kernel("void(T[:,:,:,::1], int64, int64, int64, int64, T[:,:,::1])", SINGLE)
def input_tiles(x: Any, first: int, top: int, left: int, width: int, v: Any) -> None:
    """Transform some channels of the input, from `first` on.

    There are `width` tiles in a row, and `top` and `left` zeros as padding.

    Shape: (N, C, H, W) -> (16, some C, tiles)
    """
    require(len(v) == 16 and 0 <= first <= x.shape[1] - v.shape[1])
    require(len(x) > 0 and width > 0)
    step, size = len(x) * width, v.shape[2]
    height = size // step
    require(size == height * step and height > 0)
    lines = np.empty((2, 4, size + step), x.dtype)  # rows of a tile, in columns
    padded, zero = np.zeros(2 * width + 2, x.dtype), np.zeros(2 * width + 2, x.dtype)
    for c in range(v.shape[1]):
        for r in range(2 * height + 2):
            i, start = r - top, (r // 2) * step
            for n in range(len(x)):
                row = zero
                if 0 <= i < x.shape[2]:
                    copy_padded_row(x[n, first + c, i], left, padded)
                    row = padded
                transform_row(row, lines[r % 2], start + n * width, width)
        for s in range(4):
            _transform_columns(lines, step, s, v, c)


@helper
def _inverse_transform_columns(m: Any, c: int, s: int, lines: Any) -> None:
    """Multiply four numbers by Dᵀ: (16, O, T) -> (2, 4, T), column s of the tiles."""
    m0, m1, m2, m3 = m[s, c], m[4 + s, c], m[8 + s, c], m[12 + s, c]
    t0, t1 = lines[0, s], lines[1, s]
    for j in range(t0.size):
        t0[j] = m0[j] + (m1[j] + m2[j])
        t1[j] = (m1[j] - m2[j]) - m3[j]


@kernel("void(T[:,:,::1], T[:,:,:,::1], T[::1], int64, int64, int64, int64)", SINGLE)
def output_tiles(
    m: Any, y: Any, b: Any, images: int, image: int, channel: int, top: int
) -> None:
    """Write outputs of `images` images, starting at an image, a channel and a row.

    Shape: m (16, some O, tiles), y (N, O, H, W), b (O)
    """
    width, size = (y.shape[3] + 1) // 2, m.shape[2]
    require(len(m) == 16 and b.size == y.shape[1] and images > 0 and width > 0)
    require(0 <= image <= len(y) - images and top >= 0)
    require(0 <= channel <= y.shape[1] - m.shape[1])
    height = size // (images * width)
    require(size == height * images * width and height > 0)
    lines = np.empty((2, 4, size), y.dtype)
    for c in range(m.shape[1]):
        for s in range(4):
            _inverse_transform_columns(m, c, s, lines)
        for r in range(min(2 * height, y.shape[2] - top)):
            for n in range(images):
                start = ((r // 2) * images + n) * width
                row = y[image + n, channel + c, top + r]
                write_row(lines[r % 2], start, b[channel + c], row)


@helper
def _transform_kernel(w: Any, t0: Any, t1: Any, t2: Any, t3: Any) -> None:
    """Multiply three rows by H."""
    w0, w1, w2 = w[0], w[1], w[2]
    for j in range(t0.size):
        even, odd = HALF * (w0[j] + w2[j]), HALF * w1[j]
        t1[j] = even + odd
        t2[j] = even - odd
    for j in range(t0.size):
        t0[j] = w0[j]
        t3[j] = w2[j]


@kernel("void(T[:,:,::1], int64, int64, boolean, T[:,:,::1])", SINGLE)
def kernel_tiles(w: Any, first: int, channel: int, flip: bool, u: Any) -> None:
    """Transform kernels, from `first` and from a channel on; perhaps flipped.

    Shape: (O, C, 9) -> (16, some O, some C)
    """
    count, size = u.shape[1:]
    require(len(u) == 16 and w.shape[2] == 9)
    require(0 <= first <= len(w) - count and 0 <= channel <= w.shape[1] - size)
    elements = np.empty((3, 3, size), w.dtype)  # by position in the kernel
    rows = np.empty((4, 3, size), w.dtype)
    for o in range(count):
        kernels = w[first + o, channel : channel + size]
        for j in range(size):
            for k in range(9):
                elements[k // 3, k % 3, j] = kernels[j, 8 - k if flip else k]
        for r in range(3):
            t0, t1, t2, t3 = rows[0, r], rows[1, r], rows[2, r], rows[3, r]
            _transform_kernel(elements[r], t0, t1, t2, t3)
        for s in range(4):
            t0, t1, t2, t3 = u[s, o], u[4 + s, o], u[8 + s, o], u[12 + s, o]
            _transform_kernel(rows[s], t0, t1, t2, t3)
