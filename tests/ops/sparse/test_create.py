"""Sparse tensors made of positions and values."""

import pytest

import edutorch as torch
from edutorch.autograd import gradcheck
from tests.ops.sparse.shown import gradients, prints

CASES = [
    "torch.ones_like(C)",
    "torch.full_like(C, 0)",
    "torch.full_like(C, 2, dtype=torch.float64)",
    "S", "U", "SC", "C", "H",
    "torch.sparse_coo_tensor(i, v)",
    "torch.sparse_coo_tensor(size=(2, 3))",
    "torch.sparse_coo_tensor((2, 3))",
    "torch.sparse_coo_tensor([[0, 1], [2, 0]], [1, 2])",
    "torch.sparse_coo_tensor([[0, 1], [2, 0]], [1, 2], (2, 3), dtype=torch.float64)",
    "torch.sparse_coo_tensor(i.float(), v, (2, 3))",
    "torch.sparse_coo_tensor([[0, 1]], [[1., 2.], [3., 4.]], (3, 2))",
    "torch.sparse_coo_tensor([[0, 1]], [[1., 2.], [3., 4.]])",
    "torch.sparse_coo_tensor(i, v, (2, 3), requires_grad=True)",
    "torch.sparse_coo_tensor(i, v, (2, 3), is_coalesced=True)",
    "torch.sparse_coo_tensor(torch.zeros(0, 3, dtype=torch.long), v, ())",
    "torch.sparse_coo_tensor(torch.zeros(2, 0, dtype=torch.long), v[:0], (2, 3))",
    "torch.sparse_coo_tensor([[0]], torch.zeros(1, 2, 0), (3, 2, 0))",
    "torch.sparse_coo_tensor(i, torch.tensor([3, 4, 5]), (2, 3))",
    "torch.sparse_coo_tensor(i, torch.tensor([True, False, True]), (2, 3))",
    "torch.sparse_coo_tensor(i, v.to(torch.complex64), (2, 3))",
    "torch.sparse_csr_tensor([0, 1, 3], [2, 0, 2], v, (2, 3))",
    "torch.sparse_csr_tensor([0, 1, 3], [2, 0, 2], v)",
    "torch.sparse_csr_tensor([0, 1, 3], [2, 0, 2], [1, 2, 3], dtype=torch.float64)",
    "torch.sparse_csr_tensor([0, 1, 3], [2, 0, 2], v, (2, 3), requires_grad=True)",
    "torch.sparse_csc_tensor([0, 1, 1, 3], [1, 0, 1], v, (2, 3))",
    "torch.sparse_compressed_tensor([0, 1, 3], [2, 0, 2], v, layout=torch.sparse_csr)",
    "torch.zeros(2, 3, layout=torch.sparse_coo)",
    "torch.empty(2, 3, layout=torch.sparse_coo)",
    "torch.ones(2, 3, layout=torch.sparse_coo)",
    "torch.zeros_like(S)", "torch.zeros_like(C)",
    "torch.sparse_coo_tensor([0, 1], [1., 2.])",
    "torch.sparse_coo_tensor([[[0]]], [1.])",
    "torch.sparse_coo_tensor(0, [1.])",
    "torch.sparse_csr_tensor([0, 1, 2], [1, 0], [3., 4.], layout=torch.sparse_csc)",
    "torch.sparse_bsr_tensor([0, 1, 2], [1, 0], [[[1., 2.]], [[3., 4.]]])",
    "torch.sparse_bsc_tensor([0, 1, 2], [1, 0], [[[1., 2.]], [[3., 4.]]])",
    "torch.sparse_bsr_tensor([0, 1, 2], [1, 0], [[[1., 2.]], [[3., 4.]]], (2, 4))",
    "torch.sparse_compressed_tensor([0, 1, 2], [1, 0], [[[1.]], [[2.]]], layout=torch.sparse_bsr)",
    "torch.sparse_bsr_tensor([0, 1, 2], [1, 0], [1., 2.], (2, 4), check_invariants=True)",
    "torch.sparse_bsr_tensor([0, 1, 2], [1, 0], [[[1., 2.]], [[3., 4.]]], (2, 5), check_invariants=True)",
    "torch.sparse_bsr_tensor([0, 1], [1, 0], [[[1., 2.]], [[3., 4.]]], (2, 4), check_invariants=True)",
    "torch.sparse_bsr_tensor([0, 1, 2], [1, 7], [[[1., 2.]], [[3., 4.]]], (2, 4), check_invariants=True)",
    "torch.sparse_bsc_tensor([0, 1, 3], [1, 0], [[[1., 2.]], [[3., 4.]]], (2, 4), check_invariants=True)",
]  # fmt: skip

SLOPES = [
    "torch.sparse_coo_tensor(i, v, (2, 3))",
    "torch.sparse_coo_tensor([[1, 0, 1], [1, 2, 1]], v, (2, 3))",
    "torch.sparse_coo_tensor(i, v, (2, 3)).coalesce()",
    "torch.sparse_coo_tensor(i, v, (2, 3)).coalesce().values()",
]


@pytest.mark.parametrize("expression", CASES)
def test_create_prints_as_in_pytorch(expression: str):
    prints(expression)


@pytest.mark.parametrize("expression", SLOPES)
def test_create_gradients_are_pytorchs(expression: str):
    gradients(expression)


def test_create_gradients_are_those_of_differences():
    v = torch.tensor([1.0, -2.0, 0.5], dtype=torch.float64, requires_grad=True)

    def dense(values):
        return torch.sparse_coo_tensor([[1, 0, 1]], values, (3,)).to_dense()

    def rows(values):
        return torch.sparse_csr_tensor([0, 1, 3], [1, 0, 1], values).to_dense()

    assert gradcheck(dense, (v,))
    assert gradcheck(rows, (v,))


def test_batches_of_compressed_matrices_are_refused():
    with pytest.raises(NotImplementedError):
        torch.sparse_csr_tensor([[0, 1], [0, 1]], [[0], [0]], [[1.0], [2.0]])
