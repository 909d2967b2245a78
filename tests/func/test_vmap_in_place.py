"""Changes in place inside vmap, their gradients, and what cannot be written."""

from __future__ import annotations

import pytest

import edutorch
from edutorch import func
from tests.fuzz.differences import difference
from tests.fuzz.outcomes import outcome
from tests.oracle import torch

X = edutorch.linspace(0.1, 2.5, 12, dtype=edutorch.float64).reshape(3, 4)

PROGRAMS = [
    lambda y: y.clone().mul_(y), lambda y: (y * 1).clamp_(0.5, 1.5) * y,
    lambda y: (y * 1).pow_(3), lambda y: (y * 1).sqrt_(),
    lambda y: (y * 1).sort()[0].mul_(y), lambda y: (y * 1).zero_().add_(y) ** 2,
    lambda y: (y * 1).copy_(y[0]) * y, lambda y: (y * 1).fill_(y[1]) * y,
    lambda y: (y * 1).view(2, 2).t_().mul_(y.view(2, 2)),
    lambda y: (y * 1).masked_fill_(y > 1, 0.0) * y,
    lambda y: (y * 1).index_add_(0, edutorch.tensor([1, 1]), y[:2]) ** 2,
    lambda y: (y * 1).scatter_(0, edutorch.tensor([1]), y[:1]) ** 2,
    lambda y: (y * 1).index_put_((edutorch.tensor([1]),), y[0]) ** 2,
    lambda y: (y * 1).cumsum_(0) ** 2, lambda y: edutorch.nn.functional.relu(y - 1, inplace=True),
    lambda y: (y * 1).as_strided((2,), (2,), None).mul_(3) * y[:2],
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
def test_values_and_gradients_equal_loops(f):
    def loss(y):
        return f(y).sum()

    assert edutorch.allclose(
        edutorch.vmap(loss)(X), edutorch.stack([loss(y) for y in X])
    )
    wanted = edutorch.stack([func.grad(loss)(y) for y in X])
    assert edutorch.allclose(
        func.grad(lambda x: edutorch.vmap(loss)(x).sum())(X), wanted
    )
    assert edutorch.allclose(edutorch.vmap(func.grad(loss))(X), wanted)


def test_a_view_of_the_batch_is_written_through():
    def f(x):
        z = x.clone()
        z[1].mul_(5)
        z.as_strided((2,), (1,))[0] = 7.0
        return z

    wanted = X.clone()
    wanted[:, 1] *= 5
    wanted[:, 0] = 7
    assert edutorch.equal(edutorch.vmap(f)(X), wanted)


REFUSED = [
    (lambda z, x: z.add_(x), r"output with shape \[4\] doesn't match the broadcast"),
    (lambda z, x: z.mul_(x), "vmap: inplace arithmetic"),
    (lambda z, x: z.copy_(x), "vmap: inplace arithmetic"),
    (lambda z, x: z.fill_(x[0]), "vmap: fill_"),
    (lambda z, x: z.clamp_(x), "vmap: aten::clamp_"),
    (lambda z, x: z.__setitem__(0, x[0]), "is not possible because there exists"),
]


@pytest.mark.parametrize(("f", "words"), REFUSED)
def test_one_tensor_cannot_take_what_differs_from_sample_to_sample(f, words):
    shared = edutorch.zeros(4, dtype=edutorch.float64)
    with pytest.raises(RuntimeError, match=words):
        edutorch.vmap(lambda x: f(shared, x))(X)
    assert shared.tolist() == [0.0] * 4


WRITES = [
    "a.add_(b[0])", "a.fill_(b[0])", "a.sub_(b)", "a.copysign_(b)", "a.clamp_min_(b)", "a.logical_or_(b)",
    "a.masked_fill_(b > 0, 1.0)", "a.masked_fill_(a > 0, b[0])", "a.pow_(b)",
    "a.index_fill_(0, b.argsort(), 0.5)", "a.scatter_add_(0, b.argsort(), b)",
    "a.scatter_(0, b.argsort(), a)", "a.outer(a).atan2_(b)", "a[:1].add_(b)",
]  # fmt: skip
CALLS = [
    "fn.vmap(f, (None, 0))(x, w)",
    "fn.vmap(lambda a: fn.vmap(f, (None, 0))(a, w))(torch.stack([x, x]))",
    "fn.vmap(lambda a, b: fn.vmap(lambda q: f(a, b) * q)(x), (None, 0))(x, w)",
    "fn.vmap(lambda b: fn.vmap(f)(w, torch.stack([b, b])))(w)",
]
NESTED = [
    "fn.grad(lambda x: fn.vmap(f, (None, 0))(x, w).sum())(x)",
    "fn.hessian(lambda x: fn.vmap(f, (None, 0))(x, w).sum())(x)",
    "fn.vmap(lambda q: fn.jvp(lambda x: fn.vmap(f, (None, 0))(x, w), (x,), (x,)))(x)",
]


def refused(write, call):
    """How both libraries refuse a write inside vmap."""
    program = (
        "fn, x, w = torch.func, torch.arange(3.0) + 1, torch.arange(6.0).reshape(2, 3)\n"
        f"def f(a, b): a = a.clone(); return {write}\nresult = {call}"
    )
    return [outcome(program, library, {}) for library in (torch, edutorch)]


@pytest.mark.filterwarnings("ignore:There is a performance drop")
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("write", WRITES)
def test_each_function_refuses_batched_operands_as_in_pytorch(write, call):
    told = refused(write, call)
    assert told[1].error is not None
    assert difference(*told) == ("", "")


@pytest.mark.filterwarnings("ignore:There is a performance drop")
@pytest.mark.parametrize("call", NESTED)
def test_the_level_of_a_vmap_counts_all_transforms_around_it(call):
    told = refused("a.pow_(b)", call)
    assert "at level" in str(told[1])
    assert difference(*told) == ("", "")


def test_a_batch_of_one_sample_at_an_inner_level_is_written():
    def both(x, w):
        return edutorch.vmap(lambda x: w.clone().add_(x))(x)

    w = edutorch.ones(2, 3)
    found = edutorch.vmap(both, (None, 0))(edutorch.arange(3.0)[None], w)
    assert found.tolist() == [[[1, 2, 3]]] * 2
    with pytest.raises(RuntimeError, match=r"\[2, 1, 3\] .* shape \[2, 2, 3\]"):
        edutorch.vmap(both, (None, 0))(edutorch.ones(2, 3), w)


def test_new_tensors_of_a_sample_can_be_written_for_each_sample():
    def f(x):
        total = x.new_zeros(4)
        total[:2].add_(x[:2])
        return total + x.new_ones(4) * x.new_full((4,), 2.0), edutorch.zeros_like(x) + x

    totals, same = func.vmap(f)(X)
    assert edutorch.equal(totals[:, :2], X[:, :2] + 2)
    assert edutorch.equal(same, X)


@pytest.mark.parametrize("make", ["zeros_like", "ones_like", "empty_like"])
def test_tensors_like_a_sample_run_the_function_once(make):
    calls = []

    def f(x):
        calls.append(x)
        return getattr(edutorch, make)(x)

    assert func.vmap(f)(X).shape == X.shape
    assert len(calls) == 1


def test_out_inside_vmap_is_refused():
    y = edutorch.zeros(4, dtype=X.dtype)
    with pytest.raises(
        RuntimeError, match="^Batching rule not implemented for aten::add"
    ):
        func.vmap(lambda x: edutorch.add(x, x, out=y))(X)
    assert y.tolist() == [0] * 4


def test_indices_where_samples_are_nonzero_are_refused():
    with pytest.raises(RuntimeError, match="Attempted to vmap over aten::where"):
        func.vmap(lambda x: edutorch.where(x > 1))(X)
