"""Diagonals and triangles."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "h.permute(2, 0, 1).tril().stride()",
    "a.diagonal()",
    "torch.diagonal(a, 1)",
    "seq.diagonal(-1, 1, 2)",
    "seq.diagonal(1, -1, 0)",
    "a.diagonal(7)",
    "r.diag()",
    "torch.diag(r, 1)",
    "r.diag(-1)",
    "a.diag()",
    "a.diag(1)",
    "torch.diag_embed(a)",
    "torch.diag_embed(a, 1, 0, 2)",
    "torch.diag_embed(r, -1)",
    "torch.diagflat(a)",
    "torch.diagflat(a, 1)",
    "s.diagflat()",
    "q.trace()",
    "k.trace()",
    "torch.trace(a)",
    "a.tril()",
    "torch.tril(Q, -1)",
    "a.triu(1)",
    "m.triu()",
    "y = f.clone(); y.tril_(); y",
    "y = f.clone(); y.triu_(1); y",
    "y = q.clone(); y.tril_(); y * q",
    "torch.tril(f, out=torch.empty(2, 3))",
    "y = f.clone(); y.diagonal().zero_(); y",
    "y = q.clone(); y.diagonal().mul_(2); y",
    "y = q.clone(); y.diagonal(1).copy_(r[:2]); y",
    "(f.diagonal().stride(), f.diagonal(1).storage_offset())",
]

SMOOTH = [
    "a.diagonal(1) ** 2",
    "torch.diag_embed(a, 1, 0, 2) ** 2",
    "a.diag() ** 2",
    "q.trace() ** 2",
    "Q.tril(-1) ** 2",
    "a.triu() ** 2",
]

REFUSED = [
    "r.diagonal()",
    "a.diagonal(0, 0, 0)",
    "a.diagonal(0, 0, 2)",
    "s.diag()",
    "seq.diag()",
    "torch.diag_embed(r, 0, 1, 1)",
    "seq.trace()",
    "r.tril()",
    "s.triu()",
]


@pytest.mark.parametrize("case", CASES)
def test_diagonals_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_diagonals_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_diagonals_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
