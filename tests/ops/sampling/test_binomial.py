"""Numbers of successes, as PyTorch draws them."""

import pytest

import edutorch
from tests.ops.sampling.parity import same_draw, same_refusal

SAME = [
    "torch.binomial(torch.full((9,), 20.0), torch.linspace(0, 1, 9))",
    "torch.binomial(torch.full((3, 1), 500.0), torch.linspace(0, 1, 9))",
    "torch.binomial(torch.arange(40.0).double(), torch.tensor(0.8).double())",
]
REFUSED = [
    "torch.binomial(torch.tensor([5]), torch.tensor([0.5]))",
    "torch.binomial(torch.tensor([5.0]), torch.tensor([1]))",
    "torch.binomial(torch.tensor([5.0]), torch.tensor([0.5]).double())",
]


@pytest.fixture
def oracle():
    from tests.oracle import torch

    return torch


@pytest.mark.parametrize("expression", SAME)
def test_binomial_with_the_same_seed_gives_pytorch_numbers(oracle, expression):
    same_draw(oracle, expression)


@pytest.mark.parametrize("expression", REFUSED)
def test_binomial_refused_by_pytorch_is_refused_alike(oracle, expression):
    same_refusal(oracle, expression)


def test_binomial_has_gradients_of_zero():
    p = edutorch.full((3,), 0.5, requires_grad=True)
    edutorch.binomial(edutorch.full((3,), 4.0), p).sum().backward()
    assert p.grad.tolist() == [0, 0, 0]
