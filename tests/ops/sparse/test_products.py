"""Products of sparse matrices."""

import pytest

import edutorch as torch
from edutorch.autograd import gradcheck, gradgradcheck
from tests.ops.sparse.shown import gradients, prints

CASES = [
    "torch.mm(S, D.t())", "S @ D.t()", "S @ D[0]", "D.t() @ S", "D[:, 0] @ S", "U @ D.t()",
    "S.mm(S.t())", "S.t() @ S", "S.matmul(D.t())", "S.mv(D[0])",
    "torch.addmm(E, S, D.t())", "torch.sparse.addmm(E, S, D.t())",
    "torch.sparse.addmm(E, S, D.t(), beta=2, alpha=3)", "torch.sparse.mm(S, D.t())",
    "torch.sparse.mm(S, S.t())", "torch.sparse.mm(D, S.t())", "torch.smm(S, D.t())",
    "torch.hspmm(S, D.t())", "torch.sspaddmm(torch.eye(2).to_sparse(), S, D.t())",
    "torch.sspaddmm(torch.eye(2).to_sparse(), S, D.t(), beta=2, alpha=3)",
    "C @ D.t()", "C @ D[0]", "D.t() @ C", "D[:, 0] @ C", "torch.addmm(E, C, D.t())",
    "torch.sparse.addmm(E, C, D.t())", "torch.sparse.mm(C, D.t())",
    "torch.sparse.mm(D, C.t())", "torch.sparse.mm(D, D.t())",
    "torch.sparse.sampled_addmm(C, E, D)",
    "torch.sparse.sampled_addmm(C, E, D, beta=2., alpha=3.)",
    "torch.sparse.mm(S.int(), D.int().t())", "torch.mm(S.half(), D.half().t())",
    "torch.bmm(torch.ones(2, 2, 3).to_sparse(), D.reshape(2, 3, 1))",
    "torch.bmm(D.reshape(2, 1, 3).to_sparse(), torch.ones(2, 3, 2))",
    "torch.nn.functional.linear(E, torch.eye(2).to_sparse())",
    "torch.nn.functional.linear(torch.eye(2).to_sparse(), E)",
    "torch.bmm(S.unsqueeze(0), S.unsqueeze(0).transpose(1, 2))",
    "torch.saddmm(torch.eye(2).to_sparse(), S, D.t())", "torch.dsmm(S, D.t())", "torch.hsmm(S, D.t())",
    "torch.sparse.mm(S, E)", "torch.mm(S, S)", "torch.mm(D, S)",
    "torch.sparse.mm(S, D.double().t())", "torch.sparse.addmm(D, S, D)",
    "torch.sparse.mm(None, D)",
    "torch.sparse.mm(S, None)",
    "torch.smm(None, D)",
    "torch.hspmm(H, E)",
    "torch.sparse.mm(H, E)",
    "torch.sspaddmm(H, H, E)",
    "torch.smm(H, E)",
    "torch.sparse.sampled_addmm(S, E, D)",
    "torch.sparse.addmm(None, S, D)",
    "torch.sparse.addmm(E.long(), S, D.t())",
    "torch.sspaddmm(torch.eye(2).to_sparse(), S, D.t(), out=S)",
]  # fmt: skip

SLOPES = [
    "torch.sparse.mm(SC, D.t())",
    "torch.sparse.mm(U, D.t())",
    "torch.sparse.mm(C, D.t())",
    "torch.mm(SC, D.t())",
    "C @ D.t()",
    "SC @ D[0]",
    "D.t() @ SC",
    "D[:, 0] @ SC",
    "torch.sparse.addmm(D[:, :2], SC, D.t())",
    "torch.sparse.addmm(D[:, :2], SC, D.t(), beta=2., alpha=3.)",
    "torch.addmm(D[:, :2], SC, D.t())",
]


@pytest.mark.parametrize("expression", CASES)
def test_products_print_as_in_pytorch(expression: str):
    prints(expression)


@pytest.mark.parametrize("expression", SLOPES)
def test_products_gradients_are_pytorchs(expression: str):
    gradients(expression)


@pytest.mark.parametrize("layout", [torch.sparse_coo, torch.sparse_csr])
def test_products_derivatives_are_those_of_differences(layout):
    v = torch.tensor([1.0, -2.0, 0.5], dtype=torch.float64, requires_grad=True)
    x = torch.randn(3, 2, dtype=torch.float64, requires_grad=True)

    def product(v, x):
        a = torch.sparse_coo_tensor([[0, 1, 1], [2, 0, 2]], v, (2, 3))
        return torch.sparse.mm(a.to_sparse(layout=layout), x)

    assert gradcheck(product, (v, x))
    assert gradgradcheck(product, (v, x))


def test_product_of_two_sparse_matrices_has_gradients_where_they_have_values():
    a = torch.eye(3).to_sparse().requires_grad_()
    b = torch.ones(3, 3).to_sparse()
    torch.sparse.mm(a, b).to_dense().sum().backward()
    assert a.grad.is_sparse
    assert a.grad.to_dense().tolist() == (torch.eye(3) * 3).tolist()


def test_sampled_addmm_gradients_are_those_of_dense_operations():
    x, a, b = torch.eye(3).to_sparse_csr(), torch.randn(3, 2), torch.randn(2, 3)
    x, a, b = x.requires_grad_(), a.requires_grad_(), b.requires_grad_()
    y = torch.sparse.sampled_addmm(x, a, b, beta=2.0, alpha=3.0)
    y.values().sum().backward()
    da, db = a.detach().clone().requires_grad_(), b.detach().clone().requires_grad_()
    ((da @ db).diagonal() * 3).sum().backward()
    assert torch.allclose(a.grad, da.grad)
    assert torch.allclose(b.grad, db.grad)
    assert x.grad.values().tolist() == [2, 2, 2]
