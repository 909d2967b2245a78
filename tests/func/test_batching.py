"""How ops meet a batch."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.autograd.batched import batched, places
from edutorch.autograd.op import Op, apply1
from edutorch.func.batching import RULES, at_levels, rule_of, samples
from edutorch.ops.pointwise.exponential import Exp
from edutorch.ops.promotion import Pointwise


@pytest.fixture(autouse=True)
def level():
    places.sizes.update({1: 2, 2: 3})
    yield
    places.sizes.clear()


def test_rules_are_found_by_the_nearest_class():
    assert rule_of(Exp) is RULES[Pointwise]
    assert rule_of(Op) is None


def test_values_are_brought_to_levels():
    x = batched(torch.arange(2).reshape(2, 1), (1,))
    assert at_levels(x, (1,)).tolist() == [[0], [1]]
    assert at_levels(x, (1, 2)).shape == (2, 3, 1)
    assert at_levels(torch.ones(4), (1, 2)).shape == (2, 3, 4)


def test_one_sample_is_taken_at_one_level():
    x = batched(torch.arange(6).reshape(2, 3), (1, 2))
    assert samples(x, 1, 1)._value.tolist() == [3, 4, 5]
    assert samples(x, 2, 1)._value.tolist() == [1, 4]
    plain = torch.ones(1)
    assert samples(plain, 1, 0) is plain


class Reverse(Op):
    """Elements of a vector, backwards; there is no batching rule for it."""

    saves = ()

    def forward(self, x):
        assert x.ndim == 1
        return x[::-1].copy()

    def backward(self, g):
        return apply1(Reverse(), g)


def test_an_op_without_a_rule_runs_sample_by_sample_and_has_gradients():
    x = torch.arange(6.0).reshape(2, 3).requires_grad_()
    y = torch.vmap(lambda v: apply1(Reverse(), v) * v)(x)
    assert y.tolist() == [[0.0, 1.0, 0.0], [15.0, 16.0, 15.0]]
    y.sum().backward()
    assert x.grad.tolist() == [[4.0, 2.0, 0.0], [10.0, 8.0, 6.0]]
