"""Bilinear maps."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.bilinear(a, b, squares)",
    "torch.bilinear(a, b, squares, row[:2])",
    "torch.bilinear(row, row.cos(), squares)",
    "torch.bilinear(squares, squares.cos(), squares)",
    "torch.bilinear(*[x.detach() for x in (complexes, complexes.t(), complexes[None])])",
    "torch.bilinear(singles[:0], singles[:0], singles[:, :, None].expand(2, 3, 3))",
]

SMOOTH = [
    "torch.bilinear(a, b, squares, row[:2])",
]

REFUSED = [
    "torch.bilinear(complexes, complexes.t(), complexes[None])",
    "torch.bilinear(torch.ones(1, 2), torch.ones(1, 2), torch.ones(1, 2, 2), 'a')",
    "torch.bilinear(torch.ones(2, 0), torch.ones(2, 3), torch.ones(1, 0, 3))",
    "torch.bilinear(a, b[:1], squares)",
]


@pytest.mark.parametrize("case", CASES)
def test_bilinear_maps_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_bilinear_maps_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_bilinear_maps_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
