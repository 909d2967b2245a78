"""Bessel functions."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "torch.special.airy_ai(unit.detach())",
    "torch.special.airy_ai(ints)",
    "torch.special.airy_ai(torch.tensor([-1e6, 1e6, -2e5]).double())",
    "torch.special.bessel_j0(unit.detach()[:1].expand(3, *unit.shape[1:])).stride()",
    "torch.special.bessel_j1(a)",
    "torch.special.bessel_j1(singles + 4)",
    "torch.special.bessel_y0(singles + 4)",
    "torch.special.bessel_y1(torch.tensor([1.0]))",
    "torch.special.bessel_j0(singles)",
    "torch.special.spherical_bessel_j0(singles)",
    "torch.special.spherical_bessel_j0(specials)",
    "torch.special.spherical_bessel_j0(specials[1])",
]

REFUSED = [
    "torch.special.bessel_y1(singles.half())",
    "torch.special.bessel_j0(complexes)",
    "torch.special.airy_ai(complexes)",
    "torch.special.spherical_bessel_j0(complexes)",
]


@pytest.mark.parametrize("case", CASES)
def test_bessel_functions_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_bessel_functions_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
