"""Losses of triplets."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.triplet_margin_loss(a, b, p)",
    "F.triplet_margin_loss(a, b, p, 0.7, 3.0, swap=True, reduction='none')",
    "F.triplet_margin_loss(a, b, p, p=1)",
    "F.triplet_margin_with_distance_loss(a, b, p)",
    "F.triplet_margin_with_distance_loss("
    "a, b, p, distance_function=lambda x, y: (x - y).abs().sum(1), swap=True)",
]

SMOOTH = [
    "F.triplet_margin_loss(a, b, p, swap=True)",
]

REFUSED = [
    "F.triplet_margin_loss(None, a, b)",
    "F.triplet_margin_loss(a, b, r)",
    "F.triplet_margin_loss(a, b, p, -1)",
    "F.triplet_margin_with_distance_loss(a, b, p, margin=-1)",
    "F.triplet_margin_with_distance_loss(a, r, b)",
]


@pytest.mark.parametrize("case", CASES)
def test_triplet_loss_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_triplet_loss_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_triplet_loss_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)
