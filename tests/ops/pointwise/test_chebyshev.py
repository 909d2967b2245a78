"""Chebyshev's polynomials."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "torch.special.chebyshev_polynomial_t(singles, 3)",
    "torch.special.chebyshev_polynomial_t(unit.detach(), 12)",
    "torch.special.chebyshev_polynomial_t(torch.tensor([-1.0, 0.0, 1.0, 2.0]), torch.tensor([[-1], [0], [1], [5]]))",
    "torch.special.chebyshev_polynomial_u(singles, 3)",
    "torch.special.chebyshev_polynomial_u(unit.detach(), 12)",
    "torch.special.chebyshev_polynomial_u(torch.tensor([-1.0, 0.0, 1.0, 2.0]), torch.tensor([[-1], [0], [1], [5]]))",
    "torch.special.chebyshev_polynomial_v(singles, 3)",
    "torch.special.chebyshev_polynomial_v(unit.detach(), 12)",
    "torch.special.chebyshev_polynomial_v(torch.tensor([-1.0, 0.0, 1.0, 2.0]), torch.tensor([[-1], [0], [1], [5]]))",
    "torch.special.chebyshev_polynomial_w(singles, 3)",
    "torch.special.chebyshev_polynomial_w(unit.detach(), 12)",
    "torch.special.chebyshev_polynomial_w(torch.tensor([-1.0, 0.0, 1.0, 2.0]), torch.tensor([[-1], [0], [1], [5]]))",
    "torch.special.shifted_chebyshev_polynomial_t(singles, 3)",
    "torch.special.shifted_chebyshev_polynomial_t(unit.detach(), 12)",
    "torch.special.shifted_chebyshev_polynomial_t(torch.tensor([-1.0, 0.0, 1.0, 2.0]), torch.tensor([[-1], [0], [1], [5]]))",
    "torch.special.shifted_chebyshev_polynomial_u(singles, 3)",
    "torch.special.shifted_chebyshev_polynomial_u(unit.detach(), 12)",
    "torch.special.shifted_chebyshev_polynomial_u(torch.tensor([-1.0, 0.0, 1.0, 2.0]), torch.tensor([[-1], [0], [1], [5]]))",
    "torch.special.shifted_chebyshev_polynomial_v(singles, 3)",
    "torch.special.shifted_chebyshev_polynomial_v(unit.detach(), 12)",
    "torch.special.shifted_chebyshev_polynomial_v(torch.tensor([-1.0, 0.0, 1.0, 2.0]), torch.tensor([[-1], [0], [1], [5]]))",
    "torch.special.shifted_chebyshev_polynomial_w(singles, 3)",
    "torch.special.shifted_chebyshev_polynomial_w(unit.detach(), 12)",
    "torch.special.shifted_chebyshev_polynomial_w(torch.tensor([-1.0, 0.0, 1.0, 2.0]), torch.tensor([[-1], [0], [1], [5]]))",
]

REFUSED = [
    "torch.special.chebyshev_polynomial_t(complexes, 2)",
    "torch.special.chebyshev_polynomial_u(singles.half(), 2)",
]


@pytest.mark.parametrize("case", CASES)
def test_chebyshev_polynomials_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_chebyshev_polynomials_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
