"""Differences and integrals."""

import pytest

import edutorch as torch
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


def test_places_of_more_dimensions_are_differenced_along_that_of_y():
    y, x = torch.ones(2, 2), torch.arange(32.0).view(2, 2, 2, 2, 2)
    assert torch.cumulative_trapezoid(y, x).shape == (2, 1, 2, 2, 2)
    with pytest.raises(RuntimeError, match="The size of tensor a .2. must match"):
        torch.trapezoid(torch.ones(2, 3), torch.ones(4, 2, 3))
