"""Diagonals and triangles."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.ones(2, 3, 3).expand(4, 2, 3, 3).tril_()",
    "posdef.permute(2, 0, 1).tril().stride()",
    "a.diagonal()",
    "torch.diagonal(a, 1)",
    "seq.diagonal(-1, 1, 2)",
    "seq.diagonal(1, -1, 0)",
    "a.diagonal(7)",
    "row.diag()",
    "torch.diag(row, 1)",
    "row.diag(-1)",
    "a.diag()",
    "a.diag(1)",
    "torch.diag_embed(a)",
    "torch.diag_embed(a, 1, 0, 2)",
    "torch.diag_embed(row, -1)",
    "torch.diagflat(a)",
    "torch.diagflat(a, 1)",
    "scalar.diagflat()",
    "square.trace()",
    "ints.trace()",
    "torch.trace(a)",
    "a.tril()",
    "torch.tril(squares, -1)",
    "a.triu(1)",
    "mask.triu()",
    "y = singles.clone(); y.tril_(); y",
    "y = singles.clone(); y.triu_(1); y",
    "y = square.clone(); y.tril_(); y * square",
    "torch.tril(singles, out=torch.empty(2, 3))",
    "y = singles.clone(); y.diagonal().zero_(); y",
    "y = square.clone(); y.diagonal().mul_(2); y",
    "y = square.clone(); y.diagonal(1).copy_(row[:2]); y",
    "(singles.diagonal().stride(), singles.diagonal(1).storage_offset())",
]

SMOOTH = [
    "a.diagonal(1) ** 2",
    "torch.diag_embed(a, 1, 0, 2) ** 2",
    "a.diag() ** 2",
    "square.trace() ** 2",
    "squares.tril(-1) ** 2",
    "a.triu() ** 2",
]

REFUSED = [
    "torch.diag(scalar, 1.0)",
    "torch.diag(singles[0], out=torch.zeros(3, 3).double())",
    "torch.diag(complexes[0].detach(), out=torch.zeros(2, 2))",
    "torch.tril(square, 1.5)",
    "torch.triu(square, True)",
    "torch.diag(square, True)",
    "row.diagonal()",
    "a.diagonal(0, 0, 0)",
    "a.diagonal(0, 0, 2)",
    "scalar.diag()",
    "seq.diag()",
    "torch.diag_embed(row, 0, 1, 1)",
    "seq.trace()",
    "row.tril()",
    "scalar.triu()",
    "torch.ones(2, 1, 3, 3).expand(2, 4, 3, 3).tril_()",
    "torch.ones(2, 3, 2).expand(2, 2, 3, 2).movedim(0, -1).triu_()",
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
