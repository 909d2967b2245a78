"""Functions of one number, in single precision, that become vector instructions."""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.fast.compiling import helper

__all__ = ["exp_nonpositive"]


@helper
def exp_nonpositive(x: Any) -> Any:
    """The exponential of a number up to 0, to 2e-7 of its value; nan stays nan.

    Results below 1e-38 become 0.

    Math: exp(x) = 2^n exp(r), n = round(x / log 2), |r| <= log 2 / 2; exp(r) by a
        polynomial, 2^n by writing n where a float keeps its exponent

    Reference: Moshier (1989), "Methods and programs for mathematical functions".
    """
    n = np.floor(x * np.float32(1.44269504088896341) + np.float32(0.5))
    r = x - n * np.float32(0.693359375)  # log 2 in two parts: the first is exact
    r = r - n * np.float32(-2.12194440e-4)
    p = np.float32(1.9875691500e-4)
    p = p * r + np.float32(1.3981999507e-3)
    p = p * r + np.float32(8.3334519073e-3)
    p = p * r + np.float32(4.1665795894e-2)
    p = p * r + np.float32(1.6666665459e-1)
    p = p * r + np.float32(5.0000001201e-1)
    p = p * r * r + r + np.float32(1.0)
    bits = np.int32((np.int32(n) + np.int32(127)) << np.int32(23))
    if x > np.float32(-87.0):
        return p * bits.view(np.float32)
    return np.float32(0) if x == x else x
