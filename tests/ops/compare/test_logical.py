"""Logical operations."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "torch.logical_and(m, n)",
    "torch.logical_and(k, l)",
    "torch.logical_and(a, o)",
    "torch.logical_and(o, m)",
    "torch.logical_or(m, n)",
    "torch.logical_or(k, l)",
    "torch.logical_or(a, o)",
    "torch.logical_or(o, m)",
    "torch.logical_xor(m, n)",
    "torch.logical_xor(k, l)",
    "torch.logical_xor(a, o)",
    "torch.logical_xor(o, m)",
    "torch.logical_not(o)",
    "torch.logical_not(m)",
    "torch.logical_not(z)",
    "y = m * 1; y.logical_and_(n); y",
    "y = f * 1; y.logical_not_(); y",
    "y = torch.empty(2, 3); torch.logical_or(m, n, out=y); y",
]

REFUSED = [
    "torch.logical_or(m, 1)",
]


@pytest.mark.parametrize("case", CASES)
def test_logic_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_logic_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
