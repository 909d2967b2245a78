"""How saved values are packed: the hooks of a thread, what nodes keep instead."""

from __future__ import annotations

import threading

import edutorch as torch
from edutorch.autograd.modes import modes
from edutorch.autograd.packing import Packed, Packs, pop_hooks, push_hooks


def test_a_node_keeps_packs_instead_of_values():
    push_hooks((lambda t: t.tolist(), torch.tensor))
    try:
        y = torch.ones(2, requires_grad=True).exp()
    finally:
        pop_hooks()
    packs = y.grad_fn.output
    assert type(packs) is Packs
    assert type(packs.output) is Packed
    assert packs.output.kept == y.tolist()


def test_masks_and_indices_are_packed_too():
    push_hooks((lambda t: t.tolist(), torch.tensor))
    try:
        x = torch.tensor([[3.0, 1.0, 2.0]], requires_grad=True)
        y = torch.nn.functional.max_pool1d(x, 2)
    finally:
        pop_hooks()
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    assert x.grad.tolist() == [[2.0, 0.0, 0.0]]


def test_in_place_changes_do_not_reach_what_was_packed():
    x = torch.full((2,), 3.0, requires_grad=True)
    push_hooks((lambda t: t.detach(), lambda t: t))
    try:
        y = x * 1
        y.mul_(y * 1)
    finally:
        pop_hooks()
    y.sum().backward()
    assert x.grad.tolist() == [6.0, 6.0]


def test_hooks_belong_to_their_thread():
    seen = []
    push_hooks((lambda t: t, lambda t: t))
    try:
        thread = threading.Thread(target=lambda: seen.append(modes.saved_hooks))
        thread.start()
        thread.join()
    finally:
        pop_hooks()
    assert seen == [()]
    assert modes.saved_hooks == ()


def test_values_unpacked_for_a_retained_graph_are_not_kept():
    x = torch.ones(3, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t * 1):
        y = x.exp()
    y.sum().backward(retain_graph=True)
    assert type(y.grad_fn.output) is Packs
    y.sum().backward()
