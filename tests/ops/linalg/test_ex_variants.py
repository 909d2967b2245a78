"""Matrix functions that return an error code."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.linalg.inv_ex(square)",
    "torch.linalg.inv_ex(squares)",
    "torch.linalg.inv_ex(torch.ones(2, 2))",
    "torch.linalg.inv_ex(torch.stack([torch.eye(2), torch.ones(2, 2)]))",
    "torch.linalg.solve_ex(posdef, squares)",
    "torch.linalg.solve_ex(torch.ones(2, 2), torch.ones(2))",
    "torch.linalg.cholesky_ex(torch.tensor([[1.0, 2.0], [2.0, 1.0]]))",
    "torch.linalg.cholesky_ex(torch.full((2, 2), float('nan')))",
]

COMPOSED = [
    "torch.linalg.cholesky_ex(posdef)",
    "torch.linalg.cholesky_ex(posdef, upper=True)",
    "torch.linalg.solve_ex(square, row)",
    "torch.linalg.solve_ex(square, posdef, left=False)",
    "torch.linalg.cholesky_ex(input=posdef[0] + square.tril(-1), upper=True)",
    "[y.stride() for y in torch.linalg.cholesky_ex(posdef, upper=True)]",
    "[y.stride() for y in torch.linalg.inv_ex(A=squares)]",
    "[y.stride() for y in torch.linalg.solve_ex(squares, posdef)]",
]

SMOOTH = [
    "torch.linalg.inv_ex(square)[0]",
    "torch.linalg.solve_ex(square, row)[0]",
    "torch.linalg.cholesky_ex(posdef @ posdef.mT)[0]",
]

REFUSED = [
    "torch.linalg.inv_ex(torch.ones(2, 2), check_errors=True)",
    "torch.linalg.inv_ex(a)",
    "torch.linalg.solve_ex(torch.ones(2, 2), torch.ones(2), check_errors=True)",
    "torch.linalg.cholesky_ex(-posdef, check_errors=True)",
    "torch.linalg.solve_ex(square, row, left=False)",
    "torch.linalg.cholesky(torch.full((2, 2), float('nan')))",
    "torch.cholesky(-posdef[0])",
    "torch.linalg.inv_ex(None)",
    "torch.linalg.cholesky_ex(None)",
    "torch.linalg.solve_ex(square, None)",
    "torch.linalg.solve_ex(None, square)",
]


@pytest.mark.parametrize("case", CASES)
def test_ex_variants_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_reported_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_reported_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_reported_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
