"""Products and powers of vectors, chains of products."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.linalg.cross(Q, Q[:, :1])",
    "torch.linalg.diagonal(Q)",
]

SMOOTH = [
    "torch.linalg.vecdot(a, b)",
    "torch.linalg.multi_dot([a, q, h[0]])",
    "torch.linalg.vander(r)",
]

REFUSED = [
    "torch.vander(a)",
    "torch.vander(r, -1)",
    "torch.vander(None)",
    "torch.vander(r, 'x')",
    "torch.linalg.multi_dot([a])",
    "torch.linalg.multi_dot(a)",
    "torch.linalg.multi_dot([1.0, 2.0])",
    "torch.linalg.multi_dot([a, b])",
    "torch.linalg.multi_dot([a, q.float()])",
    "torch.linalg.multi_dot([Q, q])",
    "torch.linalg.multi_dot([a, Q, q])",
    "torch.linalg.multi_dot([a, q, r[:2]])",
    "torch.linalg.vander(None)",
    "torch.linalg.vander(m)",
    "torch.linalg.vander(r.half())",
    "torch.linalg.vander(s)",
    "torch.linalg.vander(r, N=1)",
    "torch.linalg.vander(r, N=2.0)",
    "torch.linalg.vecdot(k, k)",
    "torch.linalg.vecdot(r, r.float())",
    "torch.linalg.vecdot(1.0, r)",
    "torch.linalg.cross(r, r.float())",
    "torch.linalg.cross(m, m)",
    "torch.linalg.cross(r[:2], r[:2])",
    "torch.linalg.cross(None, r)",
    "torch.linalg.diagonal(1)",
    "torch.linalg.multi_dot([f, f.t() + 1j])",
]

COMPOSED = [
    "torch.vander(r.detach())",
    "torch.vander(r.detach(), 2, increasing=True)",
    "torch.vander(torch.tensor([1, 2]), 0)",
    "torch.linalg.multi_dot([a, q, h[0], r])",
    "torch.linalg.multi_dot([r, q])",
    "torch.linalg.vecdot(a, b)",
    "torch.linalg.vecdot(z, z, dim=0)",
    "torch.linalg.vander(r, N=2)",
    "torch.linalg.vander(e)",
    "torch.linalg.vander(torch.tensor([2, 3], dtype=torch.int32), N=4)",
]


@pytest.mark.parametrize("case", CASES)
def test_vectors_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_vectors_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_vectors_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_vectors_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)
