"""The order of a backward pass, and what accumulates on the way."""

from __future__ import annotations

import edutorch as torch
from edutorch.autograd.task import Task


def task_of(y, **options):
    settings = {"create_graph": False, "retain": False, **options}
    return Task([y], [torch.ones(()).numpy()], **settings)


def test_newest_node_comes_first_and_a_leaf_after_its_last_use():
    a = torch.ones(1, requires_grad=True)
    b = torch.ones(1, requires_grad=True)
    first = a * b
    second = first * b
    y = second.sum()
    order = task_of(y).order
    assert order[:3] == [y.grad_fn, second.grad_fn, first.grad_fn]
    assert {id(t) for t in order[3:]} == {id(a), id(b)}


def test_only_what_leads_to_a_target_is_visited():
    a = torch.ones(1, requires_grad=True)
    b = torch.ones(1, requires_grad=True)
    left, right = a * 2, b * 2
    y = (left + right).sum()
    order = task_of(y, targets=[a]).order
    assert left.grad_fn in order and right.grad_fn not in order
    assert all(node is not b for node in order)


def test_second_gradient_is_added_without_touching_the_first():
    a = torch.ones(2, requires_grad=True)
    task = task_of((a * 2).sum())
    first, second = torch.ones(2).numpy(), torch.ones(2).numpy()
    task.add(a, 0, first)
    task.add(a, 0, second)
    task.add(a, 0, second)
    assert task.buffers[a].tolist() == [3.0, 3.0]
    assert first.tolist() == second.tolist() == [1.0, 1.0]
