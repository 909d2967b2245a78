"""Circular functions."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.sin(unit)",
    "torch.sin(complexes)",
    "torch.sin(singles)",
    "torch.sin(specials)",
    "torch.sin(ints)",
    "torch.sin(mask)",
    "torch.cos(unit)",
    "torch.cos(complexes)",
    "torch.cos(singles)",
    "torch.cos(specials)",
    "torch.cos(ints)",
    "torch.cos(mask)",
    "torch.tan(unit)",
    "torch.tan(complexes)",
    "torch.tan(singles)",
    "torch.tan(specials)",
    "torch.tan(ints)",
    "torch.tan(mask)",
    "torch.asin(unit)",
    "torch.asin(complexes)",
    "torch.asin(singles)",
    "torch.asin(specials)",
    "torch.asin(ints)",
    "torch.asin(mask)",
    "torch.acos(unit)",
    "torch.acos(complexes)",
    "torch.acos(singles)",
    "torch.acos(specials)",
    "torch.acos(ints)",
    "torch.acos(mask)",
    "torch.atan(unit)",
    "torch.atan(complexes)",
    "torch.atan(singles)",
    "torch.atan(specials)",
    "torch.atan(ints)",
    "torch.atan(mask)",
    "torch.sinc(unit)",
    "torch.sinc(complexes)",
    "torch.sinc(singles)",
    "torch.sinc(specials)",
    "torch.sinc(ints)",
    "torch.sinc(mask)",
    "torch.atan2(a, b)",
    "torch.atan2(zeroed, torch.zeros(3))",
    "torch.atan2(ints, ints2)",
    "torch.hypot(a, b)",
    "torch.hypot(singles, singles)",
    "torch.rad2deg(ints)",
    "torch.arcsin(unit)",
    "torch.arctan2(a, b)",
    "y = unit * 1; y.sin_(); y",
    "y = unit * 1; y.arccos_(); y",
    "y = a * 1; y.atan2_(b); y",
    "torch.sinc(zeroed)",
    "singles.bfloat16().sinc()",
    "singles.half().sinc()",
    "torch.asin(specials.requires_grad_())",
    "torch.acos(specials.requires_grad_())",
    "torch.deg2rad(a)",
    "singles.half().rad2deg()",
]

SMOOTH = [
    "torch.sin(a)",
    "torch.cos(a)",
    "torch.tan(unit)",
    "torch.asin(unit)",
    "torch.acos(unit)",
    "torch.atan(a)",
    "torch.atan2(a, b)",
    "torch.hypot(a, b)",
    "torch.sinc(a)",
    "torch.sin(complexes)",
    "torch.tan(complexes)",
    "torch.asin(complexes)",
    "torch.deg2rad(a)",
]

REFUSED = [
    "torch.atan2(a, 2)",
    "torch.hypot(2, a)",
    "torch.sin(1.0)",
    "torch.deg2rad(complexes)",
    "torch.rad2deg(None)",
    "torch.atan2(complexes, complexes)",
    "torch.hypot(complexes, complexes)",
]


@pytest.mark.parametrize("case", CASES)
def test_circular_functions_equal_pytorch(case):
    alike(__file__, case)


def test_gradient_of_sinc_near_zero_keeps_its_digits():
    x = edutorch.tensor([1e-30, 1e-3, 0.0121], requires_grad=True)
    (g,) = edutorch.autograd.grad(edutorch.sinc(x).sum(), x)
    assert g.dtype == edutorch.float32
    assert g.tolist() == pytest.approx([0.0, -0.0032898649, -0.039801645], rel=1e-6)


@pytest.mark.parametrize("case", SMOOTH)
def test_circular_functions_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_circular_functions_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


COMPOSED = [
    "torch.deg2rad(a)",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_functions_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)
