"""`gradcheck` of functions of sparse tensors."""

import pytest

import edutorch as torch

CHECK = torch.sparse.as_sparse_gradcheck(torch.autograd.gradcheck)
SOME = torch.tensor([[0.0, 1.0], [2.0, 3.0]], dtype=torch.float64)
LAYOUTS = {
    "coo": SOME.to_sparse(), "hybrid": SOME.to_sparse(1), "csr": SOME.to_sparse_csr(),
    "csc": SOME.to_sparse_csc(), "bsr": SOME.to_sparse_bsr((1, 2)),
    "bsc": SOME.to_sparse_bsc((2, 1)),
}  # fmt: skip


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_functions_of_sparse_tensors_are_checked(layout: str, masked: bool):
    x = LAYOUTS[layout].clone().requires_grad_()
    assert CHECK(lambda x: x.to_dense() ** 2, x, masked=masked)
    assert CHECK(lambda x, y: x * y, (x, 3.0), masked=masked)


def test_wrong_gradients_of_sparse_tensors_are_found():
    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.to_dense() * 2

        @staticmethod
        def backward(ctx, g):
            return g * 3

    x = SOME.to_sparse().requires_grad_()
    with pytest.raises(RuntimeError, match="Jacobian mismatch"):
        CHECK(Wrong.apply, x)


def test_dense_tensors_are_checked_as_before():
    assert CHECK(lambda x: (x * 2).to_sparse(), (SOME + 1).requires_grad_())
