"""How ops run on a batch."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.autograd.batched_tensor import active_vmaps, batched
from edutorch.autograd.dispatch import Op, apply1
from edutorch.func.batched_dispatch import (
    RULES,
    expand_to_levels,
    find_rule,
    select_sample,
)
from edutorch.ops.pointwise.exponential import Exp
from edutorch.ops.promotion import Pointwise


@pytest.fixture(autouse=True)
def level():
    active_vmaps.sizes.update({1: 2, 2: 3})
    yield
    active_vmaps.sizes.clear()


def test_rules_are_found_by_the_nearest_class():
    assert find_rule(Exp) is RULES[Pointwise]
    assert find_rule(Op) is None


def test_values_are_brought_to_levels():
    x = batched(torch.arange(2).reshape(2, 1), (1,))
    assert expand_to_levels(x, (1,)).tolist() == [[0], [1]]
    assert expand_to_levels(x, (1, 2)).shape == (2, 3, 1)
    assert expand_to_levels(torch.ones(4), (1, 2)).shape == (2, 3, 4)


def test_one_sample_is_taken_at_one_level():
    x = batched(torch.arange(6).reshape(2, 3), (1, 2))
    assert select_sample(x, 1, 1)._value.tolist() == [3, 4, 5]
    assert select_sample(x, 2, 1)._value.tolist() == [1, 4]
    ordinary = torch.ones(1)
    assert select_sample(ordinary, 1, 0) is ordinary


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


def first(a):
    a[0] = 5


def shifted(a):
    a[1:] = a[:-1] * 10


def added(a):
    a[0] = a[1]
    a[..., 2] += 1


def filled(a):
    a.fill_(3)
    a[1:].fill_(a[0] + 1)


def zeroed(a):
    a[:2].zero_()


def copied(a):
    a.copy_(a[0].clone())


WRITES = [
    (first, [[5, 1, 2], [5, 4, 5]]),
    (shifted, [[0, 0, 10], [3, 30, 40]]),
    (added, [[1, 1, 3], [4, 4, 6]]),
    (filled, [[3, 4, 4], [3, 4, 4]]),
    (zeroed, [[0, 0, 2], [0, 0, 5]]),
    (copied, [[0, 0, 0], [3, 3, 3]]),
]


@pytest.mark.parametrize(("write", "expected"), WRITES)
@pytest.mark.parametrize("recorded", [True, False])
def test_parts_are_written_in_a_batch_at_once(write, expected, recorded):
    calls = []

    def function(a):
        calls.append(1)
        a = a.clone()
        write(a)
        return a

    x = torch.arange(6.0).reshape(2, 3).requires_grad_(recorded)
    y = torch.vmap(function)(x)
    assert y.tolist() == expected
    assert calls == [1]
    one_by_one = torch.stack([function(row) for row in x])
    assert torch.equal(y, one_by_one)
    if one_by_one.requires_grad:
        found = [torch.autograd.grad(t.sum(), x)[0] for t in (y, one_by_one)]
        assert torch.equal(*found)


def test_what_is_written_to_the_copy_of_a_view_is_not_lost():
    def function(a):
        a = a.clone()
        a.t().mul_(2)  # of a vector
        a.view(3, 1)[0] = 9
        return a

    x = torch.arange(6.0).reshape(2, 3)
    assert torch.vmap(function)(x).tolist() == [[9.0, 2.0, 4.0], [9.0, 8.0, 10.0]]


def test_a_batch_is_written_to_inside_two_maps():
    x = torch.arange(12.0).reshape(2, 2, 3)

    def function(a):
        a = a.clone()
        shifted(a)
        return a

    expected = torch.stack([torch.stack([function(r) for r in rows]) for rows in x])
    assert torch.equal(torch.vmap(torch.vmap(function))(x), expected)
    swapped = torch.vmap(torch.vmap(function), in_dims=1, out_dims=1)(x)
    assert torch.equal(swapped, expected)


def test_batches_without_samples_have_the_shapes_of_any_sample():
    inverses = torch.vmap(torch.linalg.inv)(torch.zeros(0, 3, 3))
    assert inverses.shape == (0, 3, 3)
    values = torch.vmap(lambda x: x.kthvalue(1).values)(torch.zeros(0, 3))
    assert values.shape == (0,)
    jacobian = torch.func.jacrev(torch.linalg.cholesky)(torch.zeros(1, 0, 0))
    assert jacobian.shape == (1, 0, 0, 1, 0, 0)
