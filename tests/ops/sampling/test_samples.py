"""Samples that depend on tensors: PyTorch's numbers, gradients and refusals."""

from __future__ import annotations

import pytest

import edutorch as torch
from tests.ops.sampling.parity import same_draw, same_refusal


@pytest.fixture
def oracle():
    from tests.oracle import torch as oracle

    return oracle


WEIGHTS = "torch.tensor([0.1, 0.2, 0.3, 0.4])"
CASES = [
    "torch.bernoulli(torch.full((50,), 0.3))", "torch.bernoulli(torch.zeros(9), 0.5)",
    "torch.full((3, 4), 0.5).t().bernoulli()", "torch.ones(9).bernoulli(p=0.3)",
    "torch.bernoulli(torch.full((5,), 0.5, dtype=torch.float64))",
    f"torch.multinomial({WEIGHTS}, 6, replacement=True)",
    f"torch.multinomial({WEIGHTS}, 3)", f"{WEIGHTS}.multinomial(1)",
    f"torch.multinomial({WEIGHTS}.expand(3, 4), 2)",
    f"torch.multinomial({WEIGHTS}.expand(3, 4), 5, True)",
    "torch.multinomial(torch.ones(4, 3).t(), 2)",
    "torch.multinomial(torch.ones(0, 2), 1)",
    "torch.multinomial(torch.arange(1, 41).half(), 500, True)",
    "torch.multinomial(torch.arange(1, 41).bfloat16(), 500, True)",
    "torch.normal(torch.arange(1.0, 6.0), 0.5)", "torch.normal(2.0, torch.ones(5))",
    "torch.normal(torch.zeros(20), torch.arange(20.0))", "torch.normal(0.0, 1.0, (5,))",
    "torch.normal(torch.zeros(3, 1), torch.ones(2))", "torch.normal(torch.zeros(3))",
    "torch.normal(1, 2, size=(2, 3), dtype=torch.float64)",
    "torch.normal(torch.zeros(3, dtype=torch.float64), torch.ones(3))",
    "torch.normal(torch.zeros(3), torch.ones(3, dtype=torch.float64))",
    "torch.normal(torch.zeros(3, dtype=torch.complex64), 2.0)",
    "torch.normal(torch.zeros(20, dtype=torch.complex128), torch.arange(20.0))",
    "torch.poisson(torch.full((12,), 3.0))", "torch.poisson(torch.full((12,), 30.0))",
    "torch.poisson(torch.arange(40.0).double())",
]  # fmt: skip


INTO = [
    "torch.normal(torch.arange(20.0), torch.ones(20), out=torch.empty(40)[::2])",
    "torch.normal(torch.ones(4, 5), torch.ones(4, 5), out=torch.empty(5, 4).t())",
    "torch.normal(torch.ones(4), 2.0, out=torch.empty(3, 4))",
    "torch.normal(2.0, torch.ones(20), out=torch.empty(20, dtype=torch.complex64))",
    "torch.normal(2.0, torch.arange(20.0), out=torch.empty(20).bfloat16())",
    "torch.normal(torch.ones(4), 2.0, out=torch.empty(4).double())",
    "torch.bernoulli(torch.full((5, 4), 0.5), out=torch.empty(4, 5).t())",
    "torch.bernoulli(torch.full((5,), 0.5), out=torch.empty(5, dtype=torch.int64))",
    "torch.bernoulli(torch.full((5,), 0.5).double(), out=torch.empty(7))",
]


@pytest.mark.parametrize("expression", INTO)
def test_numbers_into_out_are_drawn_for_its_memory(oracle, expression):
    same_draw(oracle, expression)


@pytest.mark.parametrize("expression", CASES)
def test_sample_equals_pytorch(oracle, expression):
    same_draw(oracle, expression)


REFUSED = [
    "torch.multinomial(torch.ones(2), 1, out=torch.zeros(1))",
    "torch.multinomial(torch.zeros(2**24 + 1), 1)",
    "torch.multinomial(torch.tensor([1.0, float('nan')]), 2, True)",
    "torch.bernoulli(torch.tensor([1.5]))", "torch.bernoulli(torch.tensor([1]))",
    "torch.multinomial(torch.tensor([0.0, 0.0]), 1)",
    "torch.multinomial(torch.tensor([0.0, 1.0]), 3)",
    "torch.multinomial(torch.tensor([-1.0, 1.0]), 1)",
    "torch.multinomial(torch.tensor([float('nan'), 1.0]), 1)",
    "torch.multinomial(torch.tensor([float('inf'), 1.0]), 2, True)",
    "torch.multinomial(torch.tensor([-1.0, 2.0]), 2, True)",
    "torch.multinomial(torch.tensor([1, 1]), 1)",
    "torch.multinomial(torch.ones(()), 1)",
    "torch.multinomial(torch.ones(2, 2, 2), 1)", "torch.multinomial(torch.ones(2), 0)",
    "torch.multinomial(torch.tensor([0.0, 0.0]), 3, True)",
    "torch.poisson(torch.tensor([-1.0]))", "torch.poisson(torch.tensor([1]))",
    "torch.normal(torch.zeros(3), torch.ones(2))", "torch.normal(torch.zeros(3), -1.0)",
    "torch.normal(torch.zeros(2), torch.tensor([-1.0, 1.0]))",
    "torch.normal(torch.zeros(2), torch.tensor([-1.0, 1.0]), out=torch.empty(2))",
    "torch.normal(torch.zeros(2), -1.0, out=torch.empty(2))",
    "torch.normal(torch.zeros(5), 1.0, out=torch.empty(0))",
    "torch.normal(torch.zeros(5), 1.0, out=torch.empty(5, dtype=torch.int64))",
    "torch.normal(0.0, 1.0)", "torch.normal(torch.zeros(3, dtype=torch.int64), 1.0)",
    "torch.normal(torch.zeros(3, requires_grad=True), 1.0, out=torch.zeros(3))",
    "torch.normal(0.0, 1.0, (3,), out=torch.zeros(3, requires_grad=True))",
    "torch.rand(3, out=torch.zeros(3, requires_grad=True))",
    "torch.bernoulli(torch.ones(3, requires_grad=True), out=torch.zeros(3).int())",
    "torch.bernoulli(torch.ones(3), out=torch.zeros(3, dtype=torch.complex64))",
    "torch.bernoulli(torch.ones(3), out=3)",
]  # fmt: skip


@pytest.mark.parametrize("expression", REFUSED)
def test_refusal_equals_pytorchs(oracle, expression):
    same_refusal(oracle, expression)


@pytest.mark.parametrize(
    ("draw", "name"),
    [
        (torch.bernoulli, "BernoulliBackward0"),
        (torch.poisson, "PoissonBackward0"),
        (torch.normal, "NormalBackward1"),
        (lambda x: torch.normal(1.0, x), "NormalBackward2"),
        (lambda x: torch.normal(x, x), "NormalBackward3"),
    ],
)
def test_sample_has_no_gradient_but_a_history(draw, name):
    x = torch.full((3,), 0.5, requires_grad=True)
    y = draw(x)
    assert y.grad_fn.name() == name
    y.sum().backward()
    assert x.grad.tolist() == [0, 0, 0]


def test_multinomial_never_takes_what_has_no_weight():
    drawn = torch.multinomial(torch.tensor([0.0, 1.0, 0.0, 1.0]), 50, replacement=True)
    assert set(drawn.tolist()) == {1, 3}
    assert not drawn.requires_grad


def test_normals_of_tensors_have_no_size_and_others_have_a_list_of_them():
    for args in ((torch.zeros(2), 0, 5), (0.0, torch.ones(2), (2,)), (0, 1, 5), (0, 1)):
        with pytest.raises(TypeError, match=r"normal\(\) received an invalid combin"):
            torch.normal(*args)
