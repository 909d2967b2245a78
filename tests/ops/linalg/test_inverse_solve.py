"""Inverses, powers and linear equations."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.inverse(square)",
    "torch.linalg.inv(squares)",
    "torch.linalg.inv(A=square)",
    "torch.inverse(input=square)",
    "torch.linalg.inv(squares).stride()",
    "torch.linalg.inv(torch.zeros(2, 0, 0))",
    "torch.linalg.matrix_power(squares, 0).detach()",
]

SMOOTH = [
    "torch.inverse(square)",
    "torch.linalg.solve(square, row)",
    "torch.linalg.solve(squares, posdef)",
    "torch.linalg.inv(complexes)",
    "torch.matrix_power(square, 3)",
]

REFUSED = [
    "torch.linalg.inv(a)",
    "torch.linalg.inv(torch.zeros(2, 2))",
    "torch.linalg.inv(row)",
    "torch.linalg.solve(torch.ones(2, 2), torch.ones(2))",
    "torch.linalg.inv(torch.stack([torch.eye(2), torch.ones(2, 2)]))",
    "torch.linalg.solve(square, a)",
    "torch.linalg.solve(square.half(), square.half())",
    "torch.linalg.solve(None, square)",
    "torch.linalg.solve(square, None)",
    "torch.linalg.inv([1.0])",
    "torch.inverse(2)",
    "torch.linalg.inv(square.half())",
    "torch.linalg.matrix_power(square, 2.0)",
    "torch.linalg.matrix_power(None, 2)",
    "torch.linalg.matrix_power(row, 2)",
    "torch.linalg.matrix_power(torch.ones(2, 2).long(), -1)",
    "torch.linalg.inv(square.detach(), out=torch.empty(3, 3))",
    "torch.linalg.slogdet(square.detach(), out=(torch.empty(()), torch.empty(())))",
    "torch.linalg.solve(squares, torch.ones(5, 3, 2).double())",
]


@pytest.mark.parametrize("case", CASES)
def test_inverses_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_inverses_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_inverses_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


COMPOSED = [
    "torch.linalg.solve(square, row)",
    "torch.linalg.solve(squares, posdef)",
    "torch.linalg.solve(squares, posdef, left=False)",
    "torch.matrix_power(square, 5)",
    "torch.matrix_power(squares, -2)",
    "torch.matrix_power(ints @ ints.t(), 3)",
    "torch.matrix_power(square.half(), 2)",
    "torch.matrix_power(square, 0).requires_grad",
    "torch.linalg.solve(squares, posdef).stride()",
    "torch.linalg.solve(squares, posdef, left=False).stride()",
    "torch.linalg.solve(squares, row).stride()",
    "torch.linalg.solve(squares, a).stride()",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_inverses_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("n", [0, 1])
def test_trivial_matrix_powers_are_row_by_row_in_memory_of_their_own(n):
    x = edutorch.rand(2, 3, 3).mT
    y = edutorch.linalg.matrix_power(x, n)
    assert y.stride() == (9, 3, 1)
    assert y.data_ptr() != x.data_ptr()
