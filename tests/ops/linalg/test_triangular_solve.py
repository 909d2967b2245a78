"""Equations with triangular matrices."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

SMOOTH = [
    "torch.linalg.solve_triangular(square, posdef[0], upper=True)",
]

REFUSED = [
    "torch.linalg.solve_triangular(square, a, upper=True)",
    "torch.linalg.solve_triangular(square, row, upper=True)",
    "torch.linalg.solve_triangular(square, posdef[0][:, :2], upper=True, left=False)",
    "torch.triangular_solve(a, square)",
    "torch.linalg.solve_triangular(None, square, upper=True)",
    "torch.linalg.solve_triangular(square, 2.0, upper=True)",
    "torch.linalg.solve_triangular(ints[:, :2], ints, upper=True)",
    "torch.linalg.solve_triangular(square.half(), square.half(), upper=True)",
    "torch.triangular_solve(row, square)",
    "torch.triangular_solve(square, row)",
    "torch.triangular_solve(square, a)",
    "torch.triangular_solve(square, square.float())",
    "torch.triangular_solve(ints.t(), torch.ones(3, 3).long())",
    "torch.triangular_solve(None, square)",
    "torch.linalg.solve_triangular(squares, torch.ones(5, 3, 2).double(), upper=True)",
    "torch.triangular_solve(torch.ones(4, 5, 3, 2).double(), squares)",
]

COMPOSED = [
    "torch.triangular_solve(posdef[0], square)",
    "torch.triangular_solve(posdef[0], square, upper=False, transpose=True)",
    "torch.linalg.solve_triangular(square, posdef[0], upper=False, unitriangular=True)",
    "torch.linalg.solve_triangular(square, posdef[0], upper=True, left=False)",
    "torch.triangular_solve(input=posdef, A=square)",
    "[y.stride() for y in torch.triangular_solve(posdef, square)]",
    "torch.linalg.solve_triangular(input=square, B=posdef, upper=True).stride()",
    "torch.linalg.solve_triangular(torch.zeros(2, 2), torch.ones(2, 1), upper=True)",
    "torch.linalg.solve_triangular(torch.tensor([[1.0, 0], [2, 0]]), torch.ones(2, 1), upper=False)",
    "torch.linalg.solve_triangular(square, posdef, upper=True, left=False).stride()",
]


@pytest.mark.parametrize("case", SMOOTH)
def test_triangular_equations_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_triangular_equations_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_triangular_equations_equal_pytorch(case):
    alike(__file__, case)


def test_right_side_of_another_dtype_is_taken_as_the_matrix_is():
    b = torch.ones(2, 1, dtype=torch.float64)
    x = torch.linalg.solve_triangular(torch.eye(2), b, upper=True)
    assert x.dtype is torch.float32 and x.tolist() == [[1], [1]]
