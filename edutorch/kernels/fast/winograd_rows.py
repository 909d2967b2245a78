"""Transforms of the rows of tiles, shared by both compiled Winograd convolutions.

Tiles have two outputs in a row; the interpolation points are 0, 1, -1 and infinity.
"""

from __future__ import annotations

from typing import Any

from edutorch.kernels.fast.compiling import helper

__all__ = ["copy_padded_row", "transform_row", "write_row"]


@helper
def copy_padded_row(x: Any, left: int, padded: Any) -> None:
    """Copy a row into the middle of a row of zeros, without what does not fit."""
    near, far = max(0, -left), min(x.size, padded.size - left)
    source, target = x[near:far], padded[left + near : left + far]
    for j in range(source.size):
        target[j] = source[j]


@helper
def transform_row(d: Any, t: Any, start: int, width: int) -> None:
    """Multiply the tiles of a row by Cᵀ: (2 width + 2) -> (4, width)."""
    first, second = t[0, start : start + width], t[1, start : start + width]
    third, last = t[2, start : start + width], t[3, start : start + width]
    for j in range(width):
        first[j] = d[2 * j] - d[2 * j + 2]
        second[j] = d[2 * j + 1] + d[2 * j + 2]
        third[j] = d[2 * j + 2] - d[2 * j + 1]
        last[j] = d[2 * j + 1] - d[2 * j + 3]


@helper
def write_row(lines: Any, start: int, b: Any, row: Any) -> None:
    """Multiply four numbers by Dᵀ, from tile `start` on, into a row: (4, T) -> (W)."""
    half = row.size // 2
    stop = start + half
    p, q = lines[0, start:stop], lines[1, start:stop]
    r, s = lines[2, start:stop], lines[3, start:stop]
    for j in range(half):
        row[2 * j] = p[j] + (q[j] + r[j]) + b
        row[2 * j + 1] = (q[j] - r[j]) - s[j] + b
    if row.size % 2:
        row[row.size - 1] = lines[0, stop] + (lines[1, stop] + lines[2, stop]) + b
