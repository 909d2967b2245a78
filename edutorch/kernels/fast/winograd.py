"""Twins of `kernels/winograd.py`: tiles into the basis of the products and back.

A channel at a time. First the numbers of its tiles are sorted by their place in the
tile, then the lines of all tiles are turned along one dimension, then the other. The
matrices are those of the plain file, written out: their zeros cost nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.fast.compiling import SINGLE, helper, kernel
from edutorch.kernels.fast.guard import require

__all__ = ["gradient_tiles", "input_tiles", "output_tiles"]

TWO, FOUR = np.float32(2), np.float32(4)
FIVE, EIGHT = np.float32(5), np.float32(8)


@helper
def _sort(x: Any, c: int, size: int, wide: int, places: Any) -> None:
    """Numbers of a channel's tiles by their place: (N, C, H, W) -> (size, size, T)."""
    start = 0
    for n in range(len(x)):
        for top in range(0, x.shape[2] - size + 1, 4):
            for r in range(size):
                row = x[n, c, top + r]
                for s in range(size):
                    place, line = places[r, s, start : start + wide], row[s:]
                    for j in range(wide):
                        place[j] = line[4 * j]
            start += wide


@helper
def _turn_input(d: Any, t: Any) -> None:
    """Lines of 6 inputs times B': (6, M) -> (6, M)."""
    d0, d1, d2, d3, d4, d5 = d[0], d[1], d[2], d[3], d[4], d[5]
    t0, t1, t2, t3, t4, t5 = t[0], t[1], t[2], t[3], t[4], t[5]
    for j in range(d0.size):
        t0[j] = FOUR * d0[j] - FIVE * d2[j] + d4[j]
    for j in range(d0.size):
        t1[j] = d4[j] + d3[j] - FOUR * (d2[j] + d1[j])
    for j in range(d0.size):
        t2[j] = d4[j] - d3[j] - FOUR * (d2[j] - d1[j])
    for j in range(d0.size):
        t3[j] = d4[j] - d2[j] + TWO * (d3[j] - d1[j])
    for j in range(d0.size):
        t4[j] = d4[j] - d2[j] - TWO * (d3[j] - d1[j])
    for j in range(d0.size):
        t5[j] = FOUR * d1[j] - FIVE * d3[j] + d5[j]


@helper
def _turn_gradient(g: Any, t: Any) -> None:
    """Lines of 4 gradients times A: (4, M) -> (6, M)."""
    g0, g1, g2, g3 = g[0], g[1], g[2], g[3]
    t0, t1, t2, t3, t4, t5 = t[0], t[1], t[2], t[3], t[4], t[5]
    for j in range(g0.size):
        t0[j] = g0[j]
    for j in range(g0.size):
        t1[j] = g0[j] + g2[j] + (g1[j] + g3[j])
    for j in range(g0.size):
        t2[j] = g0[j] + g2[j] - (g1[j] + g3[j])
    for j in range(g0.size):
        t3[j] = g0[j] + FOUR * g2[j] + TWO * (g1[j] + FOUR * g3[j])
    for j in range(g0.size):
        t4[j] = g0[j] + FOUR * g2[j] - TWO * (g1[j] + FOUR * g3[j])
    for j in range(g0.size):
        t5[j] = g3[j]


@helper
def _turn_output(m0: Any, m1: Any, m2: Any, m3: Any, m4: Any, m5: Any) -> Any:
    """A line of 6 products times A': 4 outputs."""
    even, odd = m1 + m2, m1 - m2
    near, far = m3 + m4, m3 - m4
    return (
        m0 + even + near,
        odd + TWO * far,
        even + FOUR * near,
        odd + EIGHT * far + m5,
    )


@helper
def _surround(x: Any, c: int, top: int, left: int, room: Any) -> None:
    """Put a channel's images into the middle of rooms; what sticks out is left out."""
    first, last = max(0, -top), min(x.shape[2], room.shape[2] - top)
    near, far = max(0, -left), min(x.shape[3], room.shape[3] - left)
    for n in range(len(x)):
        for i in range(first, last):
            row = x[n, c, i, near:far]
            inside = room[n, 0, top + i, left + near : left + far]
            for j in range(row.size):
                inside[j] = row[j]


@kernel("void(T[:,:,:,::1], int64, int64, int64, T[:,:,::1])", SINGLE)
def input_tiles(x: Any, top: int, left: int, wide: int, v: Any) -> None:
    """Tiles in rows of `wide`, of images with so many zeros above and to the left.

    Shape: (N, C, H, W) -> (36, C, N tiles)
    """
    require(v.shape[:2] == (36, x.shape[1]) and len(x) > 0 and wide > 0)
    count = v.shape[2]
    high = count // (len(x) * wide)
    require(count == len(x) * high * wide and top <= 4 * high and left <= 4 * wide)
    room = np.zeros((len(x), 1, 4 * high + 2, 4 * wide + 2), x.dtype)
    places = np.empty((6, 6, count), x.dtype)
    lines, tiles = np.empty_like(places), np.empty_like(places)
    for c in range(v.shape[1]):
        _surround(x, c, top, left, room)
        _sort(room, 0, 6, wide, places)
        for r in range(6):
            _turn_input(places[r], lines[r])
        _turn_input(lines.reshape(6, 6 * count), tiles.reshape(6, 6 * count))
        v[:, c] = tiles.reshape(36, count)


@kernel("void(T[:,:,:,::1], T[:,:,::1])", SINGLE)
def gradient_tiles(g: Any, v: Any) -> None:
    """Shape: (N, O, 4 H, 4 W) -> (36, O, N H W)."""
    require(v.shape[:2] == (36, g.shape[1]) and g.shape[2] % 4 == g.shape[3] % 4 == 0)
    require(16 * v.shape[2] == len(g) * g.shape[2] * g.shape[3])
    count = v.shape[2]
    places, lines = np.empty((4, 4, count), g.dtype), np.empty((4, 6, count), g.dtype)
    tiles = np.empty((6, 6, count), g.dtype)
    for c in range(v.shape[1]):
        _sort(g, c, 4, g.shape[3] // 4, places)
        for r in range(4):
            _turn_gradient(places[r], lines[r])
        _turn_gradient(lines.reshape(4, 6 * count), tiles.reshape(6, 6 * count))
        v[:, c] = tiles.reshape(36, count)


@kernel("void(T[:,:,::1], T[:,:,:,::1])", SINGLE)
def output_tiles(m: Any, y: Any) -> None:
    """Shape: (36, O, N H W) -> (N, O, 4 H, 4 W)."""
    require(m.shape[:2] == (36, y.shape[1]) and y.shape[2] % 4 == y.shape[3] % 4 == 0)
    require(16 * m.shape[2] == len(y) * y.shape[2] * y.shape[3])
    high, wide = y.shape[2] // 4, y.shape[3] // 4
    lines = np.empty((4, 6, m.shape[2]), y.dtype)
    for c in range(m.shape[1]):
        for s in range(6):
            t = lines[:, s]
            a, b, d = m[s, c], m[6 + s, c], m[12 + s, c]
            e, f, g = m[18 + s, c], m[24 + s, c], m[30 + s, c]
            for j in range(a.size):
                t[0, j], t[1, j], t[2, j], t[3, j] = _turn_output(
                    a[j], b[j], d[j], e[j], f[j], g[j]
                )
        for n, i, r in np.ndindex(len(y), high, 4):
            row, start = y[n, c, 4 * i + r], (n * high + i) * wide
            t = lines[r, :, start : start + wide]
            for j in range(wide):
                k = 4 * j
                row[k], row[k + 1], row[k + 2], row[k + 3] = _turn_output(
                    t[0, j], t[1, j], t[2, j], t[3, j], t[4, j], t[5, j]
                )
