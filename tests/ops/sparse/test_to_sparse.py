"""From dense to sparse, and between sparse layouts."""

import pytest

import edutorch as torch
from edutorch.autograd import gradcheck, gradgradcheck
from tests.ops.sparse.shown import gradients, prints

CASES = [
    "S.to_sparse()", "S.to_sparse(2)", "S.to_sparse(1)", "S.to_sparse_coo()",
    "S.to_sparse_csr()", "U.to_sparse_csr()", "S.to_sparse_csc()", "C.to_sparse()",
    "C.to_sparse(1)", "C.to_sparse_csc()", "C.to_sparse_coo()", "C.t().t()",
    "S.to_sparse(layout=torch.sparse_csr)", "S.to_sparse(layout=torch.strided)",
    "D.to_sparse()", "D.to_sparse(1)", "D.to_sparse(sparse_dim=1)", "D.to_sparse(0)",
    "D.to_sparse(3)", "D.to_sparse(layout=torch.sparse_csr)", "D.to_sparse_csr()",
    "torch.ones(2, 2, 2).to_sparse_csr(dense_dim=1)", "torch.tensor(5.).to_sparse()",
    "torch.tensor(0.).to_sparse()", "torch.zeros(2, 3).to_sparse()",
    "torch.zeros(2, 3).to_sparse_csr()",
]  # fmt: skip

BLOCKS = [
    "D.to_sparse_bsr((1, 3))", "D.to_sparse_bsc((2, 1))", "D.to_sparse_bsr(1)",
    "D.to_sparse(layout=torch.sparse_bsr, blocksize=(2, 3))",
    "S.to_sparse_bsr((2, 1))", "C.to_sparse_bsr((1, 3))", "U.to_sparse_bsc((1, 1))",
    "D.to_sparse_bsr((2, 3)).to_sparse_bsr((2, 3))", "D.to_sparse_bsr((1, 1)).t()",
    "D.to_sparse_bsr((1, 3)).transpose(0, 1)", "D.to_sparse_bsr((1, 3)).to_sparse()",
    "D.to_sparse_bsr((1, 3)).to_sparse_bsc((1, 3))", "D.to_sparse_bsc((2, 1)).to_dense()",
    "D.to_sparse_bsr((1, 3)).values()", "D.to_sparse_bsr((1, 3)).crow_indices()",
    "D.to_sparse_bsr((1, 3)).col_indices()", "D.to_sparse_bsc((1, 3)).ccol_indices()",
    "D.to_sparse_bsc((1, 3)).row_indices()", "D.to_sparse_bsr((1, 3))[0]",
    "D.to_sparse_bsr((1, 3))[1, 2]", "D.to_sparse_bsr((1, 3)) * 2",
    "D.to_sparse_bsr((1, 3)).neg()", "D.to_sparse_bsr((1, 3)).double()",
    "D.to_sparse_bsr((1, 3)).sum()",
    "D.to_sparse_bsr((1, 3)).clone()", "D.to_sparse_bsr((1, 3)).layout",
    "torch.zeros_like(D.to_sparse_bsr((1, 3)))", "D.to_sparse_bsr((1, 3)).sparse_dim()",
    "D.to_sparse_bsr((1, 3))._nnz()", "D.sparse_mask(S.to_sparse_bsr((2, 1)))",
    "E.to_sparse_bsr((2, 2)) @ E", "torch.sparse.mm(E.to_sparse_bsr((2, 2)), E)",
    "torch.mv(E.to_sparse_bsr((1, 1)), E[1])", "E.to_sparse_bsr((2, 2)).requires_grad_()",
    "torch.zeros(4, 4).to_sparse_bsr((2, 2))", "torch.zeros(0, 4).to_sparse_bsr((2, 2))",
]  # fmt: skip

REFUSED = [
    "D.to_sparse_bsr((2, 2))", "D.to_sparse_bsr((0, 1))", "D.to_sparse_bsr((1,))",
    "D.to_sparse_bsc((3, 3))", "D.to_sparse(layout=torch.sparse_bsr)",
    "D.to_sparse(layout=torch.sparse_csr, blocksize=(1, 1))",
    "D.to_sparse_bsr((1, 3)).to_sparse_bsr((1, 1))",
    "D.to_sparse_bsr((1, 3)).to_sparse_csr()", "D.to_sparse_bsr((1, 3)).ccol_indices()",
    "D.to_sparse_bsc((1, 3)).crow_indices()", "D.to_sparse_bsr((1, 3)).indices()",
    "D.to_sparse_csr('x')",
]  # fmt: skip

SLOPES = [
    "D.to_sparse_csc()", "D.to_sparse()", "D.to_sparse(1)", "D.to_sparse_csr()", "SC.to_sparse_csr()",
    "D.to_sparse_bsr((1, 3))", "D.to_sparse_bsc((2, 1))",
    "D.to_sparse_bsr((1, 3)) * 2", "D.to_sparse_bsr((1, 3)).values()",
]  # fmt: skip


@pytest.mark.parametrize("expression", CASES + BLOCKS)
def test_layouts_print_as_in_pytorch(expression: str):
    prints(expression)


@pytest.mark.parametrize("expression", REFUSED)
def test_layouts_that_do_not_fit_are_refused_as_by_pytorch(expression: str):
    prints(expression)


@pytest.mark.parametrize("expression", SLOPES)
def test_layouts_gradients_are_pytorchs(expression: str):
    gradients(expression)


def test_layouts_of_three_dimensions_are_not_offered():
    with pytest.raises(NotImplementedError, match="only matrices"):
        torch.ones(2, 2, 2).to_sparse_bsr((1, 1))
    with pytest.raises(NotImplementedError, match="only matrices"):
        torch.ones(2, 2, 2).to_sparse_csr()


def test_blocks_first_and_second_derivatives_are_those_of_differences():
    x = torch.arange(8.0, dtype=torch.float64).reshape(2, 4).requires_grad_()
    y = torch.arange(8.0, dtype=torch.float64).reshape(4, 2).requires_grad_()

    def through(x):
        return (x.to_sparse_bsr((1, 2)) * 2).to_dense() ** 2

    def product(x, y):
        return torch.sparse.mm(x.to_sparse_bsr((2, 2)), y)

    def from_values(v):
        blocks = torch.sparse_bsc_tensor([0, 1, 2], [1, 0], v)
        return blocks.to_dense() ** 2

    assert gradcheck(through, (x + 1,))
    assert gradgradcheck(through, (x + 1,))
    assert gradcheck(product, (x + 1, y))
    assert gradcheck(from_values, (x.reshape(2, 2, 2),))
    assert gradgradcheck(from_values, (x.reshape(2, 2, 2),))


def test_layouts_that_are_none_are_refused():
    x = torch.eye(2)
    with pytest.raises(TypeError, match="invalid combination"):
        x.to_sparse(layout="x")
    with pytest.raises(TypeError, match="invalid combination"):
        x.to_sparse(1.0)


def test_recorded_complex_tensors_are_refused():
    x = torch.ones(2, dtype=torch.complex64, requires_grad=True)
    with pytest.raises(RuntimeError, match="does not support automatic differ"):
        x.to_sparse()
    assert x.detach().to_sparse().is_sparse
