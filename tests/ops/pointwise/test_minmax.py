"""Maximum, minimum and their kin."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.maximum(a, b)",
    "torch.minimum(a, row)",
    "torch.maximum(ties, ties)",
    "torch.minimum(ties, torch.ones(3))",
    "torch.maximum(specials, -specials)",
    "torch.maximum(ints, ints2)",
    "torch.maximum(mask, mask2)",
    "torch.maximum(singles, ints)",
    "torch.fmax(a, b)",
    "torch.fmin(a, b)",
    "torch.fmax(specials, -specials)",
    "torch.fmin(specials, specials * 0)",
    "torch.fmax(ties, ties)",
    "torch.fmin(ties, ties)",
]

SMOOTH = [
    "torch.maximum(a, b)",
    "torch.minimum(a, row)",
    "torch.fmax(a, b)",
    "torch.fmin(a, b)",
]

REFUSED = [
    "torch.maximum(a, 2)",
    "torch.maximum(complexes, complexes)",
]


@pytest.mark.parametrize("case", CASES)
def test_extremes_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_extremes_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_extremes_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
