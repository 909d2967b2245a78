"""Compiled loops of `kernels/box_muller.py`, bit for bit as in PyTorch.

PyTorch uses these polynomials to fill large tensors with normal numbers. Some of its
multiplications are fused with an addition, so that only the sum is rounded. Here these
are calls of `fma`; no others are fused (`unfused`), because the last bits would differ.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.fast.bounds import require
from edutorch.kernels.fast.compiling import SINGLE, helper, kernel, unfused

__all__ = ["box_muller"]

CHUNK = 128  # blocks of 16 numbers, so that intermediate results stay in the cache
HALF, ONE, MINUS_TWO = np.float32(0.5), np.float32(1), np.float32(-2)
ROOT_HALF = np.float32(0.5**0.5)
# log 2 as a sum of two numbers, and pi / 4 as a sum of three. The first ones have few
# digits, so that their products with small integers are exact.
LOG_2_HIGH, LOG_2_LOW = np.float32(0.693359375), np.float32(-2.12194440e-4)
PI_HIGH, PI_MIDDLE = np.float32(0.78515625), np.float32(2.4187564849853515625e-4)
PI_LOW = np.float32(3.77489497744594108e-8)
TURN, OCTANTS = np.float32(2 * np.pi), np.float32(4 / np.pi)
MANTISSA, EXPONENT_OF_HALF = np.int32(0x007FFFFF), np.int32(0x3F000000)


@helper
def fma(a: Any, b: Any, c: Any) -> Any:
    """`a * b + c`, rounded once if the processor has such an instruction."""
    return a * b + c


@unfused
def logarithm(x: Any, bits: Any) -> Any:
    """The logarithm of a positive normal number; `bits` is x as an integer.

    Math: x = 2^e m, sqrt(1/2) <= m < sqrt(2); log x = e log 2 + log m; log m by a
        polynomial in m - 1

    Reference: Moshier (1989), "Methods and programs for mathematical functions".
    """
    m = np.int32((bits & MANTISSA) | EXPONENT_OF_HALF).view(np.float32)
    e = np.float32((bits >> np.int32(23)) - np.int32(126))
    low = m < ROOT_HALF
    r = (m + m if low else m) - ONE
    e = e - ONE if low else e
    p = fma(np.float32(7.0376836292e-2), r, np.float32(-1.1514610310e-1))
    p = fma(p, r, np.float32(1.1676998740e-1))
    p = fma(p, r, np.float32(-1.2420140846e-1))
    p = fma(p, r, np.float32(1.4249322787e-1))
    p = fma(p, r, np.float32(-1.6668057665e-1))
    p = fma(p, r, np.float32(2.0000714765e-1))
    p = fma(p, r, np.float32(-2.4999993993e-1))
    p = fma(p, r, np.float32(3.3333331174e-1))
    square = r * r
    p = fma(p * r, square, e * LOG_2_LOW) - square * HALF
    return (r + p) + e * LOG_2_HIGH


@unfused
def radii(x: Any, y: Any) -> None:
    """Math: y = sqrt(-2 log x) for 0 < x <= 1."""
    bits = x.view(np.int32)
    for i in range(x.size):
        y[i] = np.sqrt(MINUS_TWO * logarithm(x[i], bits[i]))


@unfused
def cosines_and_sines(u: Any, cosines: Any, sines: Any) -> None:
    """Cosine and sine of the angle 2 pi u, 0 <= u < 1.

    Math: x = k pi/4 + r, k even, |r| <= pi/4; cosine and sine of r by polynomials,
        swapped and negated depending on k

    Reference: Moshier (1989), "Methods and programs for mathematical functions".
    """
    for i in range(u.size):
        x = TURN * u[i]
        k = (np.int32(x * OCTANTS) + np.int32(1)) & np.int32(-2)
        y = np.float32(k)
        r = fma(-y, PI_LOW, (x - y * PI_HIGH) - y * PI_MIDDLE)
        s = r * r
        p = fma(np.float32(2.443315711809948e-5), s, np.float32(-1.388731625493765e-3))
        p = fma(p, s, np.float32(4.166664568298827e-2))
        cosine = fma(p * s, s, -(s * HALF)) + ONE
        p = fma(np.float32(-1.9515295891e-4), s, np.float32(8.3321608736e-3))
        p = fma(p, s, np.float32(-1.6666654611e-1))
        sine = fma(p * s, r, r)
        swap = (k & np.int32(2)) != 0
        c, z = (sine, cosine) if swap else (cosine, sine)
        cosines[i] = -c if (k + np.int32(2)) & np.int32(4) else c
        sines[i] = -z if k & np.int32(4) else z


@kernel("void(T[:,:,::1], T[:,:,::1])", SINGLE, fastmath=False)
def box_muller(u: Any, x: Any) -> None:
    """Normal numbers x from uniform numbers u, a chunk at a time.

    Math: x[:, 0] = r cos(2 pi u[:, 1]), x[:, 1] = r sin(2 pi u[:, 1]) with
        r = sqrt(-2 log(1 - u[:, 0]))
    Shape: (N, 2, 8) -> (N, 2, 8)
    """
    require(u.shape == x.shape and u.shape[1:] == (2, 8))
    scratch = np.empty((5, CHUNK, 8), u.dtype)
    radius_u, angle_u, radius, cosines, sines = (
        scratch[0], scratch[1], scratch[2], scratch[3], scratch[4],
    )  # fmt: skip
    for start in range(0, len(u), CHUNK):
        n = min(CHUNK, len(u) - start)
        for i in range(n):
            for j in range(8):
                radius_u[i, j] = ONE - u[start + i, 0, j]
                angle_u[i, j] = u[start + i, 1, j]
        radii(radius_u.reshape(-1)[: 8 * n], radius.reshape(-1))
        cosines_and_sines(
            angle_u.reshape(-1)[: 8 * n], cosines.reshape(-1), sines.reshape(-1)
        )
        for i in range(n):
            for j in range(8):
                x[start + i, 0, j] = radius[i, j] * cosines[i, j]
                x[start + i, 1, j] = radius[i, j] * sines[i, j]
