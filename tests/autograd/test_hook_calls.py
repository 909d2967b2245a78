"""What hooks are shown in a backward pass, and what their answers do."""

from __future__ import annotations

import edutorch as torch


def test_hooks_are_shown_tensors_and_change_the_gradient_in_order():
    w, seen = torch.ones(2, requires_grad=True), []
    w.register_hook(lambda g: seen.append(type(g)))
    w.register_hook(lambda g: g * 3)
    w.register_hook(lambda g: g + 1)
    (w * 2).sum().backward()
    assert seen == [torch.Tensor] and w.grad.tolist() == [7.0, 7.0]


def test_hooks_of_a_node_run_before_and_after_it():
    w, order = torch.ones(2, requires_grad=True), []
    y = w * 2
    y.register_hook(lambda g: order.append("tensor"))
    y.grad_fn.register_prehook(lambda gs: order.append("before"))
    y.grad_fn.register_hook(lambda gi, go: order.append("after"))
    y.sum().backward()
    assert order == ["tensor", "before", "after"]


def test_what_hooks_compute_is_not_recorded():
    w, found = torch.ones(2, requires_grad=True), []
    w.register_hook(lambda g: found.append((w * g).requires_grad))
    w.register_post_accumulate_grad_hook(lambda t: found.append((t * 2).requires_grad))
    y = w * 2
    y.register_hook(lambda g: found.append((w * g).requires_grad))
    y.sum().backward()
    assert found == [False, False, False]
    assert torch.is_grad_enabled()


def test_node_hook_and_step_when_the_op_broadcast_see_gradients_like_the_inputs():
    x, b = (torch.ones(shape, requires_grad=True) for shape in ((5, 4), (4,)))
    y = x + b
    seen = []
    y.grad_fn.register_hook(lambda gi, go: seen.extend(tuple(g.shape) for g in gi))
    steps = list(y.sum().backward_steps())
    assert seen == [(5, 4), (4,)]
    assert repr(steps[1]) == "Step(1: AddBackward0 -> [(5, 4), (4,)])"
    assert b.grad.tolist() == [5.0] * 4
