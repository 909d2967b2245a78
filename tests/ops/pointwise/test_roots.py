"""Squares, roots and reciprocals."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.square(mask[:1].expand(3, *mask.shape[1:])).stride()",
    "torch.sqrt(positive)",
    "torch.sqrt(complexes)",
    "torch.sqrt(singles)",
    "torch.sqrt(specials)",
    "torch.sqrt(ints)",
    "torch.sqrt(mask)",
    "torch.sqrt(uint8s)",
    "torch.rsqrt(positive)",
    "torch.rsqrt(complexes)",
    "torch.rsqrt(singles)",
    "torch.rsqrt(specials)",
    "torch.rsqrt(ints)",
    "torch.rsqrt(mask)",
    "torch.rsqrt(uint8s)",
    "torch.square(positive)",
    "torch.square(complexes)",
    "torch.square(singles)",
    "torch.square(specials)",
    "torch.square(ints)",
    "torch.square(mask)",
    "torch.square(uint8s)",
    "torch.reciprocal(positive)",
    "torch.reciprocal(complexes)",
    "torch.reciprocal(singles)",
    "torch.reciprocal(specials)",
    "torch.reciprocal(ints)",
    "torch.reciprocal(mask)",
    "torch.reciprocal(uint8s)",
    "y = positive * 1; y.sqrt_(); y",
    "y = positive * 1; y.rsqrt_(); y",
    "y = a * 1; y.square_(); y",
    "y = positive * 1; y.reciprocal_(); y",
    "y = torch.empty(2, 3); torch.sqrt(singles, out=y); y",
]

SMOOTH = [
    "torch.sqrt(positive)",
    "torch.rsqrt(positive)",
    "torch.square(a)",
    "torch.reciprocal(positive)",
    "torch.sqrt(complexes)",
    "torch.reciprocal(complexes)",
    "torch.square(complexes)",
]

REFUSED = [
    "y = ints * 1; y.sqrt_()",
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
