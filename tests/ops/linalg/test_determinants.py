"""Determinants, and their logarithms."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.det(q)",
    "torch.linalg.det(Q)",
    "torch.slogdet(q)",
    "torch.linalg.slogdet(Q)",
    "torch.linalg.slogdet(z)",
    "torch.linalg.det(z)",
    "torch.det(input=Q)",
    "torch.slogdet(input=q)",
    "torch.linalg.det(A=q)",
    "torch.linalg.slogdet(A=q)",
    "torch.linalg.det(torch.zeros(2, 0, 0))",
    "type(torch.slogdet(q)).__name__",
    "type(torch.linalg.slogdet(q)).__name__",
    "type(torch.slogdet(torch.ones(2, 2), out=(torch.empty(()), torch.empty(())))).__name__",
]

SMOOTH = [
    "torch.det(q)",
    "torch.linalg.slogdet(q)[1]",
    "torch.linalg.slogdet(z)[0]",
    "torch.det(q * torch.tensor([1.0, 1.0, 0.0]))",
    "torch.linalg.det(torch.stack([r, r, r]))",
]

REFUSED = [
    "torch.det(k)",
    "torch.det(None)",
    "torch.linalg.det([1.0])",
    "torch.slogdet('x')",
    "torch.linalg.slogdet(None)",
    "torch.logdet(3)",
    "torch.det(q.half())",
    "torch.det(q.bfloat16())",
    "torch.slogdet(q.half())",
    "torch.logdet(a)",
    "torch.logdet(r)",
    "torch.logdet(k)",
]

COMPOSED = [
    "torch.logdet(h)",
    "torch.logdet(-h[0])",
]


@pytest.mark.parametrize("case", CASES)
def test_determinants_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_determinants_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_determinants_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_determinants_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)


def test_det_of_a_singular_matrix_has_its_cofactors_as_gradient():
    alike(__file__, "torch.det(q * torch.tensor([1.0, 1.0, 0.0]))", nodes=False)
