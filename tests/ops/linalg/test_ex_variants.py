"""Matrix functions that tell where they failed."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.linalg.inv_ex(q)",
    "torch.linalg.inv_ex(Q)",
    "torch.linalg.inv_ex(torch.ones(2, 2))",
    "torch.linalg.inv_ex(torch.stack([torch.eye(2), torch.ones(2, 2)]))",
    "torch.linalg.solve_ex(h, Q)",
    "torch.linalg.solve_ex(torch.ones(2, 2), torch.ones(2))",
    "torch.linalg.cholesky_ex(torch.tensor([[1.0, 2.0], [2.0, 1.0]]))",
    "torch.linalg.cholesky_ex(torch.full((2, 2), float('nan')))",
]

COMPOSED = [
    "torch.linalg.cholesky_ex(h)",
    "torch.linalg.cholesky_ex(h, upper=True)",
    "torch.linalg.solve_ex(q, r)",
    "torch.linalg.solve_ex(q, h, left=False)",
    "torch.linalg.cholesky_ex(input=h[0] + q.tril(-1), upper=True)",
    "[y.stride() for y in torch.linalg.cholesky_ex(h, upper=True)]",
    "[y.stride() for y in torch.linalg.inv_ex(A=Q)]",
    "[y.stride() for y in torch.linalg.solve_ex(Q, h)]",
]

SMOOTH = [
    "torch.linalg.inv_ex(q)[0]",
    "torch.linalg.solve_ex(q, r)[0]",
    "torch.linalg.cholesky_ex(h @ h.mT)[0]",
]

REFUSED = [
    "torch.linalg.inv_ex(torch.ones(2, 2), check_errors=True)",
    "torch.linalg.inv_ex(a)",
    "torch.linalg.solve_ex(torch.ones(2, 2), torch.ones(2), check_errors=True)",
    "torch.linalg.cholesky_ex(-h, check_errors=True)",
    "torch.linalg.solve_ex(q, r, left=False)",
    "torch.linalg.cholesky(torch.full((2, 2), float('nan')))",
    "torch.cholesky(-h[0])",
    "torch.linalg.inv_ex(None)",
    "torch.linalg.cholesky_ex(None)",
    "torch.linalg.solve_ex(q, None)",
    "torch.linalg.solve_ex(None, q)",
]


@pytest.mark.parametrize("case", CASES)
def test_reported_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_reported_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", SMOOTH)
def test_reported_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_reported_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
