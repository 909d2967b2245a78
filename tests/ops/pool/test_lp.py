"""Power-average pooling."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.lp_pool1d(seq, 2, 2)",
    "F.lp_pool2d(img, 2, (3, 2), 1)",
    "F.lp_pool2d(img, 3.0, 2, ceil_mode=True)",
    "F.lp_pool3d(vol, 2, 2)",
    "F.lp_pool1d(seq, float('inf'), 2)",
    "F.lp_pool2d(img, float('inf'), (3, 2), 1, True)",
    "F.lp_pool3d(vol, float('inf'), 2)",
]

SMOOTH = [
    "F.lp_pool1d(seq, 2, 2)",
    "F.lp_pool2d(img[0], 2, (3, 2), 1)",
]

REFUSED = [
    "F.lp_pool1d(seq, 2, 6)",
    "F.lp_pool2d(img, 2, 5)",
]


@pytest.mark.parametrize("case", CASES)
def test_lp_pool_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_lp_pool_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_lp_pool_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)
