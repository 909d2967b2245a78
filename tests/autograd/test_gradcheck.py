"""gradcheck finds wrong derivatives, first and second."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.autograd import GradcheckError, gradcheck, gradgradcheck


class Wrong(torch.autograd.Function):
    """x² with a wrong derivative."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * x * g


class WrongSecond(torch.autograd.Function):
    """x² whose derivative is right and hides its dependence on x."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x.detach() * g


def points(*shape):
    return (torch.rand(*shape, dtype=torch.float64) + 0.5).requires_grad_()


def test_right_derivatives_pass_with_several_inputs_and_outputs():
    f = lambda a, b: (a * b, (a / b).sum())
    assert gradcheck(f, [points(2, 3), points(3)])
    assert gradgradcheck(f, [points(2, 3), points(3)])


def test_wrong_first_derivative_is_found():
    with pytest.raises(GradcheckError, match="Jacobian mismatch for output 0"):
        gradcheck(Wrong.apply, [points(2)])
    assert gradcheck(Wrong.apply, [points(2)], raise_exception=False) is False


def test_wrong_second_derivative_is_found():
    assert gradcheck(WrongSecond.apply, [points(2)])
    with pytest.raises(GradcheckError):
        gradgradcheck(WrongSecond.apply, [points(2)])


def test_inputs_without_grad_are_refused():
    with pytest.raises(
        ValueError, match="at least one input tensor to require gradient"
    ):
        gradcheck(torch.exp, [torch.ones(1, dtype=torch.float64)])


def test_inputs_come_back_unchanged():
    x = points(3)
    before = x.tolist()
    gradcheck(torch.exp, [x])
    assert x.tolist() == before
