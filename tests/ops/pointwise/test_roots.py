"""Squares, roots and reciprocals."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.sqrt(p)",
    "torch.sqrt(z)",
    "torch.sqrt(f)",
    "torch.sqrt(v)",
    "torch.sqrt(k)",
    "torch.sqrt(m)",
    "torch.sqrt(e)",
    "torch.rsqrt(p)",
    "torch.rsqrt(z)",
    "torch.rsqrt(f)",
    "torch.rsqrt(v)",
    "torch.rsqrt(k)",
    "torch.rsqrt(m)",
    "torch.rsqrt(e)",
    "torch.square(p)",
    "torch.square(z)",
    "torch.square(f)",
    "torch.square(v)",
    "torch.square(k)",
    "torch.square(m)",
    "torch.square(e)",
    "torch.reciprocal(p)",
    "torch.reciprocal(z)",
    "torch.reciprocal(f)",
    "torch.reciprocal(v)",
    "torch.reciprocal(k)",
    "torch.reciprocal(m)",
    "torch.reciprocal(e)",
    "y = p * 1; y.sqrt_(); y",
    "y = p * 1; y.rsqrt_(); y",
    "y = a * 1; y.square_(); y",
    "y = p * 1; y.reciprocal_(); y",
    "y = torch.empty(2, 3); torch.sqrt(f, out=y); y",
]

SMOOTH = [
    "torch.sqrt(p)",
    "torch.rsqrt(p)",
    "torch.square(a)",
    "torch.reciprocal(p)",
    "torch.sqrt(z)",
    "torch.reciprocal(z)",
    "torch.square(z)",
]

REFUSED = [
    "y = k * 1; y.sqrt_()",
    "torch.sqrt(2.0)",
]


@pytest.mark.parametrize("case", CASES)
def test_roots_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_roots_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_roots_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
