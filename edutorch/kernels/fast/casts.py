"""Compiled loops of `kernels/casts.py`: float16 to float32 and back.

NumPy converts one number at a time. These loops have no branches, so LLVM vectorises
them; a float16 is passed as its 16 bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.fast.bounds import require
from edutorch.kernels.fast.compiling import SINGLE, kernel

__all__ = ["float16_from_float32", "float32_from_float16"]

U = np.uint32
MAGNITUDE, SHIFT = U(0x7FFFFFFF), U(13)  # float16 has 13 bits of the fraction less
INFINITY, NAN_BITS = U(0x7F800000), U(0x7FFFFF)
TOO_LARGE = U(0x47800000)  # 65536, from which on float16 is infinite
NORMAL = U(0x38800000)  # 2^-14, below which float16 has subnormal numbers
REBIAS = U(112 << 23)  # the exponents' biases are 127 and 15
HALF_UNIT = U(0xFFF)  # with the lowest bit that stays, rounds to even
ALIGNING = np.float32(0.5)  # its unit in the last place is float16's smallest number
ALIGNING_BITS, SMALLEST_NORMAL = ALIGNING.view(U), NORMAL.view(np.float32)


@kernel("void(T[::1], uint16[::1])", SINGLE, fastmath=False)
def float16_from_float32(x: Any, y: Any) -> None:
    """The bits of float16 nearest to float32, ties to even; nan keeps its high bits."""
    require(x.size == y.size)
    for i in range(x.size):
        bits = np.float32(x[i]).view(np.uint32)
        size = U(bits & MAGNITUDE)
        sign = U(U(bits ^ size) >> U(16))
        odd = U(U(size >> SHIFT) & U(1))
        found = U(U(U(size - REBIAS) + U(HALF_UNIT + odd)) >> SHIFT)
        tiny = np.float32(abs(x[i]) + ALIGNING).view(np.uint32)
        found = U(tiny - ALIGNING_BITS) if size < NORMAL else found
        payload = U(U(size & NAN_BITS) >> SHIFT)
        nan = U(U(0x7C00) + (payload if payload > U(0) else U(1)))
        found = U(0x7C00) if size >= TOO_LARGE else found
        found = nan if size > INFINITY else found
        y[i] = np.uint16(found | sign)


@kernel("void(T[::1], float32[::1])", ("uint16",), fastmath=False)
def float32_from_float16(x: Any, y: Any) -> None:
    """The float32 of the same value as the bits of float16."""
    require(x.size == y.size)
    for i in range(x.size):
        bits = U(x[i])
        size = U(U(bits & U(0x7FFF)) << SHIFT)
        sign = U(U(bits & U(0x8000)) << U(16))
        found = U(size + REBIAS)
        # A subnormal number counts units of 2^-24: they are aligned by a subtraction.
        tiny = U(found + U(1 << 23)).view(np.float32) - SMALLEST_NORMAL
        exponent = U(size & U(0x0F800000))
        found = np.float32(tiny).view(np.uint32) if exponent == U(0) else found
        found = U(found + REBIAS) if exponent == U(0x0F800000) else found
        y[i] = U(found | sign).view(np.float32)
