"""Refused arguments of pools; numbers given once or per dimension."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.max_pool2d(img, [2], [1])",
    "F.avg_pool1d(seq, (2,), (1,))",
    "F.max_pool2d(img, torch.tensor(2))",
    "F.avg_pool2d(img, np.int64(2), (np.int32(1), 1))",
]

SMOOTH = [
    "F.avg_pool1d(seq, (2,), (1,))",
]

REFUSED = [
    "F.max_pool2d(img, 2, padding=(1, 2, 3))",
    "F.max_pool2d(img, 2, dilation=(1, 2, 3))",
    "F.max_pool3d(vol, 2, padding=2)",
    "F.max_pool3d(vol, 2, stride=0)",
    "F.max_pool3d(vol[:, :0], 2)",
    "F.avg_pool2d(img.reshape(1, 2, 4, 4, 3), 2)",
    "F.max_pool3d(vol[0].contiguous(memory_format=torch.channels_last), 2)",
    "F.avg_pool2d(complexes.T.reshape(1, 1, 3, 2).expand(2, 2, 3, 2).contiguous("
    "memory_format=torch.channels_last), 2)",
    "F.max_pool2d(mask.reshape(1, 1, 2, 3).expand(2, 2, 2, 3).contiguous("
    "memory_format=torch.channels_last), 2)",
    "F.adaptive_max_pool1d(torch.ones(2, 7, 3, dtype=torch.int64).mT, 2)",
    "F.max_pool1d(seq, 2.5)",
    "F.max_pool2d(img, (2.0, 2))",
    "F.max_pool2d(img, None)",
    "F.max_pool2d(img, 'a')",
    "F.max_pool2d(img, True)",
    "F.avg_pool2d(img, 2, True)",
    "F.avg_pool1d(seq, torch.ones(1, 1))",
    "F.max_pool3d(vol, 1, 1, 'x')",
    "torch.nn.MaxPool2d(2.5)(img)",
    "torch.nn.AvgPool2d(None)(img)",
]


@pytest.mark.parametrize("case", CASES)
def test_pool_checks_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_pool_checks_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_pool_checks_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)
