"""Symmetric matrices that need not be positive."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "torch.linalg.ldl_factor((q + q.mT).detach())",
    "torch.linalg.ldl_factor_ex(torch.zeros(2, 2))",
    "torch.linalg.ldl_factor(z.detach() + z.mT.detach())",
    "torch.linalg.ldl_factor(z.detach() + z.mH.detach(), hermitian=True)",
    "x = (Q + Q.mT).detach(); torch.linalg.ldl_solve(*torch.linalg.ldl_factor(x), h.detach())",
    "x = z.detach() + z.mH.detach(); torch.linalg.ldl_solve(*torch.linalg.ldl_factor(x, hermitian=True), x, hermitian=True)",
    "x = z.detach() + z.mT.detach(); torch.linalg.ldl_solve(*torch.linalg.ldl_factor(x), x)",
    "x = torch.tensor([[0.0, 1, 2], [1, 0, 3], [2, 3, 0]]); torch.linalg.ldl_solve(*torch.linalg.ldl_factor(x), torch.eye(3))",
    "[y.stride() for y in torch.linalg.ldl_factor(input=Q)]",
]

REFUSED = [
    "torch.linalg.ldl_factor(a)",
    "torch.linalg.ldl_factor(r)",
    "torch.linalg.ldl_solve(h[0], torch.tensor([1, 2, 3], dtype=torch.int32), r)",
    "torch.linalg.ldl_solve(h[0], torch.tensor([1, 2, 3], dtype=torch.int32), a)",
    "torch.linalg.ldl_factor(None)",
    "torch.linalg.ldl_factor(q.half())",
    "torch.linalg.ldl_factor_ex(2)",
    "torch.linalg.ldl_solve(None, r, r)",
    "torch.linalg.ldl_solve(f[:, :2], torch.tensor([1, 2]), f[:, :2] + 1j)",
]


@pytest.mark.parametrize("case", CASES)
def test_symmetric_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_symmetric_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
