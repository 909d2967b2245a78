"""What lies behind an exception in an answer."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import CheckFailed, check
from edutorch.course.causes import cause_of


def backward_twice():
    x = torch.ones(2, requires_grad=True)
    y = x.exp().sum()
    y.backward()
    y.backward()


def backward_through_a_tuple():
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return 2 * x

        @staticmethod
        def backward(ctx, g):
            return g * torch.sigmoid(ctx.saved_tensors)

    Double.apply(torch.ones(2, requires_grad=True)).sum().backward()


def recursion():
    recursion()


ANSWERS = {
    "neither true nor false": lambda: bool(torch.ones(2) == 1),
    "test `is not None` first": lambda: None.zero_(),
    "must be computed from a tensor that requires": lambda: (
        torch.ones(1).sum().backward()
    ),
    "only inside torch.no_grad()": lambda: torch.nn.Linear(1, 1).weight.zero_(),
    "retain_graph=True": backward_twice,
    "take .values, or use amax": lambda: (
        torch.ones(2, 2) - torch.ones(2, 2).max(dim=1, keepdim=True)
    ),
    "take .values, or use amin": lambda: (
        torch.ones(2, 2) - torch.ones(2, 2).min(dim=1, keepdim=True)
    ),
    "(x,) = ctx.saved_tensors": backward_through_a_tuple,
    "needs a case in which it stops": recursion,
    "range(n) counts": lambda: list(3),
}


@pytest.mark.parametrize("cause", ANSWERS)
def test_cause_of_what_the_library_raises_is_named(cause):
    with pytest.raises(Exception) as caught:  # of any kind
        ANSWERS[cause]()
    assert cause in cause_of(caught.value)


def test_cause_of_anything_else_is_not_named():
    assert cause_of(ValueError("a size of 0")) == ""


def test_check_of_an_answer_that_raises_tells_the_cause():
    def strides_of(shape):
        return tuple(d for d in len(shape))

    with pytest.raises(CheckFailed, match="range"):
        check("01.1", strides_of)
