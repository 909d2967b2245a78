"""In-place fills: PyTorch's numbers in PyTorch's order, history and refusals."""

from __future__ import annotations

import pytest

import edutorch as torch
from tests.ops.sampling.parity import same_draw, same_refusal


@pytest.fixture
def oracle():
    from tests.oracle import torch as oracle

    return oracle


CASES = [
    "torch.zeros(7).random_(0, None)",
    "torch.zeros(7, dtype=torch.float16).random_(1, None)",
    "torch.zeros(5, dtype=torch.float64).random_(0, None)",
    "torch.zeros(5, dtype=torch.bfloat16).random_(0, None)",
    "torch.zeros(5, dtype=torch.int16).random_(3, None)",
    "torch.empty(7).uniform_(-2, 3)", "torch.empty(7).uniform_(to=3)",
    "torch.empty(3, 4).t().uniform_()", "torch.zeros(6, 4)[::2].uniform_()",
    "torch.zeros(2, 3, 4).permute(2, 0, 1).uniform_()",
    "torch.empty(40).normal_(1.0, 2.0)", "torch.empty(5, 8).t().normal_()",
    "torch.zeros(64)[::2].normal_()",
    "torch.empty(3, dtype=torch.complex64).normal_(1)",
    "torch.empty(9).exponential_(1.5)", "torch.empty(9).log_normal_()",
    "torch.empty(9).log_normal_(0.5, 0.25)", "torch.empty(9).cauchy_()",
    "torch.empty(9).cauchy_(2, 0.5)", "torch.empty(9).geometric_(0.3)",
    "torch.empty(9, dtype=torch.int64).geometric_(0.3)", "torch.empty(9).random_()",
    "torch.empty(9, dtype=torch.int64).random_()", "torch.empty(9).random_(5)",
    "torch.empty(9, dtype=torch.uint8).random_()", "torch.empty(9).random_(to=3)",
    "torch.empty(9, dtype=torch.int32).random_(-4, 9)",
    "torch.empty(9, dtype=torch.int64).random_(-2**63, None)",
    "torch.empty(30).bernoulli_(0.7)", "torch.empty(9, dtype=torch.bool).bernoulli_()",
    "torch.empty(2, 3).bernoulli_(torch.tensor([0.2, 0.5, 0.9]))",
    "torch.empty(3, 2).t().bernoulli_(torch.tensor([0.2, 0.5, 0.9]))",
    "torch.empty(4).bernoulli_(torch.full((4,), 0.3, dtype=torch.float64))",
    "torch.empty(0).uniform_()", "torch.empty(()).normal_()",
]  # fmt: skip


@pytest.mark.parametrize("expression", CASES)
def test_fill_equals_pytorch(oracle, expression):
    same_draw(oracle, expression)


REFUSED = [
    "torch.zeros(2).bernoulli_(torch.zeros(2, device='meta'))",
    "torch.zeros(2, dtype=torch.int64).exponential_(0)",
    "torch.zeros(2, dtype=torch.complex64).cauchy_()",
    "torch.zeros(2, dtype=torch.int16).random_(2**40)",
    "torch.empty(3).uniform_(3, 2)", "torch.empty(3).uniform_(float('nan'), 2)",
    "torch.empty(3).uniform_(0, 1e39)", "torch.empty(3).uniform_(-3e38, 3e38)",
    "torch.empty(3, dtype=torch.int64).uniform_()",
    "torch.empty(2, dtype=torch.float16).uniform_(0, 1e5)",
    "torch.empty(3, dtype=torch.int64).normal_()", "torch.empty(3).normal_(0, -1)",
    "torch.empty(3).exponential_(0)",
    "torch.empty(3, dtype=torch.int64).exponential_()",
    "torch.empty(3).cauchy_(0, 0)", "torch.empty(3, dtype=torch.int64).cauchy_()",
    "torch.empty(3).log_normal_(0, 0)",
    "torch.empty(3, dtype=torch.int64).log_normal_()",
    "torch.empty(3).geometric_(0)", "torch.empty(3).geometric_(1)",
    "torch.empty(3, dtype=torch.bool).geometric_(0.5)",
    "torch.empty(3).bernoulli_(1.5)",
    "torch.empty(3, dtype=torch.complex64).bernoulli_(0.5)",
    "torch.empty(3).bernoulli_(torch.tensor([1, 0, 1]))",
    "torch.empty(3).bernoulli_(torch.tensor([1.0, 0.0]))",
    "torch.empty(3, dtype=torch.complex64).random_()", "torch.empty(3).random_(5, 3)",
    "torch.empty(3).random_(0)", "torch.empty(3, dtype=torch.uint8).random_(300)",
    "torch.zeros(1).expand(3).uniform_()",
    "torch.ones(2, requires_grad=True).normal_()",
]  # fmt: skip


@pytest.mark.parametrize("expression", REFUSED)
def test_refusal_equals_pytorchs(oracle, expression):
    same_refusal(oracle, expression)


FILLS = {
    "uniform_": "UniformBackward0", "normal_": "NormalBackward0",
    "exponential_": "ExponentialBackward0", "cauchy_": "CauchyBackward0",
    "log_normal_": "LogNormalBackward0", "random_": "RandomBackward2",
    "bernoulli_": "BernoulliBackward2",
}  # fmt: skip


@pytest.mark.parametrize("name", FILLS)
def test_fill_of_a_result_stops_its_gradient(name):
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    version = y._version
    assert getattr(y, name)() is y
    assert y._version == version + 1
    assert y.grad_fn.name() == FILLS[name]
    y.sum().backward()
    assert x.grad.tolist() == [0, 0, 0]


def test_fill_that_is_refused_changes_nothing():
    x = torch.ones(3)
    state = torch.get_rng_state()
    with pytest.raises(RuntimeError):
        x.normal_(0, -1)
    assert x.tolist() == [1, 1, 1]
    assert (torch.get_rng_state() == state).all()


def test_fill_of_a_view_changes_its_base():
    x = torch.zeros(4)
    x[2:].uniform_(1, 2)
    assert x[:2].tolist() == [0, 0]
    assert (x[2:] >= 1).all()


def test_random_with_an_unknown_keyword_is_refused():
    x = torch.zeros(2)
    with pytest.raises(TypeError, match="unexpected keyword argument 'nonsense'"):
        x.random_(0, 9, nonsense=1)
    assert x.tolist() == [0, 0]
