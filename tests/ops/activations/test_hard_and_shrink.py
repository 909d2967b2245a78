"""Piecewise linear activations."""

import pytest

import edutorch as torch
import edutorch.nn.functional as F
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.hardshrink(a, torch.tensor(1))",
    "F.softshrink(a, torch.tensor(1))",
    "F.hardsigmoid(a)",
    "F.hardsigmoid(a * 3)",
    "F.hardsigmoid(singles)",
    "F.hardswish(a)",
    "F.hardswish(a * 3)",
    "F.hardswish(singles)",
    "F.hardshrink(a)",
    "F.hardshrink(a * 3)",
    "F.hardshrink(singles)",
    "F.softshrink(a)",
    "F.softshrink(a * 3)",
    "F.softshrink(singles)",
    "F.tanhshrink(a)",
    "F.tanhshrink(a * 3)",
    "F.tanhshrink(singles)",
    "F.softsign(a)",
    "F.softsign(a * 3)",
    "F.softsign(singles)",
    "torch.hardshrink(a, 1.0)",
    "F.softshrink(a, 1.0)",
    "F.hardshrink(specials)",
    "F.hardsigmoid(ints.bfloat16())",
    "F.hardswish(ints.bfloat16())",
    "F.softshrink(a.bfloat16())",
    "F.softshrink(specials)",
    "F.hardsigmoid(specials)",
    "F.tanhshrink(specials)",
    "y = a * 1; F.hardswish(y, inplace=True); y",
    "y = a * 1; F.hardsigmoid(y, inplace=True); y",
]

SMOOTH = [
    "F.hardswish(a)",
    "F.hardshrink(a)",
    "F.softshrink(a)",
    "F.tanhshrink(a)",
    "F.softsign(a)",
]

REFUSED = [
    "F.softshrink(a, -1.0)",
    "torch.hardshrink(a, 'a')",
]


@pytest.mark.parametrize("case", CASES)
def test_shrinking_activations_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_shrinking_activations_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_shrinking_activations_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_softshrink_gradient_compares_with_lambda_in_the_dtype_of_its_input():
    x = torch.tensor([0.3, 0.4], dtype=torch.bfloat16, requires_grad=True)
    F.softshrink(x, 0.3).sum().backward()
    assert x.grad.tolist() == [0.0, 1.0]
    assert torch.hardshrink(x, 0.3)[0] == 0


def test_second_derivative_that_pytorch_lacks_is_refused():
    x = torch.ones(2, requires_grad=True)
    (g,) = torch.autograd.grad(F.hardsigmoid(x).sum(), x, create_graph=True)
    assert g.requires_grad
    with pytest.raises(RuntimeError, match="derivative for aten::hardsigmoid_backward"):
        g.sum().backward()
