"""Bessel functions."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "torch.special.airy_ai(u.detach())",
    "torch.special.airy_ai(k)",
    "torch.special.bessel_j1(a)",
    "torch.special.bessel_j1(f + 4)",
    "torch.special.bessel_y0(f + 4)",
    "torch.special.bessel_y1(torch.tensor([1.0]))",
    "torch.special.bessel_j0(f)",
    "torch.special.spherical_bessel_j0(f)",
]

REFUSED = [
    "torch.special.bessel_y1(f.half())",
    "torch.special.bessel_j0(z)",
    "torch.special.airy_ai(z)",
    "torch.special.spherical_bessel_j0(z)",
]


@pytest.mark.parametrize("case", CASES)
def test_bessel_functions_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_bessel_functions_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
