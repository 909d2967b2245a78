"""Between dense and sparse layouts."""

import pytest

import edutorch as torch
from edutorch.autograd import gradcheck, gradgradcheck
from tests.ops.sparse.shown import gradients, prints

CASES = [
    "S.to_dense()", "U.to_dense()", "C.to_dense()", "C.t().to_dense()", "H.to_dense()",
    "D.to_dense()", "D.to_dense(dtype=torch.float64)", "S.to_dense(torch.float64)",
    "S.coalesce()", "U.coalesce()",
    "C.coalesce()", "D.coalesce()", "SC.values()", "C.values()", "S.values()",
    "D.values()", "D.sparse_mask(S)", "D.sparse_mask(U)", "U.sparse_mask(S)",
    "U.sparse_mask(U)", "S.sparse_mask(U)",
    "D.sparse_mask(C)", "torch.eye(3).sparse_mask(S)", "D.sparse_mask(D)",
    "S.clone()", "S.detach()", "U.double()", "S.half()", "S.bool()", "C.int()",
    "S.to('cpu')", "S.cpu()", "C.double()", "S.to(torch.complex64)", "S.copy_(U)",
    "copy.deepcopy(U)", "copy.copy(C)", "pickle.loads(pickle.dumps(U))",
    "pickle.loads(pickle.dumps(C))",
    "S.sparse_mask(None)",
    "S.to_dense('x')",
]  # fmt: skip

SLOPES = [
    "SC.to_dense()", "U.to_dense()", "C.to_dense()", "H.to_dense()", "SC.values()",
    "C.values()", "U.coalesce()", "D.sparse_mask(S.detach())", "SC.clone()",
    "SC.to(torch.float64)", "C.double()", "SC.t()", "SC.transpose(0, 1)", "C.t()",
]  # fmt: skip


@pytest.mark.parametrize("expression", CASES)
def test_convert_prints_as_in_pytorch(expression: str):
    prints(expression)


@pytest.mark.parametrize("expression", SLOPES)
def test_convert_gradients_are_pytorchs(expression: str):
    gradients(expression)


def test_convert_first_and_second_derivatives_are_those_of_differences():
    x = torch.tensor([[0.5, 0.0], [-1.0, 2.0]], dtype=torch.float64, requires_grad=True)

    def through(x):
        return (x.to_sparse() * 2).to_dense() ** 2

    def through_rows(x):
        return x.to_sparse_csr().values() ** 2

    assert gradcheck(through, (x + 1.5,))
    assert gradgradcheck(through, (x + 1.5,))
    assert gradcheck(through_rows, (x + 1.5,))
