"""Compiled loops of `kernels/multiply_add.py`."""

from __future__ import annotations

from typing import Any

from edutorch.kernels.fast.bounds import require
from edutorch.kernels.fast.compiling import kernel

__all__ = ["add_scaled"]


@kernel("void(T[::1], T[::1], T[::1], float64)")
def add_scaled(a: Any, b: Any, y: Any, factor: float) -> None:
    """Math: y = a + factor · b, by the processor's fused multiply-add if it has one."""
    require(a.size == b.size == y.size)
    scale = y.dtype.type(factor)
    for i in range(y.size):
        y[i] = a[i] + scale * b[i]
