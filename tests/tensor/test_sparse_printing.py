"""Sparse tensors as text; `tests/ops/sparse` compares many with PyTorch's."""

import edutorch as torch
from edutorch.tensor.sparse_printing import component_arrays

LONG = """tensor(indices=tensor([[0, 1, 2,  ..., 1, 2, 3]]),
       values=tensor([1., 1., 1.,  ..., 1., 1., 1.]),
       size=(4,), nnz=1200, dtype=torch.float64, layout=torch.sparse_coo,
       requires_grad=True)"""
ROWS = """tensor(crow_indices=tensor([0, 0]),
       col_indices=tensor([], size=(0,)),
       values=tensor([], size=(0,)), size=(1, 2), nnz=0, dtype=torch.int32,
       layout=torch.sparse_csr)"""


def test_printing_cuts_long_parts_short():
    indices = torch.arange(1200).reshape(1, -1) % 4
    values = torch.ones(1200, dtype=torch.float64)
    x = torch.sparse_coo_tensor(indices, values, (4,), requires_grad=True)
    assert repr(x) == LONG


def test_printing_says_the_size_of_empty_parts():
    assert repr(torch.zeros(1, 2, dtype=torch.int32).to_sparse_csr()) == ROWS


def test_printing_names_the_node_that_made_it():
    x = torch.eye(2).to_sparse().requires_grad_()
    assert repr(x * 2).endswith("layout=torch.sparse_coo, grad_fn=<MulBackward0>)")


def test_parts_have_pytorchs_names():
    names = [name for name, _ in component_arrays(torch.eye(2).to_sparse_csc()._data)]
    assert names == ["ccol_indices", "row_indices", "values"]
