"""Differences and integrals."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.diff(k, 0)",
    "torch.diff(k, 2)",
    "torch.diff(m)",
    "torch.diff(k, prepend=k[:, :1], append=k)",
    "torch.diff(f, dim=0)",
    "torch.trapezoid(f)",
    "torch.trapz(f, f)",
    "torch.trapezoid(f, dx=0.5, dim=0)",
    "torch.cumulative_trapezoid(f)",
    "torch.cumulative_trapezoid(f, torch.tensor([1.0, 2.0, 4.0]))",
    "torch.diff(k, 5)",
    "torch.diff(k, axis=0)",
]

SMOOTH = [
    "torch.diff(a, 2)",
    "torch.trapezoid(a, b)",
    "torch.cumulative_trapezoid(a, r)",
]

REFUSED = [
    "torch.diff(s)",
    "torch.diff(a, -1)",
    "torch.diff([])",
]


@pytest.mark.parametrize("case", CASES)
def test_differences_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_differences_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_differences_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
