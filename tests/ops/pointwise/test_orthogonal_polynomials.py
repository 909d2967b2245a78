"""Orthogonal polynomials."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "torch.special.hermite_polynomial_h(f, 3)",
    "torch.special.hermite_polynomial_h(u.detach(), 12)",
    "torch.special.hermite_polynomial_h(torch.tensor([-1.0, 0.0, 1.0, 2.0]), torch.tensor([[-1], [0], [1], [5]]))",
    "torch.special.hermite_polynomial_he(f, 3)",
    "torch.special.hermite_polynomial_he(u.detach(), 12)",
    "torch.special.hermite_polynomial_he(torch.tensor([-1.0, 0.0, 1.0, 2.0]), torch.tensor([[-1], [0], [1], [5]]))",
    "torch.special.laguerre_polynomial_l(f, 3)",
    "torch.special.laguerre_polynomial_l(u.detach(), 12)",
    "torch.special.laguerre_polynomial_l(torch.tensor([-1.0, 0.0, 1.0, 2.0]), torch.tensor([[-1], [0], [1], [5]]))",
    "torch.special.legendre_polynomial_p(f, 3)",
    "torch.special.legendre_polynomial_p(u.detach(), 12)",
    "torch.special.legendre_polynomial_p(torch.tensor([-1.0, 0.0, 1.0, 2.0]), torch.tensor([[-1], [0], [1], [5]]))",
    "torch.special.hermite_polynomial_h(f, 150)",
]

REFUSED = [
    "torch.special.hermite_polynomial_h(z, 2)",
    "torch.special.legendre_polynomial_p(f.half(), 2)",
]


@pytest.mark.parametrize("case", CASES)
def test_orthogonal_polynomials_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_orthogonal_polynomials_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
