"""Operations on bits."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, refused

CASES = [
    "ints & ints2",
    "mask & mask2",
    "ints & 6",
    "mask & True",
    "6 & ints",
    "uint8s & ints",
    "mask & ints",
    "ints | ints2",
    "mask | mask2",
    "ints | 6",
    "mask | True",
    "6 | ints",
    "uint8s | ints",
    "mask | ints",
    "ints ^ ints2",
    "mask ^ mask2",
    "ints ^ 6",
    "mask ^ True",
    "6 ^ ints",
    "uint8s ^ ints",
    "mask ^ ints",
    "~ints",
    "~mask",
    "~uint8s",
    "torch.bitwise_not(ints)",
    "ints << 2",
    "ints >> 1",
    "ints2 << ints.abs()",
    "ints >> ints2.abs()",
    "uint8s << 4",
    "uint8s >> 1",
    "1 << ints.abs()",
    "100 >> ints.abs()",
    "ints << 64",
    "ints >> 64",
    "torch.bitwise_left_shift(ints, 1)",
    "torch.bitwise_left_shift(torch.ones(4, 3, 2).int().mT, torch.ones(2, 3).int()).stride()",
    "torch.bitwise_right_shift(torch.ones(4, 3, 2).byte().mT, torch.ones(2, 3).byte()).stride()",
    "ints.bitwise_and(ints2)",
    "y = ints * 1; y &= ints2; y",
    "y = ints * 1; y |= 1; y",
    "y = ints * 1; y ^= ints2; y",
    "y = ints * 1; y <<= 1; y",
    "y = ints * 1; y >>= 1; y",
]

REFUSED = [
    "singles & singles",
    "~singles",
    "ints & 1.5",
    "mask << True",
    "mask >> True",
    "ints & 2.5",
    "ints | complexes",
    "torch.bitwise_and(ints, singles)",
]


@pytest.mark.parametrize("case", CASES)
def test_bits_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_bits_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_reflected_and_is_no_call_of_rand():
    with pytest.raises(NotImplementedError, match='"bitwise_and_cpu" not implemented'):
        1.0 & torch.tensor([1])
