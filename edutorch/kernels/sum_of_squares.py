"""The sum of many squares, added in PyTorch's order.

# Note [Eight lanes]
PyTorch's norm uses a register of eight float32: each of its lanes adds every eighth
square sequentially; then the lanes are added in order, and the remaining squares. For a
million numbers this loses the fifth digit, which programs print, and use to clip
gradients. So the order is the same here. (NumPy's pairwise summation is more accurate.)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import add, ndarray

from edutorch.kernels.compiled import CompiledKernels

__all__ = ["sum_of_squares"]

LANES = 8
BLOCK = 2**13  # registers: 256 KB

_compiled = CompiledKernels("sum_of_squares")


def sum_of_squares(x: Any) -> Any:
    """Σ x² of float32 numbers that lie one after the other.

    Shape: (N) -> ()

    Example:
        >>> sum_of_squares(np.array([3, 4], np.float32)).item()
        25.0
    """
    stop = x.size - x.size % LANES
    registers = x[:stop].reshape(-1, LANES)
    rest = x[stop:]
    terms = np.append(_lane_sums(registers), rest * rest)
    return add.accumulate(terms)[-1]  # in turn, unlike `reduce`


def _lane_sums(registers: Any) -> Any:
    """Each lane's sum of squares. Shape: (M, 8) -> (8)"""
    lanes = np.zeros(LANES, np.float32)
    run = (
        _compiled.find("add_squares", registers) if type(registers) is ndarray else None
    )
    if run is not None:
        run(registers, lanes)
        return lanes
    for start in range(0, len(registers), BLOCK):
        squares = np.square(registers[start : start + BLOCK])
        squares[0] += lanes
        lanes = add.reduce(squares, 0)  # row after row
    return lanes
