"""Causes of exceptions in answers."""

from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.course import CheckFailed, check
from edutorch.course.exception_causes import cause_of, why_dtype, why_no_tensor


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


def gradient_of_another_shape():
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return 2 * x

        @staticmethod
        def backward(ctx, g):
            return 2 * g[:1]

    Double.apply(torch.ones(3, requires_grad=True)).sum().backward()


def overwritten():
    y = torch.ones(2, requires_grad=True).exp()
    y[0] = 0
    y.sum().backward()


def parameter_replaced():
    torch.nn.Linear(2, 2).weight = torch.ones(2, 2)


def unset_name():
    value = 1
    del value
    return value  # noqa: F821  # which is not defined


def view_of_a_changed_gradient():
    x = torch.ones(2, requires_grad=True)
    (x**3).sum().backward(create_graph=True)
    for slope in x.grad:
        slope.backward(retain_graph=True)


def gradient_without_a_graph():
    x = torch.ones(2, requires_grad=True)
    (slopes,) = torch.autograd.grad((x**3).sum(), x)
    torch.autograd.grad(slopes.sum(), x)


def constant_slopes():
    x = torch.ones(2, requires_grad=True)
    (slopes,) = torch.autograd.grad((3 * x).sum(), x, create_graph=True)
    return [torch.autograd.grad(slope, x) for slope in slopes]


def recursion():
    recursion()


ANSWERS = {
    "neither true nor false": lambda: bool(torch.ones(2) == 1),
    "for tensors there is torch.maximum": lambda: max(torch.ones(2), 1e-8),
    "a tensor and a number clamp(max=...)": lambda: 2 * min(torch.ones(2), 1),
    "test `is not None` first": lambda: None.zero_(),
    "must be computed from a tensor that requires": lambda: (
        torch.ones(1).sum().backward()
    ),
    "a gradient needs create_graph=True": gradient_without_a_graph,
    "a constant slope has none": constant_slopes,
    "only inside torch.no_grad()": lambda: torch.nn.Linear(1, 1).weight.zero_(),
    "retain_graph=True": backward_twice,
    "take .values, or use amax": lambda: (
        torch.ones(2, 2) - torch.ones(2, 2).max(dim=1, keepdim=True)
    ),
    "take .values, or use amin": lambda: (
        torch.ones(2, 2) - torch.ones(2, 2).min(dim=1, keepdim=True)
    ),
    "(x,) = ctx.saved_tensors": backward_through_a_tuple,
    "each of the shape of its input": gradient_of_another_shape,
    "needs a case in which it stops": recursion,
    "range(n) counts": lambda: list(3),
    "// does not": lambda: torch.ones(3)[: 4 / 2],
    "sizes and indices are whole": lambda: range(4 / 2),
    "a float even where": lambda: torch.zeros(4 / 2),
    "are whole numbers": lambda: torch.ones(4).split(4 / 2),
    "the last index is the length minus 1": lambda: list(range(2)).__getitem__(2),
    "its size minus 1": lambda: torch.ones(2)[2],
    "None has no parts": lambda: print()[0],
    "it is a plain number": lambda: (1.0).grad,
    "defined or imported first": lambda: torch_,  # noqa: F821  # likewise
    "a count or a length may be 0": lambda: 1 // 0,
    "may be 0: such a case": lambda: 1 / 0,
    "the same product": lambda: torch.ones(6).view(4, 2),
    "each stride stand": lambda: torch.ones(2, 3).as_strided((2, 3), (3, 3)),
    "a tensor and a list do not combine": lambda: torch.ones(2) + [0],
    "x.tolist() makes a list": lambda: [0] + torch.ones(2),
    "which has no methods of tensors": lambda: [2, 1].argsort(),
    "torch.tensor(values) makes a tensor": lambda: torch.argsort([2, 1]),
    "not compared element by element": lambda: [2, 1] > 1,
    "which has no methods of lists": lambda: torch.ones(2).index(1),
    "changed in place keeps its shape": lambda: torch.ones(2).add_(torch.ones(3, 2)),
    "the shapes do not broadcast": lambda: torch.ones(2) + torch.ones(3),
    "the numbers that were overwritten": overwritten,
    "cross_entropy takes scores": lambda: torch.nn.functional.cross_entropy(
        torch.ones(2, 3), torch.ones(2, 3, dtype=torch.int64)
    ),
    "or set an nn.Parameter": parameter_replaced,
    "after a line that sets it": unset_name,
    "clone() it first": view_of_a_changed_gradient,
}


@pytest.mark.parametrize("cause", ANSWERS)
def test_cause_of_what_the_library_raises_is_named(cause):
    with pytest.raises(Exception) as caught:  # of any kind
        ANSWERS[cause]()
    assert cause in cause_of(caught.value)


def test_cause_of_anything_else_is_not_named():
    assert cause_of(ValueError("a size of 0")) == ""


@pytest.mark.parametrize(
    ("got", "words"),
    [
        ([torch.ones(1)], "torch.stack makes one tensor"),
        ((torch.ones(1), torch.ones(1)), "torch.stack makes one tensor"),
        (np.ones(2), "torch.from_numpy"),
        (np.float32(1), "torch.from_numpy"),
        ([1.0], ""),
        ([], ""),
        (1.0, ""),
    ],
)
def test_cause_of_numbers_that_are_in_no_tensor_is_named(got, words):
    assert bool(why_no_tensor(got)) is bool(words)
    assert words in why_no_tensor(got)


def test_cause_of_float64_is_named():
    assert "NumPy" in why_dtype(torch.tensor(np.ones(2)), torch.ones(2))


def test_check_of_an_answer_that_raises_tells_the_cause():
    def strides_of(shape):
        return tuple(d for d in len(shape))

    with pytest.raises(CheckFailed, match="range"):
        check("01.1", strides_of)
