"""a · b + c, rounded once, as by a processor's fused multiply-add instruction.

NumPy rounds the product before it adds. Where PyTorch's kernels do not, results differ
by their last digit, or by more near zero.

Reference: Dekker, 1971.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray

from edutorch.kernels.compiled import CompiledKernels, run_elementwise

__all__ = ["add_scaled", "multiply_add"]

# Up to this size, NumPy's way to round once in float32 costs two microseconds more than
# rounding twice; for a million numbers it takes seven times as long.
MAX_PLAIN_SIZE = 2**12

_compiled = CompiledKernels("multiply_add")


def add_scaled(a: Any, b: Any, factor: float) -> Any:
    """Return a + factor · b, in PyTorch's rounding where it costs little.

    It is rounded once by the compiled loop, and in float32 for small arrays; otherwise
    the product is rounded, too.

    Example:
        >>> add_scaled(np.ones(2, np.float32), np.ones(2, np.float32), 0.5).tolist()
        [1.5, 1.5]
    """
    if type(a) is ndarray and type(b) is ndarray:
        y = _add_scaled_compiled(a, b, factor)
        if y is not None:
            return y
        if a.dtype.char == b.dtype.char == "f" and a.size <= MAX_PLAIN_SIZE:
            exact = np.multiply(b, float(np.float32(factor)), dtype=np.float64)
            return (a + exact).astype(np.float32)
    return a + factor * b


def _add_scaled_compiled(a: Any, b: Any, factor: float) -> Any:
    """The result of the compiled loop, or None."""
    if a.shape != b.shape:
        return None
    run = _compiled.find("add_scaled", a, b)
    if run is None:
        return None
    y = np.empty_like(a)
    run_elementwise(run, a, b, y, settings=(factor,))
    return y


def multiply_add(a: Any, b: Any, c: Any) -> Any:
    """Return a · b + c, rounded once, of float32 or float64 arrays and numbers.

    Example:
        >>> a = np.float32([1 + 2**-12])
        >>> multiply_add(a, a, -a * a).tolist() == [2**-24]
        True
    """
    with np.errstate(over="ignore", invalid="ignore"):
        if np.result_type(a, b, c) == np.float32:
            # `c` comes first: on the meta device, it decides about strides.
            return (c + np.float64(a) * b).astype(np.float32)
        product, error = _exact_product(a, b)
        total = product + c
        rest = total - product
        error = error + ((product - (total - rest)) + (c - rest))
        exact = total + error
    # The halves of very large numbers overflow.
    return np.where(np.isfinite(error), exact, total)


def _exact_product(x: Any, y: Any) -> Any:
    """The rounded product and what rounding lost."""
    x_high, x_low = _halves(x)
    y_high, y_low = _halves(y)
    product = x * y
    error = x_high * y_high - product + x_high * y_low + x_low * y_high + x_low * y_low
    return product, error


def _halves(x: Any) -> Any:
    """Two float64 of half the digits each, whose sum is x."""
    shifted = x * (2.0**27 + 1)
    high = shifted - (shifted - x)
    return high, x - high
