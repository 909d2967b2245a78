"""Counting and testing."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "mask.all()",
    "mask.any()",
    "torch.all(mask, 1)",
    "torch.any(mask, 0, True)",
    "ints.all()",
    "torch.all(uint8s)",
    "torch.any(uint8s, 1)",
    "torch.all(a)",
    "torch.any(zeroed, 1)",
    "torch.all(torch.ones(0))",
    "torch.any(torch.ones(0))",
    "torch.all(mask, dim=(0, 1))",
    "torch.count_nonzero(zeroed)",
    "torch.count_nonzero(zeroed, 1)",
    "torch.count_nonzero(ints, (0, 1))",
    "mask.count_nonzero()",
    "specials.any()",
    "ints.all(())",
    "mask.any([])",
    "torch.all(ints, 1, out=torch.empty(2, dtype=torch.bool))",
    "torch.any(a[:1, :1] / 1000, out=torch.empty(0, dtype=torch.uint8))",
    "torch.all(a[:1, :1] * 256, 1, out=torch.empty(0, dtype=torch.uint8))",
    "torch.any(a / 1000, 0, out=torch.empty(0, dtype=torch.uint8))",
]

REFUSED = [
    "mask.all(2)",
    "torch.all(ints, 1, out=torch.empty(2))",
]


@pytest.mark.parametrize("case", CASES)
def test_counts_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_counts_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
