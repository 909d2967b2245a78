"""Class targets."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.nll_loss(a, cls, ignore_index=2, reduction='none')",
    "F.cross_entropy(a, cls, row.detach(), ignore_index=2)",
]

SMOOTH = [
    "F.nll_loss(a, cls, ignore_index=2)",
]

REFUSED = [
    "F.cross_entropy(img, clsmap[:, :, :2])",
    "F.cross_entropy(img, clsmap.reshape(2, 12))",
    "F.cross_entropy(a, cls[:1])",
    "F.cross_entropy(vol, clsmap[:1])",
]


@pytest.mark.parametrize("case", CASES)
def test_class_targets_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_class_targets_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_class_targets_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)
