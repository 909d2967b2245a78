"""Rounding."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.floor(a)",
    "torch.floor(f)",
    "torch.floor(v)",
    "torch.floor(k)",
    "torch.floor(e)",
    "torch.ceil(a)",
    "torch.ceil(f)",
    "torch.ceil(v)",
    "torch.ceil(k)",
    "torch.ceil(e)",
    "torch.trunc(a)",
    "torch.trunc(f)",
    "torch.trunc(v)",
    "torch.trunc(k)",
    "torch.trunc(e)",
    "torch.round(a)",
    "torch.round(f)",
    "torch.round(v)",
    "torch.round(k)",
    "torch.round(e)",
    "torch.frac(a)",
    "torch.frac(f)",
    "torch.round(torch.tensor([0.5, 1.5, -2.5]))",
    "torch.round(a, decimals=1)",
    "torch.round(a * 100, decimals=-1)",
    "torch.fix(a)",
    "a.round(decimals=2)",
    "y = a * 1; y.floor_(); y",
    "y = a * 1; y.fix_(); y",
    "y = a * 1; y.frac_(); y",
    "k.t().floor().stride()",
    "k.t().round().stride()",
]

SMOOTH = [
    "torch.frac(a)",
]

REFUSED = [
    "torch.floor(m)",
    "torch.frac(k)",
    "torch.round(k, decimals=1)",
    "torch.trunc(z)",
    "torch.round(z)",
]


@pytest.mark.parametrize("case", CASES)
def test_roundings_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_roundings_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_roundings_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
