"""Orthogonal polynomials."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "torch.special.hermite_polynomial_h(singles, 3)",
    "torch.special.hermite_polynomial_h(unit.detach(), 12)",
    "torch.special.hermite_polynomial_h(torch.tensor([-1.0, 0.0, 1.0, 2.0]), torch.tensor([[-1], [0], [1], [5]]))",
    "torch.special.hermite_polynomial_he(singles, 3)",
    "torch.special.hermite_polynomial_he(unit.detach(), 12)",
    "torch.special.hermite_polynomial_he(torch.tensor([-1.0, 0.0, 1.0, 2.0]), torch.tensor([[-1], [0], [1], [5]]))",
    "torch.special.laguerre_polynomial_l(singles, 3)",
    "torch.special.laguerre_polynomial_l(unit.detach(), 12)",
    "torch.special.laguerre_polynomial_l(torch.tensor([-1.0, 0.0, 1.0, 2.0]), torch.tensor([[-1], [0], [1], [5]]))",
    "torch.special.legendre_polynomial_p(singles, 3)",
    "torch.special.legendre_polynomial_p(unit.detach(), 12)",
    "torch.special.legendre_polynomial_p(torch.tensor([-1.0, 0.0, 1.0, 2.0]), torch.tensor([[-1], [0], [1], [5]]))",
    "torch.special.hermite_polynomial_h(singles, 150)",
]

REFUSED = [
    "torch.special.hermite_polynomial_h(complexes, 2)",
    "torch.special.legendre_polynomial_p(singles.half(), 2)",
]


@pytest.mark.parametrize("case", CASES)
def test_orthogonal_polynomials_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_orthogonal_polynomials_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
