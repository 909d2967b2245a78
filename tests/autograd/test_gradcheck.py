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


def test_forward_mode_and_batches_are_checked_too():
    x = torch.rand(2, 3, dtype=torch.float64, requires_grad=True)
    f = lambda x: (x.exp() @ x.T.sin(), x.sum(0))
    every = {"check_forward_ad": True, "check_batched_grad": True}
    assert torch.autograd.gradcheck(f, x, check_grad_dtypes=True, **every)
    assert torch.autograd.gradgradcheck(
        lambda x: x.tanh() * x, x, check_fwd_over_rev=True, check_batched_grad=True
    )


def test_a_pass_that_is_not_repeatable_is_found():
    calls = []

    class Drifting(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            calls.append(1)
            return g * (1 + 1e-7 * len(calls))

    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(Drifting.apply, x, nondet_tol=1e-3)
    assert not torch.autograd.gradcheck(Drifting.apply, x, raise_exception=False)


def test_a_wrong_jvp_is_found_by_forward_mode_alone():
    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 3

    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    options = {"check_backward_ad": False, "raise_exception": False}
    assert torch.autograd.gradcheck(Wrong.apply, x, **options)
    assert not torch.autograd.gradcheck(
        Wrong.apply, x, check_forward_ad=True, **options
    )
