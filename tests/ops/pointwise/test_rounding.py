"""Rounding."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.floor(a)",
    "torch.floor(singles)",
    "torch.floor(specials)",
    "torch.floor(ints)",
    "torch.floor(uint8s)",
    "torch.ceil(a)",
    "torch.ceil(singles)",
    "torch.ceil(specials)",
    "torch.ceil(ints)",
    "torch.ceil(uint8s)",
    "torch.trunc(a)",
    "torch.trunc(singles)",
    "torch.trunc(specials)",
    "torch.trunc(ints)",
    "torch.trunc(uint8s)",
    "torch.round(a)",
    "torch.round(singles)",
    "torch.round(specials)",
    "torch.round(ints)",
    "torch.round(uint8s)",
    "torch.frac(a)",
    "torch.frac(singles)",
    "torch.round(torch.tensor([0.5, 1.5, -2.5]))",
    "torch.round(a, decimals=1)",
    "torch.round(a * 100, decimals=-1)",
    "torch.fix(a)",
    "a.round(decimals=2)",
    "y = a * 1; y.floor_(); y",
    "y = a * 1; y.fix_(); y",
    "y = a * 1; y.frac_(); y",
    "ints.t().floor().stride()",
    "ints.t().round().stride()",
]

SMOOTH = [
    "torch.frac(a)",
]

REFUSED = [
    "torch.floor(mask)",
    "torch.frac(ints)",
    "torch.round(ints, decimals=1)",
    "torch.trunc(complexes)",
    "torch.round(complexes)",
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
