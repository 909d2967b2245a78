"""Operations on bits."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "k & l",
    "m & n",
    "k & 6",
    "m & True",
    "6 & k",
    "e & k",
    "m & k",
    "k | l",
    "m | n",
    "k | 6",
    "m | True",
    "6 | k",
    "e | k",
    "m | k",
    "k ^ l",
    "m ^ n",
    "k ^ 6",
    "m ^ True",
    "6 ^ k",
    "e ^ k",
    "m ^ k",
    "~k",
    "~m",
    "~e",
    "torch.bitwise_not(k)",
    "k << 2",
    "k >> 1",
    "l << k.abs()",
    "k >> l.abs()",
    "e << 4",
    "e >> 1",
    "1 << k.abs()",
    "100 >> k.abs()",
    "k << 64",
    "k >> 64",
    "torch.bitwise_left_shift(k, 1)",
    "k.bitwise_and(l)",
    "y = k * 1; y &= l; y",
    "y = k * 1; y |= 1; y",
    "y = k * 1; y ^= l; y",
    "y = k * 1; y <<= 1; y",
    "y = k * 1; y >>= 1; y",
]

REFUSED = [
    "f & f",
    "~f",
    "k & 1.5",
    "m << True",
    "m >> True",
    "k & 2.5",
    "k | z",
    "torch.bitwise_and(k, f)",
]


@pytest.mark.parametrize("case", CASES)
def test_bits_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_bits_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
