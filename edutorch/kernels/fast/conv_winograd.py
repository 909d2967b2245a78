"""Compiled loops of `kernels/conv_winograd.py`: the transforms of tiles.

One channel at a time: first the rows of all tiles are transformed, then the columns of
all tiles together. Products with the matrices of the NumPy file are written out, which
saves the multiplications by zero.
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

__all__ = [
    "gradient_tiles",
    "input_tiles",
    "kernel_tiles",
    "kernel_gradients",
    "output_tiles",
]

# The points along the columns are 0, A, -A, B, -B and infinity.
A, B = np.float32(5 / 8), np.float32(3 / 2)
A2, B2, A3, B3 = A * A, B * B, A * A * A, B * B * B
SUM, PRODUCT = A2 + B2, A2 * B2
# Factors of the kernel transform at the points 0, A and -A, B and -B, and at 1 and -1
# along the rows. They are rounded, so kernels are transformed in double precision.
FACTOR_0, FACTOR_A = 1 / float(A2 * B2), 1 / float(2 * A2 * (A2 - B2))
FACTOR_B, HALF = 1 / float(2 * B2 * (B2 - A2)), 1 / 2


@helper
def _transform_gradient_row(d: Any, t: Any, start: int, width: int) -> None:
    """Multiply the pairs of a row by D: (2 width) -> (4, width)."""
    first, second = t[0, start : start + width], t[1, start : start + width]
    third, last = t[2, start : start + width], t[3, start : start + width]
    for j in range(width):
        first[j] = d[2 * j]
        second[j] = d[2 * j] + d[2 * j + 1]
        third[j] = d[2 * j] - d[2 * j + 1]
        last[j] = -d[2 * j + 1]


@helper
def _transform_columns(d: Any, step: int, s: int, v: Any, c: int) -> None:
    """Multiply six rows by Bᵀ, for column s of all tiles of a channel."""
    size = v.shape[2]
    d0, d1, d2, d3 = d[0, s, :size], d[1, s, :size], d[2, s, :size], d[3, s, :size]
    d4, d5 = d[0, s, step : step + size], d[1, s, step : step + size]
    t0, t1, t2, t3 = v[s, c], v[4 + s, c], v[8 + s, c], v[12 + s, c]
    t4, t5 = v[16 + s, c], v[20 + s, c]
    for j in range(size):
        t0[j] = PRODUCT * d0[j] - SUM * d2[j] + d4[j]
        near, near_odd = d4[j] - B2 * d2[j], A * (d3[j] - B2 * d1[j])
        t1[j] = near + near_odd
        t2[j] = near - near_odd
        far, far_odd = d4[j] - A2 * d2[j], B * (d3[j] - A2 * d1[j])
        t3[j] = far + far_odd
        t4[j] = far - far_odd
        t5[j] = PRODUCT * d1[j] - SUM * d3[j] + d5[j]


@kernel("void(T[:,:,:,::1], int64, int64, int64, T[:,:,::1])", SINGLE)
def input_tiles(x: Any, top: int, left: int, width: int, v: Any) -> None:
    """Transform the input: `width` tiles in a row, `top` and `left` zeros as padding.

    Shape: (N, C, H, W) -> (24, at least C, tiles)
    """
    require(len(v) == 24 and v.shape[1] >= x.shape[1] and len(x) > 0 and width > 0)
    step, size = len(x) * width, v.shape[2]
    height = size // step
    require(size == height * step and height > 0)
    lines = np.empty((4, 4, size + step), x.dtype)  # rows of a tile, in columns
    padded, zero = np.zeros(2 * width + 2, x.dtype), np.zeros(2 * width + 2, x.dtype)
    for c in range(x.shape[1]):
        for r in range(4 * height + 2):
            i, start = r - top, (r // 4) * step
            for n in range(len(x)):
                row = zero
                if 0 <= i < x.shape[2]:
                    copy_padded_row(x[n, c, i], left, padded)
                    row = padded
                transform_row(row, lines[r % 4], start + n * width, width)
        for s in range(4):
            _transform_columns(lines, step, s, v, c)


@helper
def _transform_gradient_columns(g: Any, s: int, v: Any, c: int) -> None:
    """Multiply four rows by A, for column s of all tiles of a channel."""
    g0, g1, g2, g3 = g[0, s], g[1, s], g[2, s], g[3, s]
    t0, t1, t2, t3 = v[s, c], v[4 + s, c], v[8 + s, c], v[12 + s, c]
    t4, t5 = v[16 + s, c], v[20 + s, c]
    for j in range(t0.size):
        t0[j] = g0[j]
        near, near_odd = g0[j] + A2 * g2[j], A * (g1[j] + A2 * g3[j])
        t1[j] = near + near_odd
        t2[j] = near - near_odd
        far, far_odd = g0[j] + B2 * g2[j], B * (g1[j] + B2 * g3[j])
        t3[j] = far + far_odd
        t4[j] = far - far_odd
        t5[j] = g3[j]


@kernel("void(T[:,:,:,::1], int64, int64, T[:,:,::1])", SINGLE)
def gradient_tiles(g: Any, top: int, width: int, v: Any) -> None:
    """Transform output gradients: `width` tiles in a row, `top` zeros as padding.

    Shape: (N, O, H, W) -> (24, O, tiles)
    """
    require(v.shape[:2] == (24, g.shape[1]) and len(g) > 0 and width > 0)
    step, size = len(g) * width, v.shape[2]
    height = size // step
    require(size == height * step and height > 0)
    lines = np.empty((4, 4, size), g.dtype)
    padded, zero = np.zeros(2 * width, g.dtype), np.zeros(2 * width, g.dtype)
    for c in range(g.shape[1]):
        for r in range(4 * height):
            i, start = r - top, (r // 4) * step
            for n in range(len(g)):
                row = zero
                if 0 <= i < g.shape[2]:
                    copy_padded_row(g[n, c, i], 0, padded)
                    row = padded
                _transform_gradient_row(row, lines[r % 4], start + n * width, width)
        for s in range(4):
            _transform_gradient_columns(lines, s, v, c)


@helper
def _sum_blocks(m: Any, c: int, t: Any) -> None:
    """Sum over the blocks of channels, mostly four at once: (blocks, O, T) -> (T)."""
    first, done = m[0, c], 1
    for j in range(t.size):
        t[j] = first[j]
    while (len(m) - done) % 4:
        p = m[done, c]
        for j in range(t.size):
            t[j] += p[j]
        done += 1
    for k in range(done, len(m), 4):
        p, q, r, s = m[k, c], m[k + 1, c], m[k + 2, c], m[k + 3, c]
        for j in range(t.size):
            t[j] += (p[j] + q[j]) + (r[j] + s[j])


@helper
def _inverse_transform_columns(m: Any, s: int, lines: Any) -> None:
    """Multiply six numbers by Aᵀ: (24, T) -> (4, 4, T), column s of the tiles."""
    m0, m1, m2, m3, m4, m5 = m[s], m[4 + s], m[8 + s], m[12 + s], m[16 + s], m[20 + s]
    t0, t1, t2, t3 = lines[0, s], lines[1, s], lines[2, s], lines[3, s]
    for j in range(t0.size):
        near, far = m1[j] + m2[j], m3[j] + m4[j]
        t0[j] = m0[j] + near + far
        t2[j] = A2 * near + B2 * far
    for j in range(t1.size):
        near, far = m1[j] - m2[j], m3[j] - m4[j]
        t1[j] = A * near + B * far
        t3[j] = A3 * near + B3 * far + m5[j]


@kernel("void(T[:,:,:,::1], T[:,:,:,::1], T[::1], int64, int64, int64, int64)", SINGLE)
def output_tiles(
    m: Any, y: Any, b: Any, images: int, image: int, channel: int, top: int
) -> None:
    """Write outputs of `images` images, starting at an image, a channel and a row.

    Shape: m (24, blocks, some O, tiles), y (N, O, H, W), b (O)
    """
    width, size = (y.shape[3] + 1) // 2, m.shape[3]
    require(len(m) == 24 and m.shape[1] > 0 and b.size == y.shape[1] and images > 0)
    require(0 <= image <= len(y) - images and top >= 0)
    require(0 <= channel <= y.shape[1] - m.shape[2] and width > 0)
    height = size // (images * width)
    require(size == height * images * width and height > 0)
    transformed, lines = np.empty((24, size), y.dtype), np.empty((4, 4, size), y.dtype)
    for c in range(m.shape[2]):
        for k in range(24):
            _sum_blocks(m[k], c, transformed[k])
        for s in range(4):
            _inverse_transform_columns(transformed, s, lines)
        for r in range(min(4 * height, y.shape[2] - top)):
            for n in range(images):
                start = ((r // 4) * images + n) * width
                row = y[image + n, channel + c, top + r]
                write_row(lines[r % 4], start, b[channel + c], row)


@helper
def _gather_kernel_elements(
    w: Any, first: int, start: int, adjoint: bool, lines: Any
) -> None:
    """Group the elements of some kernels by position; zeros after the last channel.

    Shape: (O, C, 9) -> (9, some O, some C)
    """
    channels = len(w) if adjoint else w.shape[1]
    for o in range(lines.shape[1]):
        for j in range(lines.shape[2]):
            c = start + j
            for k in range(9):
                if c >= channels:
                    lines[k, o, j] = 0
                elif adjoint:
                    lines[k, o, j] = w[c, first + o, 8 - k]
                else:
                    lines[k, o, j] = w[first + o, c, k]


@helper
def _transform_kernel_row(w: Any, t: Any) -> None:
    """Multiply kernel rows by H: (3, M) -> (4, M)."""
    w0, w1, w2 = w[0], w[1], w[2]
    t0, t1, t2, t3 = t[0], t[1], t[2], t[3]
    for j in range(t0.size):
        even, odd = HALF * (w0[j] + w2[j]), HALF * w1[j]
        t0[j] = w0[j]
        t1[j] = even + odd
        t2[j] = even - odd
        t3[j] = w2[j]


@helper
def _transform_kernel_columns(w: Any, s: int, u: Any, i: int) -> None:
    """Multiply kernel columns by G, for column s of all kernels of a block."""
    w0, w1, w2 = w[0, s], w[1, s], w[2, s]
    t0, t1, t2, t3 = u[s, i], u[4 + s, i], u[8 + s, i], u[12 + s, i]
    t4, t5 = u[16 + s, i], u[20 + s, i]
    for j in range(t0.size):
        t0[j] = FACTOR_0 * w0[j]
        near, near_odd = FACTOR_A * (w0[j] + A2 * w2[j]), FACTOR_A * A * w1[j]
        t1[j] = near + near_odd
        t2[j] = near - near_odd
        far, far_odd = FACTOR_B * (w0[j] + B2 * w2[j]), FACTOR_B * B * w1[j]
        t3[j] = far + far_odd
        t4[j] = far - far_odd
        t5[j] = w2[j]


@kernel("void(T[:,:,::1], int64, boolean, T[:,:,:,::1])", SINGLE)
def kernel_tiles(w: Any, first: int, adjoint: bool, u: Any) -> None:
    """Transform the kernels from `first` on, with channels in blocks.

    Shape: (O, C, 9) -> (24, blocks, some O, C / blocks); O and C swapped if adjoint
    """
    blocks, count, size = u.shape[1:]
    kernels, channels = w.shape[:2]
    if adjoint:
        kernels, channels = channels, kernels
    require(len(u) == 24 and w.shape[2] == 9 and 0 <= first <= kernels - count)
    require(blocks * size >= channels)
    lines = np.empty((9, count, size), np.float64)
    rows, flat = lines.reshape((3, 3, -1)), u.reshape((24, blocks, -1))
    transformed = np.empty((3, 4, count * size), np.float64)
    for i in range(blocks):
        _gather_kernel_elements(w, first, i * size, adjoint, lines)
        for r in range(3):
            _transform_kernel_row(rows[r], transformed[r])
        for s in range(4):
            _transform_kernel_columns(transformed, s, flat, i)


@helper
def _inverse_transform_kernel_columns(u: Any, s: int, o: int, lines: Any) -> None:
    """Multiply six numbers by Gᵀ, for column s of the kernels of an output."""
    u0, u1, u2, u3 = u[s, o], u[4 + s, o], u[8 + s, o], u[12 + s, o]
    u4, u5 = u[16 + s, o], u[20 + s, o]
    t0, t1, t2 = lines[0, s], lines[1, s], lines[2, s]
    for j in range(t0.size):
        near, far = FACTOR_A * (u1[j] + u2[j]), FACTOR_B * (u3[j] + u4[j])
        t0[j] = FACTOR_0 * u0[j] + near + far
        t2[j] = A2 * near + B2 * far + u5[j]
    for j in range(t1.size):
        t1[j] = FACTOR_A * A * (u1[j] - u2[j]) + FACTOR_B * B * (u3[j] - u4[j])


@kernel("void(T[:,:,::1], T[:,:,::1])", SINGLE)
def kernel_gradients(u: Any, w: Any) -> None:
    """Gradients of kernels from those of transformed ones: (24, O, C) -> (O, C, 9)."""
    require(u.shape == (24, w.shape[0], w.shape[1]) and w.shape[2] == 9)
    lines = np.empty((3, 4, u.shape[2]), u.dtype)
    for o in range(len(w)):
        for s in range(4):
            _inverse_transform_kernel_columns(u, s, o, lines)
        for r in range(3):
            t0, t1, t2, t3 = lines[r, 0], lines[r, 1], lines[r, 2], lines[r, 3]
            for c in range(w.shape[1]):
                even = HALF * (t1[c] + t2[c])
                w[o, c, 3 * r] = t0[c] + even
                w[o, c, 3 * r + 1] = HALF * (t1[c] - t2[c])
                w[o, c, 3 * r + 2] = even + t3[c]
