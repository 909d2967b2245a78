"""Points and degrees of orthogonal polynomials."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "torch.special.legendre_polynomial_p(ints, ints2)",
    "torch.special.legendre_polynomial_p(0.5, ints2)",
    "torch.special.legendre_polynomial_p(singles, torch.tensor([2.7], dtype=torch.float64))",
    "torch.special.legendre_polynomial_p(singles, 3, out=torch.zeros(2, 3))",
    "torch.special.legendre_polynomial_p(a, 2)",
]

REFUSED = [
    "torch.special.legendre_polynomial_p(2, 3)",
]


@pytest.mark.parametrize("case", CASES)
def test_points_and_degrees_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_points_and_degrees_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
