"""Norms of matrices."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.linalg.vector_norm(a)",
    "torch.linalg.vector_norm(a, 3, 1)",
    'torch.linalg.vector_norm(a, float("inf"), (0, 1), keepdim=True)',
    "torch.linalg.vector_norm(singles, 0)",
    "torch.linalg.vector_norm(a, 1)",
    "torch.linalg.vector_norm(zeroed, 0.5, 1)",
    "torch.linalg.vector_norm(complexes)",
    "torch.linalg.vector_norm(zeroed - zeroed)",
    "torch.linalg.vector_norm(singles, dtype=torch.float64)",
    "torch.linalg.norm(a)",
    "torch.linalg.norm(row, 3)",
    "torch.linalg.norm(a, dim=1)",
]

SMOOTH = [
    "torch.linalg.vector_norm(a)",
    "torch.linalg.vector_norm(a, 3, 1)",
    "torch.linalg.vector_norm(a, 1)",
    'torch.linalg.matrix_norm(a, "nuc")',
    "torch.linalg.norm(a, 2)",
    "torch.linalg.vector_norm(complexes)",
]

REFUSED = [
    "torch.nuclear_norm(row)",
    "torch.nuclear_norm(a, (0,))",
    "torch.linalg.vector_norm(ints)",
    "torch.linalg.matrix_norm(row)",
    "torch.linalg.matrix_norm(a, 3)",
    'torch.norm(a, "x")',
    "torch.linalg.norm(squares, 2)",
    "torch.linalg.matrix_norm(a, dim=(0, 0))",
    "torch.linalg.vector_norm(None)",
    "torch.linalg.vector_norm(row, 'x')",
    "torch.linalg.vector_norm(row, None)",
    "torch.linalg.vector_norm(row, 1j)",
    "torch.linalg.vector_norm(ints, dtype=torch.float64)",
    "torch.linalg.vector_norm(row, dtype=torch.float32)",
    "torch.linalg.vector_norm(complexes, dtype=torch.float64)",
    "torch.linalg.vector_norm(row, dtype=torch.complex128)",
    "torch.linalg.vector_norm(row, dtype=torch.int64)",
    "torch.linalg.matrix_norm(None)",
    "torch.linalg.matrix_norm(a, 1j)",
    "torch.linalg.matrix_norm(row, 3)",
    "torch.linalg.matrix_norm(a, None)",
    "torch.linalg.matrix_norm(a, 1, dtype=torch.float32)",
    "torch.linalg.matrix_norm(a.half(), 2)",
    "torch.linalg.matrix_norm(a.half(), 'nuc')",
    "torch.linalg.norm(3.0)",
    "torch.linalg.norm(squares, 2, (0, 1, 2))",
    "torch.norm(squares, 'nuc')",
    "torch.norm(a, 'nuc', dim=0)",
    "torch.linalg.cond(None)",
    "torch.linalg.cond(row)",
    "torch.linalg.cond(a, 1)",
    "torch.linalg.cond(square, 3)",
    "torch.linalg.cond(square, 'x')",
    "torch.linalg.cond(ints)",
    "torch.linalg.cond(square.half())",
    "torch.nuclear_norm(None)",
    "torch.frobenius_norm(None, 0)",
    "torch.linalg.cond(torch.ones(0, 3), 'fro')",
]


@pytest.mark.parametrize("case", CASES)
def test_norms_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_norms_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_norms_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


COMPOSED = [
    "torch.frobenius_norm(a, 1)",
    "torch.frobenius_norm(a, (0, 1), True)",
    "torch.nuclear_norm(a)",
    "torch.nuclear_norm(squares, (1, 2))",
    "torch.nuclear_norm(a, True)",
    "torch.norm(a)",
    "torch.norm(a, 1)",
    "torch.norm(a, dim=1, keepdim=True)",
    "torch.norm(a, 'nuc')",
    "torch.norm(a, float('inf'), 0)",
    "a.norm(3, -1)",
    "torch.linalg.matrix_norm(a)",
    "torch.linalg.matrix_norm(squares, 1)",
    "torch.linalg.matrix_norm(squares, float('-inf'), keepdim=True)",
    "torch.linalg.matrix_norm(squares, -2)",
    "torch.linalg.matrix_norm(squares, 2, dim=(0, 2))",
    "torch.linalg.norm(a, 2)",
    "torch.linalg.norm(torch.ones(5, 0), 1)",
    "torch.linalg.cond(square)",
    "torch.linalg.cond(squares.detach(), 1)",
    "torch.linalg.cond(square, -2)",
    "torch.linalg.cond(square, 'nuc')",
    "torch.linalg.cond(torch.ones(2, 2), 1)",
    "torch.linalg.cond(torch.stack([torch.eye(2), torch.tensor([[2.0, 1.0], [1.0, 3.0]])]), 'nuc')",
    "torch.linalg.cond(torch.zeros(2, 0, 0))",
    "torch.linalg.cond(torch.zeros(0, 0), 1)",
    "torch.linalg.cond(input=square.detach(), p='fro')",
    "torch.linalg.matrix_norm(input=a.half(), ord=1)",
    "torch.linalg.matrix_norm(singles.bfloat16(), 'fro', dtype=torch.float32)",
    "torch.linalg.norm(input=a, ord=float('inf'))",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_norms_equal_pytorch(case):
    alike(__file__, case)
