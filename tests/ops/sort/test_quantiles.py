"""Quantiles."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.quantile(f, 0.3)",
    "torch.quantile(f, torch.tensor([0.0, 0.5, 1.0]), 1)",
    "torch.quantile(f, 0.6, 0, True)",
    "torch.quantile(v, 0.5)",
    "torch.nanquantile(v, 0.5)",
    "torch.nanquantile(v, torch.tensor([0.2, 0.7]), 0, True)",
    'torch.quantile(f, 0.3, 1, interpolation="lower")',
    'torch.quantile(f, 0.3, 1, interpolation="higher")',
    'torch.quantile(f, 0.3, 1, interpolation="midpoint")',
    'torch.quantile(f, 0.3, 1, interpolation="nearest")',
    "f.quantile(0.25)",
    "torch.quantile(f, torch.tensor([0.1]), keepdim=True)",
]

SMOOTH = [
    "torch.quantile(a, 0.3)",
    "torch.quantile(a, 0.6, 1)",
]

REFUSED = [
    "torch.quantile(f, 1.5)",
    "torch.quantile(k, 0.5)",
    'torch.quantile(f, 0.5, interpolation="x")',
    "torch.quantile(torch.ones(0), 0.5)",
    "torch.quantile(f, q)",
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
