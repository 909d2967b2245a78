"""Smooth activations."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.softplus(a, torch.tensor(2), torch.tensor(1))",
    "F.elu(a, torch.tensor(0.5))",
    "F.celu(a, torch.tensor(0.5))",
    "F.gelu(torch.tensor([-1e4, -20.0, -1e10, 1e4]))",
    "F.gelu(torch.tensor([-1e4, -20.0, -1e10, 1e4]).repeat(1000))[-4:]",
    "F.gelu(a)",
    "F.softplus(singles.bfloat16())",
    "F.gelu(singles)",
    "F.gelu(specials * 0 + specials)",
    "F.silu(a)",
    "F.silu(singles)",
    "F.silu(specials * 0 + specials)",
    "F.mish(a)",
    "F.mish(singles)",
    "F.mish(specials * 0 + specials)",
    "F.softplus(a)",
    "F.softplus(singles)",
    "F.softplus(specials * 0 + specials)",
    "F.logsigmoid(a)",
    "F.logsigmoid(singles)",
    "F.logsigmoid(specials * 0 + specials)",
    "F.elu(a)",
    "F.elu(singles)",
    "F.elu(specials * 0 + specials)",
    "F.celu(a)",
    "x = torch.zeros(2, requires_grad=True); g, = torch.autograd.grad(torch.nn.functional.celu(x, 2.0).sum(), x, create_graph=True); torch.autograd.grad(g.sum(), x)",
    "F.celu(singles)",
    "F.celu(specials * 0 + specials)",
    "F.selu(a)",
    "F.selu(singles)",
    "F.selu(specials * 0 + specials)",
    'F.gelu(a, approximate="tanh")',
    "F.softplus(a, 2.0, 3.0)",
    "F.softplus(a * 20)",
    "F.softplus(a, 2.0, float('nan'))",
    "F.elu(a, 0.5)",
    "F.celu(a, 2.0)",
    "torch.celu(a, 0.5)",
    "torch.selu(a)",
    "F.elu(a * 500)",
    "F.mish(a * 50)",
    "F.logsigmoid(a * 500)",
    "y = a * 1; F.silu(y, inplace=True); y",
    "F.elu(specials)",
    "F.elu(a.bfloat16())",
    "F.celu(a.bfloat16(), 2.0)",
    "F.selu(a.bfloat16())",
    "y = a * 1; F.mish(y, inplace=True); y",
]

SMOOTH = [
    "F.gelu(a)",
    'F.gelu(a, approximate="tanh")',
    "F.silu(a)",
    "F.mish(a)",
    "F.softplus(a)",
    "F.logsigmoid(a)",
    "F.elu(a, 0.5)",
    "F.celu(a, 2.0)",
    "F.selu(a)",
]

REFUSED = [
    'F.gelu(a, approximate="x")',
    "F.celu(a, 0.0)",
    "F.logsigmoid(None)",
    "F.selu(None)",
    "F.elu(a, None)",
    "F.celu(a, 'a')",
    "torch.celu(a, [1.0])",
]


@pytest.mark.parametrize("case", CASES)
def test_smooth_activations_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_smooth_activations_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_smooth_activations_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


COMPOSED = [
    "y = a * 1; F.celu_(y, 0.5); y",
    "y = a * 1; torch.selu_(y); y",
    "y = a * 1; F.elu(y, inplace=True); y",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_in_place_activations_equal_pytorch_with_their_node(case):
    alike(__file__, case)


def test_at_the_threshold_of_softplus_its_slope_does_not_change():
    x = torch.tensor([0.9, 1.0, 1.1], requires_grad=True)
    y = torch.nn.functional.softplus(x, 1.0, 1.0).sum()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), x)
    assert (h != 0).tolist() == [True, False, False]


def test_elu_with_an_infinite_slope_is_0_at_0():
    x = torch.tensor([0.0, 1.0])
    assert torch.nn.functional.elu(x, float("inf")).tolist() == [0.0, 1.0]
