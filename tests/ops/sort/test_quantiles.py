"""Quantiles."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.quantile(singles, 0.3)",
    "torch.quantile(singles, torch.tensor([0.0, 0.5, 1.0]), 1)",
    "torch.quantile(singles, 0.6, 0, True)",
    "torch.quantile(specials, 0.5)",
    "torch.nanquantile(specials, 0.5)",
    "torch.nanquantile(specials, torch.tensor([0.2, 0.7]), 0, True)",
    'torch.quantile(singles, 0.3, 1, interpolation="lower")',
    'torch.quantile(singles, 0.3, 1, interpolation="higher")',
    'torch.quantile(singles, 0.3, 1, interpolation="midpoint")',
    'torch.quantile(singles, 0.3, 1, interpolation="nearest")',
    "singles.quantile(0.25)",
    "torch.quantile(singles, torch.tensor([0.1]), keepdim=True)",
]

SMOOTH = [
    "torch.quantile(a, 0.3)",
    "torch.quantile(a, 0.6, 1)",
]

REFUSED = [
    "torch.quantile(singles, 1.5)",
    "torch.quantile(ints, 0.5)",
    'torch.quantile(singles, 0.5, interpolation="x")',
    "torch.quantile(torch.ones(0), 0.5)",
    "torch.quantile(singles, square)",
]


@pytest.mark.parametrize("case", CASES)
def test_quantiles_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_quantiles_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_quantiles_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_quantile_at_places_that_require_gradients_is_differentiable():
    x = torch.tensor([3.0, 1.0, 2.0], dtype=torch.float64, requires_grad=True)
    q = torch.tensor([0.25, 0.5], dtype=torch.float64, requires_grad=True)
    y = torch.quantile(x, q)
    y.sum().backward()
    assert y.tolist() == [1.5, 2.0]
    assert x.grad.tolist() == [0.0, 0.5, 1.5]
    assert q.grad.tolist() == [2.0, 0.0]  # the median is an element: no neighbours
