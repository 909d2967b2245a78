"""Determinants, and their logarithms."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "x = torch.full((3, 1, 1), 2.0, requires_grad=True); torch.autograd.grad(torch.linalg.det(x).sum(), x, create_graph=True)[0]",
    "torch.det(square)",
    "torch.linalg.det(squares)",
    "torch.slogdet(square)",
    "torch.linalg.slogdet(squares)",
    "torch.linalg.slogdet(complexes)",
    "torch.linalg.det(complexes)",
    "torch.det(input=squares)",
    "torch.slogdet(input=square)",
    "torch.linalg.det(A=square)",
    "torch.linalg.slogdet(A=square)",
    "torch.linalg.det(torch.zeros(2, 0, 0))",
    "type(torch.slogdet(square)).__name__",
    "type(torch.linalg.slogdet(square)).__name__",
    "type(torch.slogdet(torch.ones(2, 2), out=(torch.empty(()), torch.empty(())))).__name__",
]

SMOOTH = [
    "torch.det(square)",
    "torch.linalg.slogdet(square)[1]",
    "torch.linalg.slogdet(complexes)[0]",
    "torch.det(square * torch.tensor([1.0, 1.0, 0.0]))",
    "torch.linalg.det(torch.stack([row, row, row]))",
]

REFUSED = [
    "torch.det(ints)",
    "torch.det(None)",
    "torch.linalg.det([1.0])",
    "torch.slogdet('x')",
    "torch.linalg.slogdet(None)",
    "torch.logdet(3)",
    "torch.det(square.half())",
    "torch.det(square.bfloat16())",
    "torch.slogdet(square.half())",
    "torch.logdet(a)",
    "torch.logdet(row)",
    "torch.logdet(ints)",
]

COMPOSED = [
    "torch.logdet(posdef)",
    "torch.logdet(-posdef[0])",
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
    alike(__file__, "torch.det(square * torch.tensor([1.0, 1.0, 0.0]))", nodes=False)


def test_det_without_elements_has_a_gradient_that_depends_on_nothing():
    x = torch.ones(2, 0, 0, requires_grad=True)
    (g,) = torch.autograd.grad(torch.det(x).sum(), x, create_graph=True)
    assert g.shape == (2, 0, 0)
    assert not g.requires_grad
