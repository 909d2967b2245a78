"""Medians and modes."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "a.median()",
    "torch.median(a, 1)",
    "torch.median(a, 0, True)",
    "specials.median()",
    "specials.median(0)",
    "ints.median()",
    "ties.median()",
    "scalar.median(0)",
    "specials.nanmedian()",
    "torch.nanmedian(specials, 0)",
    "a.nanmedian(1)",
    "torch.ones(0).median()",
    "ints.mode()",
    "torch.mode(torch.tensor([3, 1, 3, 1, 2]))",
    "torch.mode(ties, 1, True)",
    "a.mode(0)",
    "scalar.mode()",
    "torch.empty(0, dtype=torch.int8).median()",
    "torch.empty(0, dtype=torch.bfloat16).median()",
    "torch.empty(0, dtype=torch.bool).nanmedian()",
    "specials.mode()",
    "torch.tensor([1.0, float('nan'), 2.0, 2.0, float('nan')]).mode()",
    "ints.mode(axis=0, keepdims=True)",
]

SMOOTH = [
    "a.median()",
    "torch.median(a, 1).values",
    "a.nanmedian()",
    "torch.mode(a, 1).values",
]

REFUSED = [
    "a.median(None)",
    "torch.nanmedian(a, dim=None)",
    "a.median(2)",
    "torch.ones(2, 0).median(1)",
]


@pytest.mark.parametrize("case", CASES)
def test_medians_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_medians_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_medians_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_places_of_medians_lie_row_by_row_in_dimensions_of_one_element_too():
    x = edutorch.arange(15.0).reshape(3, 5)
    for function in (edutorch.median, edutorch.nanmedian):
        assert function(x, 0, keepdim=True).indices.stride() == (5, 1)
