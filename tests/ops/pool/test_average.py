"""Average pooling."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.avg_pool1d(a.detach().t(), 1).stride()",
    "F.avg_pool1d(seq, 2)",
    "F.avg_pool1d(seq[0], 3, 2, 1, True, False)",
    "F.avg_pool2d(img, 2)",
    "F.avg_pool2d(img, (3, 2), (1, 2), 1, True)",
    "F.avg_pool2d(img, 3, 2, 1, True, False)",
    "F.avg_pool2d(img[0], 2, divisor_override=3)",
    "F.avg_pool2d(img, 2, stride=())",
    "F.avg_pool3d(vol, 2, 1)",
    "F.avg_pool2d(ints.reshape(1, 2, 3), 2)",
    "torch.avg_pool1d(seq, 2)",
]

SMOOTH = [
    "F.avg_pool1d(seq, 3, 2, 1)",
    "F.avg_pool2d(img[0], 3, 2, 1, True, False)",
    "F.avg_pool3d(vol, 2, divisor_override=3)",
]

REFUSED = [
    "F.avg_pool2d(ch, 0)",
    "F.avg_pool2d(img, 2, padding=9, divisor_override=0)",
    "F.avg_pool3d(a, 2, padding=9)",
    "F.avg_pool3d(vol[:, :0], 1, divisor_override=0)",
    "F.avg_pool2d(img, (True, 1))",
    "F.avg_pool2d(img.to(torch.complex64), 2)",
    "F.avg_pool3d(vol.to(torch.complex64), 1)",
    "F.avg_pool1d(ch, 2)",
    "F.avg_pool1d(seq, 6)",
    "F.avg_pool1d(seq, 2, padding=2)",
    "F.avg_pool1d(seq, (2, 2))",
    "F.avg_pool2d(a, 2)",
    "F.avg_pool2d(img, 5)",
    "F.avg_pool2d(img, 2, stride=0)",
    "F.avg_pool2d(img, 2, divisor_override=0)",
    "F.avg_pool2d(img, (2, 2, 2))",
    "F.avg_pool2d(uint8s.reshape(1, 2, 3), 2)",
    "F.avg_pool3d(vol, 4)",
    "F.avg_pool3d(vol, (2, 2))",
]


@pytest.mark.parametrize("case", CASES)
def test_avg_pool_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_avg_pool_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_avg_pool_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)
