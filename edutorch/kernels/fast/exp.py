"""Exponentials without branches or library calls, so that LLVM vectorises them."""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.fast.compiling import helper

__all__ = ["exp_nonpositive", "expm1_float32"]

# Adding this to a small number leaves the nearest integer in the lowest bits.
ROUNDING = np.float64(1.5 * 2**52)
LN2 = np.float64(0.6931471805599453)


@helper
def exp_nonpositive(x: Any) -> Any:
    """exp(x) for x <= 0 in single precision, with a relative error below 2e-7.

    Results below 1e-38 become 0; nan stays nan.

    Math: exp(x) = 2^n exp(r), n = round(x / log 2), |r| <= log 2 / 2; exp(r) by a
        polynomial, 2^n by setting the exponent bits of a float

    Reference: Moshier (1989), "Methods and programs for mathematical functions".
    """
    n = np.floor(x * np.float32(1.44269504088896341) + np.float32(0.5))
    r = x - n * np.float32(
        0.693359375
    )  # log 2 as a sum of two numbers, the first exact
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


@helper
def expm1_float32(x: Any) -> Any:
    """exp(x) - 1 of a float32, computed in double precision to a relative 1e-12.

    Math: exp(x) - 1 = 2^n p + (2^n - 1), n = round(x / log 2), |r| <= log 2 / 2;
        p = exp(r) - 1 by its Taylor series
    """
    v = np.float64(x)
    v = max(v, np.float64(-40))  # the result is -1 in double precision
    v = min(v, np.float64(90))  # the result is infinite in single precision
    shifted = np.float64(v * np.float64(1.4426950408889634) + ROUNDING)
    r = v - (shifted - ROUNDING) * LN2
    bits = np.int64((shifted.view(np.int64) + np.int64(1023)) << np.int64(52))
    power = bits.view(np.float64)
    p = r * np.float64(1 / 3628800) + np.float64(1 / 362880)
    p = p * r + np.float64(1 / 40320)
    p = p * r + np.float64(1 / 5040)
    p = p * r + np.float64(1 / 720)
    p = p * r + np.float64(1 / 120)
    p = p * r + np.float64(1 / 24)
    p = p * r + np.float64(1 / 6)
    p = p * r + np.float64(0.5)
    p = p * r * r + r
    y = power * p + (power - np.float64(1))
    return v if v == np.float64(0) else y  # -0 stays -0
