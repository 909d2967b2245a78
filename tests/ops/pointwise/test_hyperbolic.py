"""Hyperbolic functions and the sigmoid."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.sinh(unit)",
    "torch.sinh(complexes)",
    "torch.sinh(singles)",
    "torch.sinh(specials)",
    "torch.sinh(ints)",
    "torch.sinh(mask)",
    "torch.cosh(unit)",
    "torch.cosh(complexes)",
    "torch.cosh(singles)",
    "torch.cosh(specials)",
    "torch.cosh(ints)",
    "torch.cosh(mask)",
    "torch.tanh(unit)",
    "torch.tanh(complexes)",
    "torch.tanh(singles)",
    "torch.tanh(specials)",
    "torch.tanh(ints)",
    "torch.tanh(mask)",
    "torch.asinh(unit)",
    "torch.asinh(complexes)",
    "torch.asinh(singles)",
    "torch.asinh(specials)",
    "torch.asinh(ints)",
    "torch.asinh(mask)",
    "torch.atanh(unit)",
    "torch.atanh(complexes)",
    "torch.atanh(singles)",
    "torch.atanh(specials)",
    "torch.atanh(ints)",
    "torch.atanh(mask)",
    "torch.sigmoid(unit)",
    "torch.sigmoid(complexes)",
    "torch.sigmoid(singles)",
    "torch.sigmoid(specials)",
    "torch.sigmoid(ints)",
    "torch.sigmoid(mask)",
    "torch.acosh(positive + 1)",
    "torch.acosh(complexes)",
    "torch.arcsinh(a)",
    "y = unit * 1; y.tanh_(); y",
    "y = unit * 1; y.sigmoid_(); y",
    "y = unit.detach() * 1; y.arctanh_(); y",
    "torch.sigmoid(torch.tensor([-1000.0, 1000.0]))",
    "torch.acosh(a - 4)",
    "torch.acosh(specials.requires_grad_())",
]

SMOOTH = [
    "torch.sinh(a)",
    "torch.cosh(a)",
    "torch.tanh(a)",
    "torch.asinh(a)",
    "torch.atanh(unit)",
    "torch.acosh(positive + 1)",
    "torch.sigmoid(a)",
    "torch.tanh(complexes)",
    "torch.sigmoid(complexes)",
]

REFUSED = [
    "torch.tanh(1.0)",
    "y = ints * 1; y.tanh_()",
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
