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


class Squared(torch.autograd.Function):
    """x² with forward mode alone."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_forward(x)
        return x * x

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        return 2 * x * t


class Both(Wrong):
    """x² with a right `jvp` and a wrong backward."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_forward(x)
        return Wrong.forward(ctx, x)

    jvp = Squared.jvp


FORWARD = {"check_forward_ad": True, "check_backward_ad": False}


@pytest.mark.parametrize("function", [Squared, Both])
def test_of_a_function_forward_mode_checks_its_jvp(function):
    x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
    assert gradcheck(function.apply, x, **FORWARD)
    assert gradcheck(function.apply, x, check_batched_forward_grad=True, **FORWARD)


def test_a_wrong_jvp_is_found_by_forward_mode_alone():
    class Tripled(Both):
        @staticmethod
        def jvp(ctx, t):
            return 3 * t

    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    assert not gradcheck(Tripled.apply, x, raise_exception=False, **FORWARD)
    with pytest.raises(
        GradcheckError, match="^Jacobian computed with forward mode mismatch for "
    ):
        gradcheck(Tripled.apply, x, **FORWARD)


def test_a_function_without_the_formula_of_a_mode_is_refused():
    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    with pytest.raises(NotImplementedError, match="^You must implement the jvp"):
        gradcheck(Wrong.apply, x, **FORWARD)
    with pytest.raises(NotImplementedError, match="^You must implement either"):
        gradcheck(Squared.apply, x, check_forward_ad=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"check_backward_ad": False}, "Expected at least one of check_forward_ad"),
        ({"check_batched_grad": True, **FORWARD}, "Setting check_batched_grad=True"),
        ({"check_batched_forward_grad": True}, "Setting check_batched_forward_grad"),
    ],
)
def test_modes_that_do_not_go_together_are_refused(options, message):
    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    with pytest.raises(AssertionError, match=message):
        gradcheck(torch.exp, x, **options)


class TwiceTurned(torch.autograd.Function):
    """2j · x, whose backward forgets to conjugate."""

    @staticmethod
    def forward(ctx, x):
        return x * 2j

    @staticmethod
    def backward(ctx, g):
        return g * 2j


def complex_points(*shape):
    return torch.randn(*shape, dtype=torch.complex128, requires_grad=True)


@pytest.mark.parametrize(
    "f",
    [
        lambda z: z.exp(),
        lambda z: z * z.conj(),
        lambda z: (z.abs(), z.angle(), z * 2j),
        lambda z: z.real * z,
    ],
)
def test_complex_derivatives_are_checked_in_every_mode(f):
    every = {"check_forward_ad": True, "check_batched_forward_grad": True}
    assert gradcheck(f, complex_points(3), check_batched_grad=True, **every)
    assert gradgradcheck(f, complex_points(3))


def test_real_beside_complex_operands_are_checked():
    f = lambda x, z: (x * z, x + z)
    assert gradcheck(f, [points(3), complex_points(3)], check_forward_ad=True)


def test_a_gradient_that_is_not_conjugated_is_found():
    with pytest.raises(
        GradcheckError,
        match="^While considering the imaginary part of complex outputs only, Jacobian",
    ):
        gradcheck(TwiceTurned.apply, [complex_points(2)])


def test_a_wrong_real_part_alone_is_found():
    class Halved(TwiceTurned):
        @staticmethod
        def backward(ctx, g):
            return g.imag * 2 - g.real * 1j

    with pytest.raises(GradcheckError, match="^While considering the real part of"):
        gradcheck(Halved.apply, [complex_points(2)])


def test_inputs_unfit_for_differences_are_refused():
    with pytest.warns(UserWarning, match="^Input #0 requires gradient and is not a d"):
        gradcheck(torch.exp, torch.ones(2, requires_grad=True), eps=1e-2, atol=1e-1)
    x = torch.ones(1, dtype=torch.float64, requires_grad=True).expand(3)
    with pytest.raises(RuntimeError, match="^The 0th input has a dimension with stri"):
        gradcheck(torch.exp, x)
