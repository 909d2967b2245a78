"""The exponential of matrices."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.matrix_exp(square)",
    "torch.linalg.matrix_exp(squares)",
    "torch.matrix_exp(complexes)",
    "square.matrix_exp()",
    "torch.matrix_exp(square * 30)",
    "torch.matrix_exp(torch.zeros(0, 0))",
    "torch.matrix_exp(torch.full((2, 2), float('nan')))",
]

SMOOTH = [
    "torch.matrix_exp(square)",
    "torch.matrix_exp(complexes)",
]

REFUSED = [
    "torch.matrix_exp(a)",
    "torch.matrix_exp(row)",
    "torch.matrix_exp(torch.ones(2, 2, dtype=torch.int32))",
    "torch.linalg.matrix_exp([1.0])",
]


@pytest.mark.parametrize("case", CASES)
def test_exponential_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_exponential_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_exponential_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
