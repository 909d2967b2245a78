"""A tensor's place in the graph: node, leaf, hooks, detaching."""

from __future__ import annotations

import pytest

import edutorch as torch


def test_leaf_has_no_node_and_a_result_has_one():
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    assert x.is_leaf and x.grad_fn is None
    assert not y.is_leaf and y.grad_fn.name() == "MulBackward0"


def test_detached_tensor_shares_memory_and_versions_but_no_history():
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    z = y.detach()
    assert z.is_leaf and not z.requires_grad and z.data_ptr() == y.data_ptr()
    z.add_(1)
    assert y._version == z._version == 1


def test_retained_gradient_is_there_after_backward():
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    assert not y.retains_grad
    y.retain_grad()
    (y * 3).sum().backward()
    assert y.retains_grad and y.grad.tolist() == [3.0, 3.0]


def test_hook_on_a_tensor_without_gradient_is_refused():
    with pytest.raises(RuntimeError, match="cannot register a hook on a tensor"):
        torch.ones(1).register_hook(print)


def test_gradients_are_retained_of_views_whose_base_got_a_history():
    base = torch.zeros(2)
    view = base[None]
    base.mul_(torch.ones(2, requires_grad=True))
    view.retain_grad()
    (view * 3).sum().backward()
    assert view.grad.tolist() == [[3.0, 3.0]]


def test_hooks_are_taken_by_views_without_history_of_what_requires_grad():
    y = torch.ones(2, requires_grad=True) * 1
    with torch.no_grad():
        v = y.view_as(y)
    calls = []
    v.register_hook(calls.append)
    v.sum().backward()
    assert not calls and y.requires_grad


def test_the_node_of_a_view_of_a_changed_tensor_is_the_same_where_nothing_is_recorded():
    x = torch.ones(2, requires_grad=True)
    y = (x * 1).view(2)
    y[0].add_(1)
    with torch.no_grad():
        node = y.grad_fn
        node.register_prehook(lambda grads: tuple(g * 0.5 for g in grads))
    assert y.grad_fn is node
    (g,) = torch.autograd.grad(y.sum(), x)
    assert g.tolist() == [0.5, 0.5]
