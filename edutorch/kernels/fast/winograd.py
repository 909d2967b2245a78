"""Twins of `kernels/winograd.py`: tiles into the basis of the products and back.

A channel at a time. Its numbers are sorted by their place in the tile; then lines of
the numbers of all tiles are added. The matrices are those of the plain file, written
out: there is nothing to multiply.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.fast.compiling import SINGLE, helper, kernel
from edutorch.kernels.fast.guard import require

__all__ = ["gradient_tiles", "input_tiles", "output_tiles"]


GROUP = 256  # tiles turned at a time, to stay in the first cache


@helper
def _plus(a: Any, b: Any, y: Any) -> None:
    for j in range(y.size):
        y[j] = a[j] + b[j]


@helper
def _minus(a: Any, b: Any, y: Any) -> None:
    for j in range(y.size):
        y[j] = a[j] - b[j]


@helper
def _group(n: int, high: int, wide: int) -> tuple[int, int]:
    """How many images, and how many rows of their tiles, are turned at a time."""
    if high * wide > GROUP:
        return 1, max(1, GROUP // wide)
    return max(1, min(n, GROUP // (high * wide))), high


@helper
def _sort(x: Any, start: int, left: int, places: Any) -> None:
    """Rows of an image by their parity, and by the column in a tile; zeros outside.

    The columns of the padding are left as they are.
    Shape: (H, W) -> (columns, 2, rows, wide), row `start` first
    """
    wide = places.shape[3]
    for r in range(2 * places.shape[2]):
        for s in range(len(places)):
            line, i = places[s, r % 2, r // 2], start + r
            if i < 0 or i >= len(x):
                line[:] = 0
                continue
            first = max(0, (left - s + 1) // 2)
            skip = 2 * first + s - left
            row = x[i, skip:]
            inside = line[first : min(wide, first + (row.size + 1) // 2)]
            for j in range(inside.size):
                inside[j] = row[2 * j]


@helper
def _turn_rows(places: Any, size: int, lines: Any, start: int) -> None:
    """Tiles of an image times B' along their rows: (4, 2, rows) -> (4, 4, size)."""
    wide = places.shape[3]
    flat, stop = places.reshape((4, 2, -1)), start + size
    for s in range(4):
        even, odd = flat[s, 0, :size], flat[s, 1, :size]
        below, last = flat[s, 0, wide : wide + size], flat[s, 1, wide : wide + size]
        _minus(even, below, lines[0, s, start:stop])
        _plus(odd, below, lines[1, s, start:stop])
        _minus(below, odd, lines[2, s, start:stop])
        _minus(odd, last, lines[3, s, start:stop])


@kernel("void(T[:,:,:,::1], int64, int64, int64, T[:,:,::1])", SINGLE)
def input_tiles(x: Any, top: int, left: int, wide: int, v: Any) -> None:
    """Tiles in rows of `wide`, of images with so many zeros above and to the left.

    Shape: (N, C, H, W) -> (16, C, N tiles)
    """
    require(v.shape[:2] == (16, x.shape[1]) and len(x) > 0 and wide > 0)
    high = v.shape[2] // (len(x) * wide)
    require(v.shape[2] == len(x) * high * wide and high > 0)
    images, rows = _group(len(x), high, wide)
    places = np.zeros((images, 4, 2, rows + 1, wide), x.dtype)
    lines = np.empty((4, 4, images * rows * wide), x.dtype)
    for c in range(v.shape[1]):
        for n in range(0, len(x), images):
            for i in range(0, high, rows):
                start, size = (n * high + i) * wide, min(rows, high - i) * wide
                for k in range(min(images, len(x) - n)):
                    _sort(x[n + k, c], 2 * i - top, left, places[k])
                    _turn_rows(places[k], size, lines, k * size)
                stop = start + min(images, len(x) - n) * size
                for k in range(4):
                    a, b, d, e = lines[k, 0], lines[k, 1], lines[k, 2], lines[k, 3]
                    _minus(a, d, v[4 * k, c, start:stop])
                    _plus(b, d, v[4 * k + 1, c, start:stop])
                    _minus(d, b, v[4 * k + 2, c, start:stop])
                    _minus(b, e, v[4 * k + 3, c, start:stop])


@helper
def _spread(a: Any, b: Any, s: Any, t: Any, u: Any, v: Any) -> None:
    """Two numbers each times A: four."""
    s[:] = a
    _plus(a, b, t)
    _minus(a, b, u)
    for j in range(v.size):
        v[j] = -b[j]


@kernel("void(T[:,:,:,::1], T[:,:,::1])", SINGLE)
def gradient_tiles(g: Any, v: Any) -> None:
    """Shape: (N, O, 2 H, 2 W) -> (16, O, N H W)."""
    require(v.shape[:2] == (16, g.shape[1]) and g.shape[2] % 2 == g.shape[3] % 2 == 0)
    require(4 * v.shape[2] == len(g) * g.shape[2] * g.shape[3] > 0)
    high, wide = g.shape[2] // 2, g.shape[3] // 2
    images, rows = _group(len(g), high, wide)
    places = np.zeros((images, 2, 2, rows, wide), g.dtype)
    lines = np.empty((2, 4, images * rows * wide), g.dtype)
    for c in range(v.shape[1]):
        for n in range(0, len(g), images):
            for i in range(0, high, rows):
                start, size = (n * high + i) * wide, min(rows, high - i) * wide
                count = min(images, len(g) - n)
                for k in range(count):
                    _sort(g[n + k, c], 2 * i, 0, places[k])
                    flat, part = places[k].reshape((2, 2, -1)), k * size
                    stop = part + size
                    for s in range(2):
                        _spread(
                            flat[s, 0, :size], flat[s, 1, :size],
                            lines[s, 0, part:stop], lines[s, 1, part:stop],
                            lines[s, 2, part:stop], lines[s, 3, part:stop],
                        )  # fmt: skip
                stop = start + count * size
                for k in range(4):
                    a, b = lines[0, k, : stop - start], lines[1, k, : stop - start]
                    _spread(
                        a, b, v[4 * k, c, start:stop], v[4 * k + 1, c, start:stop],
                        v[4 * k + 2, c, start:stop], v[4 * k + 3, c, start:stop],
                    )  # fmt: skip


@helper
def _gather(a: Any, b: Any, c: Any, d: Any, even: Any, odd: Any) -> None:
    """Four numbers each times A': two."""
    _plus(b, c, even)
    _minus(b, c, odd)
    for j in range(even.size):
        even[j] += a[j]
    for j in range(odd.size):
        odd[j] -= d[j]


@kernel("void(T[:,:,::1], T[:,:,:,::1])", SINGLE)
def output_tiles(m: Any, y: Any) -> None:
    """Shape: (16, O, N H W) -> (N, O, 2 H, 2 W)."""
    require(m.shape[:2] == (16, y.shape[1]) and y.shape[2] % 2 == y.shape[3] % 2 == 0)
    require(4 * m.shape[2] == len(y) * y.shape[2] * y.shape[3] > 0)
    wide, step = y.shape[3] // 2, max(1, 2 * GROUP // y.shape[3])
    high = y.shape[2] // 2
    lines = np.empty((4, 2, step * wide), y.dtype)
    pairs = np.empty((2, step, wide), y.dtype)
    for c in range(m.shape[1]):
        for first in range(0, len(y) * high, step):
            stop = min(first + step, len(y) * high)
            start, end = first * wide, stop * wide
            size = end - start
            for s in range(4):
                _gather(
                    m[s, c, start:end], m[4 + s, c, start:end],
                    m[8 + s, c, start:end], m[12 + s, c, start:end],
                    lines[s, 0, :size], lines[s, 1, :size],
                )  # fmt: skip
            for r in range(2):
                a, b, d, e = lines[0, r], lines[1, r], lines[2, r], lines[3, r]
                flat = pairs.reshape((2, -1))
                _gather(a, b, d, e, flat[0], flat[1])
                for i in range(first, stop):
                    row = y[i // high, c, 2 * (i % high) + r]
                    near, far = pairs[0, i - first], pairs[1, i - first]
                    for j in range(wide):
                        row[2 * j], row[2 * j + 1] = near[j], far[j]
