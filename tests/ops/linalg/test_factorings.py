"""Cholesky, QR and LU."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.linalg.cholesky(h)",
    "torch.linalg.lu_factor(Q)",
    "torch.linalg.cholesky(h, upper=True).detach()",
    "torch.linalg.lu_factor(a.t())",
    "torch.linalg.lu_factor(a)",
]

SMOOTH = [
    "torch.linalg.cholesky(h[0] + h[0].t())",
    "torch.linalg.qr(Q)",
    "torch.linalg.qr(a.t())",
    "torch.linalg.qr(a)",
    "torch.linalg.lu_factor(q)[0]",
    "torch.linalg.lu_factor(a.t())[0]",
    "torch.linalg.lu_factor(a)[0]",
    "torch.cholesky_solve(r[:, None], torch.linalg.cholesky(h[0] + h[0].t()))",
    "torch.cholesky_inverse(torch.linalg.cholesky(h[0] + h[0].t()))",
    "torch.linalg.lu(q)[1]",
]

REFUSED = [
    "torch.linalg.cholesky(-h)",
    "torch.linalg.cholesky(a)",
    'torch.linalg.qr(q, "x")',
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
    "torch.linalg.lu(Q)",
    "torch.linalg.lu(a.t())",
    "torch.lu_unpack(*torch.linalg.lu_factor(Q))",
    "torch.linalg.lu_solve(*torch.linalg.lu_factor(q), r[:, None])",
    "torch.linalg.lu_solve(*torch.linalg.lu_factor(q), r[None], left=False)",
    "torch.linalg.lu_solve(*torch.linalg.lu_factor(q), h[0], adjoint=True)",
    "torch.lu_solve(r[:, None], *torch.linalg.lu_factor(q))",
    "torch.cholesky_solve(r[:, None], torch.linalg.cholesky(h[0]))",
    "torch.cholesky_inverse(torch.linalg.cholesky(h))",
    "torch.cholesky(h[0], upper=True)",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_factorings_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)
