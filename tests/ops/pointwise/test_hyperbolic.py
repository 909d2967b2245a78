"""Hyperbolic functions and the sigmoid."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.sinh(u)",
    "torch.sinh(z)",
    "torch.sinh(f)",
    "torch.sinh(v)",
    "torch.sinh(k)",
    "torch.sinh(m)",
    "torch.cosh(u)",
    "torch.cosh(z)",
    "torch.cosh(f)",
    "torch.cosh(v)",
    "torch.cosh(k)",
    "torch.cosh(m)",
    "torch.tanh(u)",
    "torch.tanh(z)",
    "torch.tanh(f)",
    "torch.tanh(v)",
    "torch.tanh(k)",
    "torch.tanh(m)",
    "torch.asinh(u)",
    "torch.asinh(z)",
    "torch.asinh(f)",
    "torch.asinh(v)",
    "torch.asinh(k)",
    "torch.asinh(m)",
    "torch.atanh(u)",
    "torch.atanh(z)",
    "torch.atanh(f)",
    "torch.atanh(v)",
    "torch.atanh(k)",
    "torch.atanh(m)",
    "torch.sigmoid(u)",
    "torch.sigmoid(z)",
    "torch.sigmoid(f)",
    "torch.sigmoid(v)",
    "torch.sigmoid(k)",
    "torch.sigmoid(m)",
    "torch.acosh(p + 1)",
    "torch.acosh(z)",
    "torch.arcsinh(a)",
    "y = u * 1; y.tanh_(); y",
    "y = u * 1; y.sigmoid_(); y",
    "y = u.detach() * 1; y.arctanh_(); y",
    "torch.sigmoid(torch.tensor([-1000.0, 1000.0]))",
    "torch.acosh(a - 4)",
    "torch.acosh(v.requires_grad_())",
]

SMOOTH = [
    "torch.sinh(a)",
    "torch.cosh(a)",
    "torch.tanh(a)",
    "torch.asinh(a)",
    "torch.atanh(u)",
    "torch.acosh(p + 1)",
    "torch.sigmoid(a)",
    "torch.tanh(z)",
    "torch.sigmoid(z)",
]

REFUSED = [
    "torch.tanh(1.0)",
    "y = k * 1; y.tanh_()",
]


@pytest.mark.parametrize("case", CASES)
def test_hyperbolic_functions_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_hyperbolic_functions_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_hyperbolic_functions_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
