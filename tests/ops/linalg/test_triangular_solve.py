"""Equations with triangular matrices."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

SMOOTH = [
    "torch.linalg.solve_triangular(q, h[0], upper=True)",
]

REFUSED = [
    "torch.linalg.solve_triangular(q, a, upper=True)",
    "torch.linalg.solve_triangular(q, r, upper=True)",
    "torch.linalg.solve_triangular(q, h[0][:, :2], upper=True, left=False)",
    "torch.triangular_solve(a, q)",
    "torch.linalg.solve_triangular(None, q, upper=True)",
    "torch.linalg.solve_triangular(q, 2.0, upper=True)",
    "torch.linalg.solve_triangular(k[:, :2], k, upper=True)",
    "torch.linalg.solve_triangular(q.half(), q.half(), upper=True)",
    "torch.triangular_solve(r, q)",
    "torch.triangular_solve(q, r)",
    "torch.triangular_solve(q, a)",
    "torch.triangular_solve(q, q.float())",
    "torch.triangular_solve(k.t(), torch.ones(3, 3).long())",
    "torch.triangular_solve(None, q)",
    "torch.linalg.solve_triangular(Q, torch.ones(5, 3, 2).double(), upper=True)",
    "torch.triangular_solve(torch.ones(4, 5, 3, 2).double(), Q)",
]

COMPOSED = [
    "torch.triangular_solve(h[0], q)",
    "torch.triangular_solve(h[0], q, upper=False, transpose=True)",
    "torch.linalg.solve_triangular(q, h[0], upper=False, unitriangular=True)",
    "torch.linalg.solve_triangular(q, h[0], upper=True, left=False)",
    "torch.triangular_solve(input=h, A=q)",
    "[y.stride() for y in torch.triangular_solve(h, q)]",
    "torch.linalg.solve_triangular(input=q, B=h, upper=True).stride()",
    "torch.linalg.solve_triangular(torch.zeros(2, 2), torch.ones(2, 1), upper=True)",
    "torch.linalg.solve_triangular(torch.tensor([[1.0, 0], [2, 0]]), torch.ones(2, 1), upper=False)",
    "torch.linalg.solve_triangular(q, h, upper=True, left=False).stride()",
]


@pytest.mark.parametrize("case", SMOOTH)
def test_triangular_equations_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_triangular_equations_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_triangular_equations_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)


def test_right_side_of_another_dtype_is_taken_as_the_matrix_is():
    b = torch.ones(2, 1, dtype=torch.float64)
    x = torch.linalg.solve_triangular(torch.eye(2), b, upper=True)
    assert x.dtype is torch.float32 and x.tolist() == [[1], [1]]
