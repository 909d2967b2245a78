"""Compiled loops of `kernels/sum_of_squares.py`."""

from __future__ import annotations

from typing import Any

from edutorch.kernels.fast.bounds import require
from edutorch.kernels.fast.compiling import SINGLE, kernel

__all__ = ["add_squares"]


@kernel("void(T[:,::1], T[::1])", SINGLE, fastmath=False)
def add_squares(registers: Any, lanes: Any) -> None:
    """Add the squares of each column to its lane, row after row.

    Math: lanes_j += sum_i registers_ij²
    Shape: (M, 8), (8)

    The loop over the lanes is unrolled, so that the sums stay in one register.
    """
    require(registers.shape[1] == 8 and lanes.size == 8)
    a, b, c, d = lanes[0], lanes[1], lanes[2], lanes[3]
    e, f, g, h = lanes[4], lanes[5], lanes[6], lanes[7]
    for i in range(len(registers)):
        row = registers[i]
        a += row[0] * row[0]
        b += row[1] * row[1]
        c += row[2] * row[2]
        d += row[3] * row[3]
        e += row[4] * row[4]
        f += row[5] * row[5]
        g += row[6] * row[6]
        h += row[7] * row[7]
    lanes[0], lanes[1], lanes[2], lanes[3] = a, b, c, d
    lanes[4], lanes[5], lanes[6], lanes[7] = e, f, g, h
