"""Rows of tiles that the compiled loops of Winograd's convolutions share.

All tiles are two wide: along a row, their points are 0, 1, -1 and infinity.
"""

from __future__ import annotations

from typing import Any

from edutorch.kernels.fast.compiling import helper

__all__ = ["copy_padded_row", "transform_row", "write_row"]


@helper
def copy_padded_row(x: Any, left: int, padded: Any) -> None:
    """A row with zeros on both sides, or cut off; the zeros are there already."""
    near, far = max(0, -left), min(x.size, padded.size - left)
    source, target = x[near:far], padded[left + near : left + far]
    for j in range(source.size):
        target[j] = source[j]


@helper
def transform_row(d: Any, t: Any, start: int, wide: int) -> None:
    """Transform tiles of four, two apart, of a row by C': (2 wide + 2) -> (4, wide)."""
    first, second = t[0, start : start + wide], t[1, start : start + wide]
    third, last = t[2, start : start + wide], t[3, start : start + wide]
    for j in range(wide):
        first[j] = d[2 * j] - d[2 * j + 2]
        second[j] = d[2 * j + 1] + d[2 * j + 2]
        third[j] = d[2 * j + 2] - d[2 * j + 1]
        last[j] = d[2 * j + 1] - d[2 * j + 3]


@helper
def write_row(lines: Any, start: int, b: Any, row: Any) -> None:
    """Transform four numbers by D' into a row: (4, T) from `start` on -> (W)."""
    half = row.size // 2
    stop = start + half
    p, q = lines[0, start:stop], lines[1, start:stop]
    r, s = lines[2, start:stop], lines[3, start:stop]
    for j in range(half):
        row[2 * j] = p[j] + (q[j] + r[j]) + b
        row[2 * j + 1] = (q[j] - r[j]) - s[j] + b
    if row.size % 2:
        row[row.size - 1] = lines[0, stop] + (lines[1, stop] + lines[2, stop]) + b
