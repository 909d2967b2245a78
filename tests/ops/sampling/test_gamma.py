"""Gamma and Dirichlet samples, as PyTorch draws them, and their gradients."""

import pytest

import edutorch
from tests.ops.sampling.parity import same_draw, same_refusal

SAME = [
    "torch._standard_gamma(torch.linspace(0, 9, 40))",
    "torch._standard_gamma(torch.linspace(0, 9, 40).double().reshape(5, 8).t())",
    "torch._sample_dirichlet(torch.linspace(0.1, 9, 40).reshape(8, 5))",
    "torch._standard_gamma_grad(torch.tensor([0.5, 3.0]), torch.tensor([0.2, 9.0]))",
    "torch._dirichlet_grad(*torch.tensor([[0.2, 0.8], [0.5, 3.0], [0.9, 9.0]]))",
]
REFUSED = [
    "torch._standard_gamma(torch.tensor([1]))",
    "torch._standard_gamma(torch.tensor([1.0]).half())",
    "torch._sample_dirichlet(torch.tensor([1]))",
    "torch._standard_gamma_grad(torch.tensor([1]), torch.tensor([1]))",
    "torch._dirichlet_grad(*torch.ones(3, 2).half())",
    "torch._sample_dirichlet(torch.ones(2, requires_grad=True)).sum().backward()",
    "torch.autograd.grad(torch.autograd.grad(torch._standard_gamma(x := torch.ones(2, "
    "requires_grad=True)).sum(), x, create_graph=True)[0].sum(), x)",
]


@pytest.fixture
def oracle():
    from tests.oracle import torch

    return torch


@pytest.mark.parametrize("expression", SAME)
def test_gammas_with_the_same_seed_give_pytorch_numbers(oracle, expression):
    same_draw(oracle, expression)


@pytest.mark.parametrize("expression", REFUSED)
def test_gammas_refused_by_pytorch_are_refused_alike(oracle, expression):
    same_refusal(oracle, expression)


def test_gamma_moves_with_its_shape():
    a = edutorch.tensor([1.0], dtype=edutorch.float64, requires_grad=True)
    edutorch.manual_seed(0)
    y = edutorch._standard_gamma(a)
    y.backward()
    assert a.grad.item() == edutorch._standard_gamma_grad(a, y).item()
