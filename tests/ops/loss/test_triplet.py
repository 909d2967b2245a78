"""Losses of triplets."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.triplet_margin_loss(a, b, positive)",
    "F.triplet_margin_loss(a, b, positive, 0.7, 3.0, swap=True, reduction='none')",
    "F.triplet_margin_loss(a, b, positive, p=1)",
    "F.triplet_margin_with_distance_loss(a, b, positive)",
    "F.triplet_margin_with_distance_loss("
    "a, b, positive, distance_function=lambda x, y: (x - y).abs().sum(1), swap=True)",
]

SMOOTH = [
    "F.triplet_margin_loss(a, b, positive, swap=True)",
]

REFUSED = [
    "F.triplet_margin_loss(None, a, b)",
    "F.triplet_margin_loss(a, b, row)",
    "F.triplet_margin_loss(a, b, positive, -1)",
    "F.triplet_margin_with_distance_loss(a, b, positive, margin=-1)",
    "F.triplet_margin_with_distance_loss(a, row, b)",
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
