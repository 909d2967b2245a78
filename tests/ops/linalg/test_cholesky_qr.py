"""Cholesky, QR and LU."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.linalg.cholesky(z @ z.mH + torch.eye(2))",
    "torch.linalg.cholesky(z @ z.mH + torch.eye(2), upper=True)",
    "torch.linalg.cholesky(h)",
    "torch.linalg.cholesky(h, upper=True).detach()",
]

SMOOTH = [
    "torch.linalg.cholesky(h[0] + h[0].t())",
    "torch.linalg.qr(Q)",
    "torch.linalg.qr(a.t())",
    "torch.linalg.qr(a)",
    "torch.cholesky_solve(r[:, None], torch.linalg.cholesky(h[0] + h[0].t()))",
    "torch.cholesky_inverse(torch.linalg.cholesky(h[0] + h[0].t()))",
    "torch.linalg.qr(z[:, :1] @ torch.ones(1, 2, dtype=z.dtype) + z)",
    "torch.linalg.qr(torch.cat([z, z @ z], 1))",
]

REFUSED = [
    "torch.linalg.qr(r)",
    "torch.qr(r)",
    "torch.linalg.cholesky(-h)",
    "torch.linalg.cholesky(a)",
    'torch.linalg.qr(q, "x")',
    "torch.linalg.cholesky(None)",
    "torch.linalg.cholesky(q.half())",
    "torch.linalg.cholesky(k[:, :2])",
    "torch.cholesky(k[:, :2])",
    "torch.cholesky('x')",
    "torch.linalg.qr(2)",
    "torch.linalg.qr(q.half())",
    "torch.linalg.qr(k)",
    "torch.qr(None)",
    "torch.cholesky_solve(r, q)",
    "torch.cholesky_solve(q, r)",
    "torch.cholesky_solve(q, a)",
    "torch.cholesky_solve(a, q)",
    "torch.cholesky_solve(q, q.float())",
    "torch.cholesky_solve(k[:, :2], k[:, :2])",
    "torch.cholesky_solve(q, None)",
    "torch.cholesky_inverse(k[:, :2])",
    "torch.cholesky_inverse(None)",
    "torch.cholesky_inverse(torch.tensor([[1.0, 0.0], [3.0, 0.0]]))",
    "torch.cholesky_solve(torch.ones(5, 3, 2).double(), Q)",
]


@pytest.mark.parametrize("case", CASES)
def test_factorings_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_factorings_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_factorings_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


COMPOSED = [
    "abs(torch.qr(a.t())[1])",
    "abs(torch.linalg.qr(a)[1])",
    "abs(torch.linalg.qr(Q.detach(), 'r')[1])",
    "torch.cholesky_solve(r[:, None], torch.linalg.cholesky(h[0]))",
    "torch.cholesky_inverse(torch.linalg.cholesky(h))",
    "torch.cholesky(h[0], upper=True)",
    "torch.linalg.cholesky(h[0] + q.tril(-1), upper=True)",
    "torch.linalg.cholesky(h, upper=True)",
    "torch.linalg.cholesky(input=h).stride()",
    "torch.linalg.cholesky(h, upper=True).stride()",
    "[y.stride() for y in torch.linalg.qr(A=a)]",
    "torch.linalg.qr(Q, 'r')[1].stride()",
    "torch.cholesky_solve(input=h, input2=q, upper=True)",
    "torch.cholesky_solve(h, q).stride()",
    "torch.cholesky_inverse(q, upper=True)",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_factorings_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)
