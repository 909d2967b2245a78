"""Hooks on tensors and nodes."""

from __future__ import annotations

import gc
import weakref

import pytest

import edutorch as torch


def test_hook_on_a_leaf_changes_its_gradient_once():
    x = torch.ones(2, requires_grad=True)
    seen = []
    x.register_hook(lambda g: seen.append(g.tolist()))
    x.register_hook(lambda g: g * 10)
    (x * 2 + x).sum().backward()
    assert seen == [[3.0, 3.0]]
    assert x.grad.tolist() == [30.0, 30.0]


def test_hook_on_a_middle_tensor_runs_until_it_is_removed():
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    handle = y.register_hook(lambda g: g * 0)
    y.backward(retain_graph=True)
    handle.remove()
    y.backward()
    assert x.grad.tolist() == [2.0]


def test_retained_gradient_of_a_middle_tensor_accumulates_and_holds_nothing():
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    y.retain_grad()
    z = y * 3
    z.backward(retain_graph=True)
    z.backward()
    assert y.grad.tolist() == [6.0]
    assert y.retains_grad
    seen = weakref.ref(y)
    del y
    gc.collect()
    assert seen() is None


def test_node_hooks_run_around_backward():
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    calls = []
    y.grad_fn.register_prehook(lambda gs: calls.append(("pre", gs[0].item())))
    y.grad_fn.register_hook(
        lambda gi, go: calls.append(("post", gi[0].item(), go[0].item()))
    )
    y.backward(torch.tensor([5.0]))
    assert calls == [("pre", 5.0), ("post", 10.0, 5.0)]


def test_post_accumulate_hook_sees_the_stored_gradient():
    x = torch.ones(1, requires_grad=True)
    seen = []
    x.register_post_accumulate_grad_hook(lambda t: seen.append(t.grad.item()))
    (x * 4).backward()
    assert seen == [4.0]


def test_tensors_that_need_no_gradient_take_no_hooks():
    with pytest.raises(RuntimeError, match="doesn't require gradient"):
        torch.ones(1).register_hook(print)
    x = torch.ones(1, requires_grad=True)
    with pytest.raises(RuntimeError, match="non-leaf tensors"):
        (x * 1).register_post_accumulate_grad_hook(print)
    with pytest.raises(RuntimeError, match="can't retain_grad"):
        torch.ones(1).retain_grad()
