"""Parts of sparse tensors."""

import pytest

import edutorch as torch
from tests.ops.sparse.shown import prints

CASES = [
    "S._indices()", "S._values()", "S._nnz()", "C._nnz()", "SC.indices()",
    "S.is_coalesced()", "SC.is_coalesced()", "S.sparse_dim()", "H.sparse_dim()",
    "S.dense_dim()", "H.dense_dim()", "D.sparse_dim()", "D.dense_dim()",
    "C.sparse_dim()", "C.dense_dim()", "S.is_sparse", "C.is_sparse", "C.is_sparse_csr",
    "S.is_sparse_csr", "S.layout", "C.layout", "D.layout", "C.crow_indices()",
    "C.col_indices()", "C.t().ccol_indices()", "C.t().row_indices()", "S.shape",
    "S.stride()", "S.numel()", "len(S)", "S.size(0)", "S.dim()", "S.dtype",
    "S.is_leaf", "S.type()", "S.is_complex()", "torch.is_tensor(S)",
    "torch.zeros_like(S).is_coalesced()", "S.sparse_resize_((4, 4), 2, 0)",
    "S.to_sparse_csr().layout", "S.sparse_resize_and_clear_((4,), 1, 0)",
    "S.resize_as_sparse_(U)", "S.resize_as_sparse_(torch.eye(4).to_sparse())",
    "S.sparse_resize_((4,), 2, 0)", "C.neg().angle()", "(C * 0.1).erfinv()",
    "(C * 1j).angle()", "(C * 1j).sgn()", "(S.coalesce() * 1j).sgn()",
]  # fmt: skip

REFUSED = [
    "S.indices()", "S.crow_indices()", "S.col_indices()", "S.numpy()", "S.item()",
    "S.exp()", "S.cos()", "S.max()", "bool(S)",
    "C.indices()", "C.ccol_indices()", "C.is_coalesced()", "C.numpy()",
    "D.indices()", "D._nnz()", "D._indices()", "D.is_coalesced()", "D.crow_indices()",
    "H.permute(1, 0)",
    "H.transpose(0, 1)",
]  # fmt: skip


@pytest.mark.parametrize("expression", CASES)
def test_asking_answers_what_pytorch_answers(expression: str):
    prints(expression)


@pytest.mark.parametrize("expression", REFUSED)
def test_asking_refuses_what_pytorch_refuses(expression: str):
    prints(expression)


@pytest.mark.parametrize("name", ["eq", "equal", "fill_", "squeeze"])
def test_asking_refuses_other_functions(name: str):
    x = torch.eye(2).to_sparse()
    with pytest.raises(NotImplementedError):
        getattr(x, name)(
            *([1] if name == "fill_" else [x] if name != "squeeze" else [])
        )


def test_indices_share_memory_with_the_tensor():
    x = torch.eye(2).to_sparse()
    x._values()[0] = 7
    assert x.to_dense().tolist() == [[7, 0], [0, 1]]
