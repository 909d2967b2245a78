"""Inputs that transforms differentiate by."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.func.tracked_inputs import Tracked, vector_jacobian_product


def test_only_what_comes_from_outside_is_recorded():
    tracked = Tracked((torch.ones(2),))
    (x,) = tracked.tree
    w = torch.ones(2, requires_grad=True)
    assert not tracked.needs_recording([x * 2])
    assert tracked.needs_recording([x * w])
    with torch.no_grad():
        assert not tracked.needs_recording([x * w])


def test_results_are_released_without_the_graph():
    tracked = Tracked((torch.ones(2),))
    (x,) = tracked.tree
    released = tracked.release({"y": x * 2, "n": 3})
    assert not released["y"].requires_grad
    assert released["n"] == 3


def test_a_pass_back_gives_zeros_where_nothing_comes():
    tracked = Tracked((torch.ones(2), torch.ones(3)))
    x, _ = tracked.tree
    found = vector_jacobian_product(
        tracked, [(x * 3).sum()], tracked.values, [torch.ones(())], create=False
    )
    assert [g.tolist() for g in found] == [[3.0, 3.0], [0.0, 0.0, 0.0]]


def test_leaves_of_a_finished_transform_are_nobodys():
    x, w = torch.ones(2), torch.ones(2)

    def inner(x, w):
        y, pull_back = torch.func.vjp(lambda x, w: (x * w**2).sum(), x, w)
        return sum(g.sum() for g in pull_back(y))

    found = torch.func.grad(inner, argnums=1)(x, w)
    assert not found.requires_grad
    mixed = torch.func.grad(lambda w: torch.func.grad(inner)(x, w).sum())(w)
    assert not mixed.requires_grad


def test_a_finished_transforms_pull_back_can_be_differentiated():
    x = torch.tensor([1.0, 2.0])
    _, pull_back = torch.func.vjp(lambda x: x**3, x)
    found = torch.func.grad(lambda v: (pull_back(v * v)[0]).sum())(x)
    assert found.tolist() == [6.0, 48.0]


@pytest.mark.parametrize("layer", ["LSTM", "GRU", "RNN"])
def test_jacobians_of_fused_layers_are_those_of_single_rows(layer):
    torch.manual_seed(0)
    net, x = getattr(torch.nn, layer)(2, 3), torch.randn(4, 1, 2)
    found = torch.func.jacrev(lambda x: net(x)[0])(x)
    leaf = x.clone().requires_grad_()
    y = net(leaf)[0]
    rows = [torch.autograd.grad(v, leaf, retain_graph=True)[0] for v in y.flatten()]
    assert torch.allclose(found.reshape(12, 4, 1, 2), torch.stack(rows), atol=1e-6)


def test_gradient_at_a_view_without_history_of_what_requires_grad_requires_grad():
    y = torch.ones(3, requires_grad=True) * 1
    with torch.no_grad():
        v = y.view_as(y)
    assert torch.func.grad(lambda t: t.prod())(v).requires_grad
