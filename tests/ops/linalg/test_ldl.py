"""Symmetric matrices that need not be positive."""

import pytest

import edutorch
from tests.ops.cases import alike, refused

CASES = [
    "torch.linalg.ldl_factor((square + square.mT).detach())",
    "torch.linalg.ldl_factor_ex(torch.zeros(2, 2))",
    "torch.linalg.ldl_factor(complexes.detach() + complexes.mT.detach())",
    "torch.linalg.ldl_factor(complexes.detach() + complexes.mH.detach(), hermitian=True)",
    "x = (squares + squares.mT).detach(); torch.linalg.ldl_solve(*torch.linalg.ldl_factor(x), posdef.detach())",
    "x = complexes.detach() + complexes.mH.detach(); torch.linalg.ldl_solve(*torch.linalg.ldl_factor(x, hermitian=True), x, hermitian=True)",
    "x = complexes.detach() + complexes.mT.detach(); torch.linalg.ldl_solve(*torch.linalg.ldl_factor(x), x)",
    "x = torch.tensor([[0.0, 1, 2], [1, 0, 3], [2, 3, 0]]); torch.linalg.ldl_solve(*torch.linalg.ldl_factor(x), torch.eye(3))",
    "torch.linalg.ldl_solve(torch.tensor([[2.0, 0], [3, 4]]), torch.ones(2, dtype=torch.int32), torch.eye(2))",
    "[y.stride() for y in torch.linalg.ldl_factor(input=squares)]",
]

REFUSED = [
    "torch.linalg.ldl_factor(a)",
    "torch.linalg.ldl_factor(row)",
    "torch.linalg.ldl_solve(posdef[0], torch.tensor([1, 2, 3], dtype=torch.int32), row)",
    "torch.linalg.ldl_solve(posdef[0], torch.tensor([1, 2, 3], dtype=torch.int32), a)",
    "torch.linalg.ldl_factor(None)",
    "torch.linalg.ldl_factor(square.half())",
    "torch.linalg.ldl_factor_ex(2)",
    "torch.linalg.ldl_solve(None, row, row)",
    "torch.linalg.ldl_solve(singles[:, :2], torch.tensor([1, 2]), singles[:, :2] + 1j)",
]


@pytest.mark.parametrize("case", CASES)
def test_symmetric_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_symmetric_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_the_derivative_is_refused_by_the_name_of_the_function_that_has_none():
    x = edutorch.eye(2).requires_grad_()
    with pytest.raises(RuntimeError, match="derivative for aten::linalg_ldl_factor_ex"):
        edutorch.linalg.ldl_factor(x).LD.sum().backward()


def test_solution_with_a_singular_block_is_not_finite():
    packed = edutorch.tensor([[3.0, 0, 0], [0, 0, 0], [1, 0, 2]])
    pivots = edutorch.tensor([1, 2, 3], dtype=edutorch.int32)
    y = edutorch.linalg.ldl_solve(packed, pivots, edutorch.ones(3, 1)).flatten()
    assert [str(v) for v in y.tolist()] == ["nan", "inf", "0.0"]
