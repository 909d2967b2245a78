"""Modified Bessel functions."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.i0(a)",
    "torch.special.i0e(a)",
    "torch.special.i0e(o)",
    "torch.special.i0e(f)",
    "torch.special.i0e(k)",
    "torch.special.i1(a)",
    "torch.special.i1(o)",
    "torch.special.i1(f)",
    "torch.special.i1(k)",
    "torch.special.i1e(a)",
    "torch.special.i1e(o)",
    "torch.special.i1e(f)",
    "torch.special.i1e(k)",
    "torch.special.modified_bessel_i0(f + 4)",
    "torch.special.modified_bessel_i1(f + 4)",
    "torch.special.modified_bessel_k0(f + 4)",
    "torch.special.modified_bessel_k1(f + 4)",
    "torch.special.scaled_modified_bessel_k0(f + 4)",
    "torch.special.scaled_modified_bessel_k1(f + 4)",
    "y = a * 1; y.i0_(); y",
    "torch.special.modified_bessel_k0(p.float())",
]

SMOOTH = [
    "torch.i0(a)",
    "torch.special.i0e(a)",
    "torch.special.i1(a)",
    "torch.special.i1e(a)",
]

REFUSED = [
    "torch.i0(1.0)",
    "torch.i0(z)",
    "torch.special.i1e(z)",
    "torch.special.scaled_modified_bessel_k1(f.bfloat16())",
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
