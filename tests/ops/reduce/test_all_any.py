"""Counting and testing."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "m.all()",
    "m.any()",
    "torch.all(m, 1)",
    "torch.any(m, 0, True)",
    "k.all()",
    "torch.all(e)",
    "torch.any(e, 1)",
    "torch.all(a)",
    "torch.any(o, 1)",
    "torch.all(torch.ones(0))",
    "torch.any(torch.ones(0))",
    "torch.all(m, dim=(0, 1))",
    "torch.count_nonzero(o)",
    "torch.count_nonzero(o, 1)",
    "torch.count_nonzero(k, (0, 1))",
    "m.count_nonzero()",
    "v.any()",
    "k.all(())",
    "m.any([])",
    "torch.all(k, 1, out=torch.empty(2, dtype=torch.bool))",
]

REFUSED = [
    "m.all(2)",
    "torch.all(k, 1, out=torch.empty(2))",
]


@pytest.mark.parametrize("case", CASES)
def test_counts_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_counts_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
