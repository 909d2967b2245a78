"""Pseudoinverse, least squares, rank, chains of products."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.linalg.matrix_rank(Q)",
    "torch.linalg.matrix_rank(torch.ones(3, 3))",
    "torch.linalg.matrix_rank(h, hermitian=True)",
    "torch.linalg.matrix_rank(a, 1.0)",
    "torch.linalg.cross(Q, Q[:, :1])",
    "torch.linalg.diagonal(Q)",
]

SMOOTH = [
    "torch.linalg.pinv(a)",
    "torch.linalg.pinv(a.t())",
    "torch.linalg.pinv(h[0] + h[0].t(), hermitian=True)",
    "torch.linalg.lstsq(a.t(), r).solution",
    "torch.linalg.vecdot(a, b)",
    "torch.linalg.multi_dot([a, q, h[0]])",
    "torch.linalg.vander(r)",
]

REFUSED = [
    "torch.linalg.lstsq(torch.ones(4), torch.ones(4))",
    "torch.linalg.lstsq(torch.ones(2, 3, 2), torch.ones(2))",
    "torch.linalg.lstsq(None, torch.ones(2))",
    "torch.vander(a)",
    "torch.vander(r, -1)",
    "torch.linalg.multi_dot([a])",
    'torch.linalg.lstsq(a, b, driver="x")',
    "torch.linalg.pinv(r)",
]


@pytest.mark.parametrize("case", CASES)
def test_pseudoinverses_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_pseudoinverses_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_pseudoinverses_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


COMPOSED = [
    "torch.vander(r.detach())",
    "torch.vander(r.detach(), 2, increasing=True)",
    "torch.vander(torch.tensor([1, 2]), 0)",
    "a.pinverse(1e-3)",
    "torch.linalg.pinv(Q)",
    "torch.linalg.pinv(a)",
    "torch.pinverse(a.t())",
    "torch.linalg.pinv(torch.ones(2, 3))",
    "torch.linalg.lstsq(a.t(), r).solution",
    "torch.linalg.lstsq(Q, h, driver='gelsd')[:3]",
    "torch.linalg.lstsq(a.t(), q, driver='gels').residuals",
    "torch.linalg.multi_dot([a, q, h[0], r])",
    "torch.linalg.multi_dot([r, q])",
    "torch.linalg.vecdot(a, b)",
    "torch.linalg.vecdot(z, z, dim=0)",
    "torch.linalg.vander(r, N=2)",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_results_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)
