"""Compiled conversion to float16, bit for bit as in NumPy."""

import numpy as np
import pytest

from edutorch.kernels.fast import casts as fast

RNG = np.random.default_rng(0)


def test_every_half_becomes_the_single_of_its_value():
    x = np.arange(2**16, dtype=np.uint16)
    y = np.empty(x.size, np.float32)
    fast.float32_from_float16(x, y)
    assert y.tobytes() == x.view(np.float16).astype(np.float32).tobytes()


@pytest.mark.parametrize("exponents", [(0, 256), (100, 145)])
@pytest.mark.parametrize("fraction", [0x7FFFFF, 0x7FF000, 0x001FFF])
@pytest.mark.filterwarnings("ignore:overflow")  # which is what is compared
def test_singles_are_rounded_to_halves_as_by_numpy(exponents, fraction):
    n = 50_000
    bits = RNG.integers(*exponents, n, np.uint32) << 23
    bits |= RNG.integers(0, 2**23, n, np.uint32) & fraction
    bits |= RNG.integers(0, 2, n, np.uint32) << 31
    y = np.empty(n, np.uint16)
    fast.float16_from_float32(bits.view(np.float32), y)
    assert y.tobytes() == bits.view(np.float32).astype(np.float16).tobytes()
