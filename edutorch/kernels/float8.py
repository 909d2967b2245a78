"""Numbers rounded to 8-bit floats as PyTorch rounds them."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

__all__ = ["to_float8"]

E4M3 = np.dtype(ml_dtypes.float8_e4m3fn)
E5M2 = np.dtype(ml_dtypes.float8_e5m2)
POWERS = np.dtype(ml_dtypes.float8_e8m0fnu)


def to_float8(x: Any, dtype: Any) -> Any:
    """An array of real numbers in an 8-bit floating dtype.

    Numbers beyond the range of e4m3fn become its largest number; with the other dtypes
    they become infinity, or nan if there is none. e8m0fnu holds powers of 2 without a
    sign.

    Example:
        >>> to_float8(np.array([500.0, -1.5]), E4M3).astype(np.float32)
        array([448. ,  -1.5], dtype=float32)
    """
    with np.errstate(all="ignore"):
        wide = np.asarray(x).astype(np.float32)
        if dtype == POWERS:
            return _exponents(wide)
        if dtype == E4M3:
            return np.clip(wide, -448, 448).astype(dtype)
        y = wide.astype(dtype)
    if dtype == E5M2:  # PyTorch's nan, one of many
        y.view(np.uint8)[np.isnan(wide)] |= 0x7F
    return y


def _exponents(x: Any) -> Any:
    """The nearest power of 2, in a tie the larger one; nan for infinities."""
    bits = np.ascontiguousarray(x).view(np.uint32).reshape(x.shape)
    exponent, rest = bits >> 23 & 0xFF, bits & 0x7FFFFF
    up = (rest > 0x400000) | ((rest == 0x400000) & (exponent > 0))
    y = np.where(exponent == 0xFF, 0xFF, exponent + up)
    return y.astype(np.uint8).view(POWERS)
