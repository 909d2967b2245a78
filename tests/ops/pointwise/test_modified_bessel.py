"""Modified Bessel functions."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.i0(a)",
    "torch.special.i0e(a)",
    "torch.special.i0e(zeroed)",
    "torch.special.i0e(singles)",
    "torch.special.i0e(ints)",
    "torch.special.i1(a)",
    "torch.special.i1(zeroed)",
    "torch.special.i1(singles)",
    "torch.special.i1(ints)",
    "torch.special.i1e(a)",
    "torch.special.i1e(zeroed)",
    "torch.special.i1e(singles)",
    "torch.special.i1e(ints)",
    "torch.special.modified_bessel_i0(singles + 4)",
    "torch.special.modified_bessel_i1(singles + 4)",
    "torch.special.modified_bessel_k0(singles + 4)",
    "torch.special.modified_bessel_k1(singles + 4)",
    "torch.special.scaled_modified_bessel_k0(singles + 4)",
    "torch.special.scaled_modified_bessel_k1(singles + 4)",
    "y = a * 1; y.i0_(); y",
    "torch.special.modified_bessel_k0(positive.float())",
]

SMOOTH = [
    "torch.i0(a)",
    "torch.special.i0e(a)",
    "torch.special.i1(a)",
    "torch.special.i1e(a)",
]

REFUSED = [
    "torch.i0(1.0)",
    "torch.i0(complexes)",
    "torch.special.i1e(complexes)",
    "torch.special.scaled_modified_bessel_k1(singles.bfloat16())",
]


@pytest.mark.parametrize("case", CASES)
def test_modified_bessel_functions_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_modified_bessel_functions_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_modified_bessel_functions_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("name", ["i1", "i1e"])
def test_slope_at_nan_is_that_at_0(name):
    x = torch.tensor([float("nan"), 0.0], requires_grad=True)
    getattr(torch.special, name)(x).sum().backward()
    assert x.grad.tolist() == [0.5, 0.5]
