"""a · b + c, rounded once, as by a processor's fused multiply-add instruction.

NumPy rounds the product before it adds. Where PyTorch's kernels do not, results differ
by their last digit, or by more near zero.

Reference: Dekker, 1971.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["multiply_add"]


def multiply_add(a: Any, b: Any, c: Any) -> Any:
    """Return a · b + c, rounded once, of float32 or float64 arrays and numbers.

    Example:
        >>> a = np.float32([1 + 2**-12])
        >>> multiply_add(a, a, -a * a).tolist() == [2**-24]
        True
    """
    with np.errstate(over="ignore", invalid="ignore"):
        if np.result_type(a, b, c) == np.float32:
            return (np.float64(a) * b + c).astype(np.float32)
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
