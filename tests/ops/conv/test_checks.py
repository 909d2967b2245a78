"""Refused arguments of convolutions; numbers given once or per dimension."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.conv2d(img, w2, stride=[2], padding=(1,), groups=2)",
    "F.conv1d(seq, w1, padding=(1,), groups=2)",
    "F.conv2d(img, w2, groups=2, stride=torch.tensor(1))",
]

SMOOTH = [
    "F.conv1d(seq, w1, padding=[1], groups=2)",
]

REFUSED = [
    "F.conv1d(seq, w1, stride=(1, 2), groups=2)",
    "F.conv3d(vol, w3, dilation=(1, 2))",
    "F.conv3d(img[0, 0], w3)",
    "F.conv1d(seq, w1, stride=None)",
    "F.conv1d(seq, w1, stride=(1.0,))",
    "F.conv1d(seq, w1, padding=True)",
    "F.conv2d(img, w2, groups=1.5)",
    "F.conv2d(img, w2, groups=None)",
    "F.conv2d(img, w2[:0], groups=2)",
    "F.conv2d(img[:, :, :0], w2, padding=2, groups=2)",
    "F.conv1d(seq[:, :, :0], w1, padding=2, groups=2)",
    "F.conv_transpose1d(seq, t1, None, 'same')",
    "F.conv_transpose2d(img, t2, None, 1, (1.0, 1))",
    "F.conv1d(singles[None], torch.ones(1, 2, 1), ints[0, :1])",
    "F.conv1d(seq, scalar)",
    "F.conv2d(img, a)",
    "F.conv_transpose1d(seq, row)",
]


@pytest.mark.parametrize("case", CASES)
def test_conv_checks_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_conv_checks_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_conv_checks_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)
