"""Sums and softmax of sparse tensors."""

import pytest

import edutorch as torch
from edutorch.autograd import gradcheck, gradgradcheck
from tests.ops.sparse.shown import gradients, prints

CASES = [
    "S.sum()", "S.sum(0)", "S.sum(1)", "U.sum(0)", "S.sum(dim=0, keepdim=True)",
    "H.sum(0)", "H.sum(1)", "C.sum()", "C.sum(0)", "torch.sparse.sum(S)",
    "torch.sparse.sum(S, 0)", "torch.sparse.sum(U, 0)", "torch.sparse.sum(S, (0, 1))",
    "torch.sparse.sum(S, dtype=torch.float64)", "torch.sparse.sum(H, 0)",
    "torch.sparse.sum(H, 1)", "torch.sparse.sum(H, [0, 1])",
    "torch.sparse.sum(S.to(torch.int32))", "torch.sparse.sum(S.to(torch.int32), 0)",
    "torch.sparse.sum(D)", "torch.sparse.sum(D, 0)", "torch.sparse.softmax(S, 1)",
    "torch.sparse.softmax(U, 0)", "torch.sparse.log_softmax(S, 1)",
    "torch.sparse.softmax(S, 1, dtype=torch.float64)", "torch.sparse.softmax(H, 1)",
    "torch.sparse.softmax(H, 0)", "torch.sparse.log_softmax(H, 0)",
    "torch.sparse.log_softmax(H, 1)", "torch.sparse.softmax(S, 2)",
    "torch.sparse.softmax(D, 1)", "torch.sparse.softmax(C, 1)", "S.any()", "S.norm()",
    "torch.sparse.spdiags(torch.ones(2, 3), torch.tensor([0, 1]), (3, 3))",
    "torch.sparse.spdiags(D, torch.tensor([-1, 2]), (4, 3))",
    "C.sum(1, keepdim=True)",
    "C.sum(0, keepdim=True)",
    "torch.sparse.spdiags(None, torch.tensor([0]), (3, 3))",
    "torch.sparse.spdiags(D, [0, 1], (3, 3))",
    "torch.sparse.spdiags(D, torch.tensor([0., 1.]), (3, 3))",
    "torch.sparse.spdiags(D, torch.tensor([[0, 1]]), (3, 3))",
    "torch.sparse.spdiags(D, torch.tensor([0, 1]), (3, 3), torch.strided)",
    "torch.sparse.sum(None)",
    "torch.sparse.sum(S, ())",
    "torch.sparse.softmax(None, 0)",
    "torch.sparse.log_softmax(None, 0)",
]  # fmt: skip

SLOPES = [
    "SC.sum()", "C.sum()", "torch.sparse.sum(SC)", "torch.sparse.sum(SC, 0)",
    "torch.sparse.sum(SC, 1)", "torch.sparse.sum(U, 0)", "torch.sparse.sum(H, 0)",
    "torch.sparse.sum(H, 1)", "torch.sparse.softmax(SC, 1)",
    "torch.sparse.softmax(SC, 0)", "torch.sparse.log_softmax(SC, 1)",
    "torch.sparse.softmax(H, 0)", "torch.sparse.softmax(H, 1)",
    "torch.sparse.log_softmax(H, 1)",
]  # fmt: skip


@pytest.mark.parametrize("expression", CASES)
def test_reduce_prints_as_in_pytorch(expression: str):
    prints(expression)


@pytest.mark.parametrize("expression", SLOPES)
def test_reduce_gradients_are_pytorchs(expression: str):
    gradients(expression)


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "sum"])
def test_reduce_derivatives_are_those_of_differences(name: str):
    v = torch.tensor([1.0, -2.0, 0.5], dtype=torch.float64, requires_grad=True)

    def reduced(v):
        x = torch.sparse_coo_tensor([[0, 1, 1], [2, 0, 2]], v, (2, 3)).coalesce()
        return getattr(torch.sparse, name)(x * x, 1).to_dense()

    assert gradcheck(reduced, (v,))
    assert gradgradcheck(reduced, (v,))
