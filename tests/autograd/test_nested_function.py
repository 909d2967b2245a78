"""Functions on nested containers of tensors."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.autograd import NestedIOFunction


class Mix(NestedIOFunction):
    """Two results, nested, of three inputs, nested."""

    @staticmethod
    def forward_extended(ctx, pair, named):
        (a, b), c = pair, named["c"]
        ctx.save_for_backward(a, b)
        return a * b, [b + c, {"last": 2 * c}]

    @staticmethod
    def backward_extended(ctx, first, rest):
        a, b = ctx.saved_tensors
        second, last = rest[0], rest[1]["last"]
        return (first * b, first * a + second), {"c": second + 2 * last}


def inputs():
    made = [torch.tensor([1.0, 2.0]) * k for k in (1, 3, 5)]
    return [t.requires_grad_() for t in made]


def test_apply_keeps_containers_and_has_the_gradients():
    a, b, c = inputs()
    first, (second, named) = Mix.apply((a, b), {"c": c})
    assert type(named) is dict
    (first + second * 7 + named["last"] * 11).sum().backward()
    assert a.grad.tolist() == b.tolist()
    assert b.grad.tolist() == (a + 7).tolist()
    assert c.grad.tolist() == [29.0, 29.0]
    assert first.grad_fn.name() == "MixBackward"


def test_nested_function_passes_gradcheck_and_gradgradcheck():
    a, b, c = [t.detach().double().requires_grad_() for t in inputs()]

    def flat(a, b, c):
        first, (second, named) = Mix.apply((a, b), {"c": c})
        return first, second, named["last"]

    assert torch.autograd.gradcheck(flat, (a, b, c))
    assert torch.autograd.gradgradcheck(flat, (a, b, c))


def test_backward_extended_may_give_none_for_a_whole_container():
    class First(NestedIOFunction):
        @staticmethod
        def forward_extended(ctx, x, others):
            return x * 2

        @staticmethod
        def backward_extended(ctx, g):
            return g * 2, None

    a, b, c = inputs()
    First.apply(a, [b, c]).sum().backward()
    assert a.grad.tolist() == [2.0, 2.0]
    assert b.grad is None and c.grad is None


def test_backward_extended_nested_otherwise_is_refused():
    class Wrong(NestedIOFunction):
        @staticmethod
        def forward_extended(ctx, pair):
            return pair[0] + pair[1]

        @staticmethod
        def backward_extended(ctx, g):
            return (g, g)  # two gradients for one pair

    a, b, _ = inputs()
    y = Wrong.apply((a, b)).sum()
    with pytest.raises(RuntimeError, match="a gradient must lie where its input lies"):
        y.backward()


def test_methods_when_not_written_are_asked_for():
    with pytest.raises(NotImplementedError):
        NestedIOFunction.apply(torch.ones(1))
