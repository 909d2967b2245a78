"""Cholesky, QR and LU."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
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
]

REFUSED = [
    "torch.linalg.qr(r)",
    "torch.qr(r)",
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
    "torch.cholesky_solve(r[:, None], torch.linalg.cholesky(h[0]))",
    "torch.cholesky_inverse(torch.linalg.cholesky(h))",
    "torch.cholesky(h[0], upper=True)",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_factorings_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)
