"""Circular functions."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.sin(u)",
    "torch.sin(z)",
    "torch.sin(f)",
    "torch.sin(v)",
    "torch.sin(k)",
    "torch.sin(m)",
    "torch.cos(u)",
    "torch.cos(z)",
    "torch.cos(f)",
    "torch.cos(v)",
    "torch.cos(k)",
    "torch.cos(m)",
    "torch.tan(u)",
    "torch.tan(z)",
    "torch.tan(f)",
    "torch.tan(v)",
    "torch.tan(k)",
    "torch.tan(m)",
    "torch.asin(u)",
    "torch.asin(z)",
    "torch.asin(f)",
    "torch.asin(v)",
    "torch.asin(k)",
    "torch.asin(m)",
    "torch.acos(u)",
    "torch.acos(z)",
    "torch.acos(f)",
    "torch.acos(v)",
    "torch.acos(k)",
    "torch.acos(m)",
    "torch.atan(u)",
    "torch.atan(z)",
    "torch.atan(f)",
    "torch.atan(v)",
    "torch.atan(k)",
    "torch.atan(m)",
    "torch.sinc(u)",
    "torch.sinc(z)",
    "torch.sinc(f)",
    "torch.sinc(v)",
    "torch.sinc(k)",
    "torch.sinc(m)",
    "torch.atan2(a, b)",
    "torch.atan2(o, torch.zeros(3))",
    "torch.atan2(k, l)",
    "torch.hypot(a, b)",
    "torch.hypot(f, f)",
    "torch.rad2deg(k)",
    "torch.arcsin(u)",
    "torch.arctan2(a, b)",
    "y = u * 1; y.sin_(); y",
    "y = u * 1; y.arccos_(); y",
    "y = a * 1; y.atan2_(b); y",
    "torch.sinc(o)",
    "f.bfloat16().sinc()",
    "f.half().sinc()",
    "torch.asin(v.requires_grad_())",
    "torch.acos(v.requires_grad_())",
    "torch.deg2rad(a)",
    "f.half().rad2deg()",
]

SMOOTH = [
    "torch.sin(a)",
    "torch.cos(a)",
    "torch.tan(u)",
    "torch.asin(u)",
    "torch.acos(u)",
    "torch.atan(a)",
    "torch.atan2(a, b)",
    "torch.hypot(a, b)",
    "torch.sinc(a)",
    "torch.sin(z)",
    "torch.tan(z)",
    "torch.asin(z)",
    "torch.deg2rad(a)",
]

REFUSED = [
    "torch.atan2(a, 2)",
    "torch.hypot(2, a)",
    "torch.sin(1.0)",
    "torch.deg2rad(z)",
    "torch.rad2deg(None)",
    "torch.atan2(z, z)",
    "torch.hypot(z, z)",
]


@pytest.mark.parametrize("case", CASES)
def test_circular_functions_equal_pytorch(case):
    alike(__file__, case)


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
