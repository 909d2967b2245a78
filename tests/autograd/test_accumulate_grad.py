"""Accumulation of gradients in a leaf's `.grad`."""

from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.autograd import accumulate_grad
from edutorch.autograd.accumulate_grad import accumulate


def leaf() -> torch.Tensor:
    return torch.ones(2, requires_grad=True)


def test_first_gradient_that_somebody_else_holds_is_copied():
    w, v, held = leaf(), leaf(), torch.tensor([1.0, 2.0])
    w.backward(held)
    (v + 0).backward(held)
    assert w.grad.tolist() == v.grad.tolist() == [1.0, 2.0]
    assert w.grad.data_ptr() != held.data_ptr() != v.grad.data_ptr()


def test_gradient_that_nobody_else_holds_is_taken_without_a_copy():
    w = leaf()
    made = []

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * x

        @staticmethod
        def backward(ctx, g):
            fresh = g * 2
            made.append(fresh.data_ptr())
            return fresh

    Square.apply(w).sum().backward()
    assert [w.grad.data_ptr()] == made


def test_reference_counts_are_calibrated_on_this_interpreter():
    assert accumulate_grad._calibrate() == accumulate_grad.UNSHARED > 0


@pytest.mark.parametrize("counts", [lambda x: 4, lambda x: 2**31])
def test_counts_that_do_not_tell_holders_copy_every_gradient(counts, monkeypatch):
    monkeypatch.setattr(accumulate_grad, "getrefcount", counts)
    assert accumulate_grad._calibrate() == 0


def kept_by_formula(form, kept):
    class Keeps(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            kept.append(form(g * 2))
            return kept[-1]

    return Keeps.apply


@pytest.mark.parametrize(
    "form", [lambda g: g, lambda g: g[:], lambda g: g.view(2), lambda g: g.detach()]
)
def test_gradient_that_a_formula_keeps_is_copied(form):
    w, kept = leaf(), []
    kept_by_formula(form, kept)(w).sum().backward()
    assert w.grad.tolist() == kept[0].tolist() == [2.0, 2.0]
    w.grad.zero_()
    assert kept[0].tolist() == [2.0, 2.0]


def test_gradient_of_two_leaves_is_copied_for_one_of_them_at_least():
    w, v = leaf(), leaf()
    ((w + v) * 3).sum().backward()
    w.grad.zero_()
    assert v.grad.tolist() == [3.0, 3.0]


def test_gradient_of_a_step_is_copied():
    w = leaf()
    arrived = [step.grad_inputs[0] for step in (w * 3).backward_steps(torch.ones(2))
               if step.name == "MulBackward0"]  # fmt: skip
    w.grad.zero_()
    assert arrived[0].tolist() == [3.0, 3.0]


def test_second_gradient_is_added_in_place_and_counted_as_a_change():
    w = leaf()
    accumulate(w, np.ones(2, np.float32))
    first = w.grad
    accumulate(w, np.ones(2, np.float32))
    assert w.grad is first and first.tolist() == [2.0, 2.0] and first._version == 1


def test_gradient_that_can_be_differentiated_is_changed_in_place():
    w = leaf()
    w.grad = before = torch.ones(2, requires_grad=True)
    accumulate(w, np.ones(2, np.float32))
    assert w.grad is before
    assert before.tolist() == [2.0, 2.0]


def channels_last() -> torch.Tensor:
    return torch.ones(2, 3, 4, 5).permute(0, 3, 1, 2).requires_grad_()


def test_gradient_gets_its_leaf_s_order_in_memory():
    w = channels_last()
    (w * 2).sum().backward()
    assert w.grad.stride() == w.stride()
    assert w.grad.eq(2).all()


def test_gradient_of_a_leaf_with_gaps_is_contiguous():
    w = torch.ones(4, 6)[:, ::2].requires_grad_()
    (w * 2).sum().backward()
    assert w.grad.is_contiguous()


def test_gradient_that_is_taken_without_a_policy_lies_as_it_was_made():
    w = channels_last()
    with torch.autograd.enforce_grad_layout_policy(False):
        (w * torch.ones(2, 5, 3, 4)).sum().backward()
    assert w.grad.is_contiguous()
