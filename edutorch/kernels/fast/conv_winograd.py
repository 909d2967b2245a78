"""Compiled loops of `kernels/conv_winograd.py`: tiles transformed there and back.

A channel at a time. Rows are transformed first, then lines of the numbers of all
tiles are transformed along the columns. The matrices are those of the plain
file, written out: their zeros cost nothing.
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
# What kernels are multiplied by at 0, at A and -A, at B and -B; and half of all.
# They are in double, since they are not exact: kernels are transformed in double, too.
ZERO, NEAR = 1 / float(A2 * B2), 1 / float(2 * A2 * (A2 - B2))
FAR, HALF = 1 / float(2 * B2 * (B2 - A2)), 1 / 2


@helper
def _transform_gradient_row(d: Any, t: Any, start: int, wide: int) -> None:
    """Transform pairs of a row by D: (2 wide) -> (4, wide)."""
    first, second = t[0, start : start + wide], t[1, start : start + wide]
    third, last = t[2, start : start + wide], t[3, start : start + wide]
    for j in range(wide):
        first[j] = d[2 * j]
        second[j] = d[2 * j] + d[2 * j + 1]
        third[j] = d[2 * j] - d[2 * j + 1]
        last[j] = -d[2 * j + 1]


@helper
def _transform_columns(d: Any, below: int, s: int, v: Any, c: int) -> None:
    """Transform six rows by B': column s of all tiles of a channel."""
    size = v.shape[2]
    d0, d1, d2, d3 = d[0, s, :size], d[1, s, :size], d[2, s, :size], d[3, s, :size]
    d4, d5 = d[0, s, below : below + size], d[1, s, below : below + size]
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
def input_tiles(x: Any, top: int, left: int, wide: int, v: Any) -> None:
    """Tiles in rows of `wide`, of images with so many zeros above and to the left.

    Shape: (N, C, H, W) -> (24, C or more, tiles)
    """
    require(len(v) == 24 and v.shape[1] >= x.shape[1] and len(x) > 0 and wide > 0)
    below, size = len(x) * wide, v.shape[2]
    high = size // below
    require(size == high * below and high > 0)
    lines = np.empty((4, 4, size + below), x.dtype)  # rows of a tile, in columns
    padded, zero = np.zeros(2 * wide + 2, x.dtype), np.zeros(2 * wide + 2, x.dtype)
    for c in range(x.shape[1]):
        for r in range(4 * high + 2):
            i, start = r - top, (r // 4) * below
            for n in range(len(x)):
                row = zero
                if 0 <= i < x.shape[2]:
                    copy_padded_row(x[n, c, i], left, padded)
                    row = padded
                transform_row(row, lines[r % 4], start + n * wide, wide)
        for s in range(4):
            _transform_columns(lines, below, s, v, c)


@helper
def _transform_gradient_columns(g: Any, s: int, v: Any, c: int) -> None:
    """Transform four rows by A: column s of all tiles of a channel."""
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
def gradient_tiles(g: Any, top: int, wide: int, v: Any) -> None:
    """Tiles in rows of `wide`, of images with so many zeros above.

    Shape: (N, O, H, W) -> (24, O, tiles)
    """
    require(v.shape[:2] == (24, g.shape[1]) and len(g) > 0 and wide > 0)
    below, size = len(g) * wide, v.shape[2]
    high = size // below
    require(size == high * below and high > 0)
    lines = np.empty((4, 4, size), g.dtype)
    padded, zero = np.zeros(2 * wide, g.dtype), np.zeros(2 * wide, g.dtype)
    for c in range(g.shape[1]):
        for r in range(4 * high):
            i, start = r - top, (r // 4) * below
            for n in range(len(g)):
                row = zero
                if 0 <= i < g.shape[2]:
                    copy_padded_row(g[n, c, i], 0, padded)
                    row = padded
                _transform_gradient_row(row, lines[r % 4], start + n * wide, wide)
        for s in range(4):
            _transform_gradient_columns(lines, s, v, c)


@helper
def _sum_blocks(m: Any, c: int, t: Any) -> None:
    """Sum over the blocks of channels, last four at a time: (blocks, O, T) -> (T)."""
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
def _collect(m: Any, s: int, lines: Any) -> None:
    """Transform six numbers by A': (24, T) -> (4, 4, T), rows of a tile in column s."""
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
    """Outputs of so many images, from an image, a channel and a row on.

    Shape: m (24, blocks, O, tiles), y (all N, all O, H, W), b (all O)
    """
    wide, size = (y.shape[3] + 1) // 2, m.shape[3]
    require(len(m) == 24 and m.shape[1] > 0 and b.size == y.shape[1] and images > 0)
    require(0 <= image <= len(y) - images and top >= 0)
    require(0 <= channel <= y.shape[1] - m.shape[2] and wide > 0)
    high = size // (images * wide)
    require(size == high * images * wide and high > 0)
    transformed, lines = np.empty((24, size), y.dtype), np.empty((4, 4, size), y.dtype)
    for c in range(m.shape[2]):
        for k in range(24):
            _sum_blocks(m[k], c, transformed[k])
        for s in range(4):
            _collect(transformed, s, lines)
        for r in range(min(4 * high, y.shape[2] - top)):
            for n in range(images):
                start = ((r // 4) * images + n) * wide
                row = y[image + n, channel + c, top + r]
                write_row(lines[r % 4], start, b[channel + c], row)


@helper
def _sort_kernels(w: Any, first: int, start: int, adjoint: bool, lines: Any) -> None:
    """Some kernels' cells, each in a line of its own; zeros where channels end.

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
    """Transform kernel rows by H': (3, M) -> (4, M)."""
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
    """Transform kernel columns by G': column s of all kernels of a block."""
    w0, w1, w2 = w[0, s], w[1, s], w[2, s]
    t0, t1, t2, t3 = u[s, i], u[4 + s, i], u[8 + s, i], u[12 + s, i]
    t4, t5 = u[16 + s, i], u[20 + s, i]
    for j in range(t0.size):
        t0[j] = ZERO * w0[j]
        near, near_odd = NEAR * (w0[j] + A2 * w2[j]), NEAR * A * w1[j]
        t1[j] = near + near_odd
        t2[j] = near - near_odd
        far, far_odd = FAR * (w0[j] + B2 * w2[j]), FAR * B * w1[j]
        t3[j] = far + far_odd
        t4[j] = far - far_odd
        t5[j] = w2[j]


@kernel("void(T[:,:,::1], int64, boolean, T[:,:,:,::1])", SINGLE)
def kernel_tiles(w: Any, first: int, adjoint: bool, u: Any) -> None:
    """Some kernels from the first on, channels in blocks.

    Shape: (O, C, 9) -> (24, blocks, some O, C / blocks); O and C swapped if adjoint
    """
    blocks, some, each = u.shape[1:]
    kernels, channels = w.shape[:2]
    if adjoint:
        kernels, channels = channels, kernels
    require(len(u) == 24 and w.shape[2] == 9 and 0 <= first <= kernels - some)
    require(blocks * each >= channels)
    lines = np.empty((9, some, each), np.float64)
    rows, flat = lines.reshape((3, 3, -1)), u.reshape((24, blocks, -1))
    transformed = np.empty((3, 4, some * each), np.float64)
    for i in range(blocks):
        _sort_kernels(w, first, i * each, adjoint, lines)
        for r in range(3):
            _transform_kernel_row(rows[r], transformed[r])
        for s in range(4):
            _transform_kernel_columns(transformed, s, flat, i)


@helper
def _collect_kernels(u: Any, s: int, o: int, lines: Any) -> None:
    """Transform six numbers by G: column s of the kernels of an output."""
    u0, u1, u2, u3 = u[s, o], u[4 + s, o], u[8 + s, o], u[12 + s, o]
    u4, u5 = u[16 + s, o], u[20 + s, o]
    t0, t1, t2 = lines[0, s], lines[1, s], lines[2, s]
    for j in range(t0.size):
        near, far = NEAR * (u1[j] + u2[j]), FAR * (u3[j] + u4[j])
        t0[j] = ZERO * u0[j] + near + far
        t2[j] = A2 * near + B2 * far + u5[j]
    for j in range(t1.size):
        t1[j] = NEAR * A * (u1[j] - u2[j]) + FAR * B * (u3[j] - u4[j])


@kernel("void(T[:,:,::1], T[:,:,::1])", SINGLE)
def kernel_gradients(u: Any, w: Any) -> None:
    """Gradients of the kernels from transformed ones: (24, O, C) -> (O, C, 9)."""
    require(u.shape == (24, w.shape[0], w.shape[1]) and w.shape[2] == 9)
    lines = np.empty((3, 4, u.shape[2]), u.dtype)
    for o in range(len(w)):
        for s in range(4):
            _collect_kernels(u, s, o, lines)
        for r in range(3):
            t0, t1, t2, t3 = lines[r, 0], lines[r, 1], lines[r, 2], lines[r, 3]
            for c in range(w.shape[1]):
                even = HALF * (t1[c] + t2[c])
                w[o, c, 3 * r] = t0[c] + even
                w[o, c, 3 * r + 1] = HALF * (t1[c] - t2[c])
                w[o, c, 3 * r + 2] = even + t3[c]
