"""Maximum pooling."""

import pytest

import edutorch
from edutorch.nn import functional as F
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "[y.stride() for y in F.max_pool1d(squares.half().mT, 2, 1, return_indices=True)]",
    "[y.stride() for y in F.max_pool1d(a.detach().t(), 1, return_indices=True)]",
    "[y.stride() for y in F.max_pool1d(seq.detach().mT, 1, return_indices=True)]",
    "F.max_pool1d(seq, 2)",
    "F.max_pool1d(seq[0], 3, 2, 1, ceil_mode=True)",
    "F.max_pool2d(img, 2)",
    "F.max_pool2d(img, (3, 2), (1, 2), 1, (1, 2), True)",
    "F.max_pool2d(img, 2, return_indices=True)",
    "F.max_pool2d(img[0], 3, 1, 1, return_indices=True)",
    "F.max_pool2d_with_indices(img, 2)",
    "F.max_pool3d(vol, 2, 1, return_indices=True)",
    "F.max_pool2d(ties.reshape(1, 1, 2, 3), 2, 1)",
    "F.max_pool2d(img.permute(0, 1, 3, 2), 2)",
    "F.max_pool2d(ints.reshape(1, 1, 2, 3), 2, 1, return_indices=True)",
    "F.max_pool2d(specials[:4].reshape(1, 2, 2), 2, return_indices=True)",
    "F.max_pool2d(img[:0], 2)",
    "torch.max_pool2d(img, 2, 1)",
]

SMOOTH = [
    "F.max_pool1d(seq, 3, 1, 1)",
    "F.max_pool2d(img[0], 2)",
    "F.max_pool2d(img[:1], (3, 2), (1, 2), 1, (1, 1), True)",
    "F.max_pool3d(vol, 2)",
]

REFUSED = [
    "F.max_pool2d(a, 2, padding=9)",
    "F.max_pool2d(vol, 2, stride=0)",
    "F.max_pool3d(a, 0)",
    "F.max_pool2d(a, 2)",
    "F.max_pool2d(img, 2, padding=2)",
    "F.max_pool2d(img, 5)",
    "F.max_pool2d(img, 2, stride=0)",
    "F.max_pool2d(img, 2, stride=-1)",
    "F.max_pool2d(img, 2, padding=-1)",
    "F.max_pool2d(img, 2, dilation=0)",
    "F.max_pool2d(img, (2, 2, 2))",
    "F.max_pool2d(img, 2, stride=(1, 2, 3))",
    "F.max_pool2d(img > 0, 2)",
    "F.max_pool2d(img[:, :0], 2)",
    "F.max_pool1d(ch, 2)",
    "F.max_pool1d(seq, 6)",
    "F.max_pool1d(seq, 0)",
    "F.max_pool1d(seq, 2, padding=2)",
    "F.max_pool1d(seq, 2, padding=-1)",
    "F.max_pool1d(seq, (2, 2))",
    "F.max_pool1d(seq, 2, stride=(2, 2))",
    "F.max_pool1d(ints, 2)",
    "F.max_pool3d(a, 2)",
    "F.max_pool3d(vol, 4)",
    "F.max_pool2d(img.to(torch.complex64), 2)",
]


@pytest.mark.parametrize("case", CASES)
def test_max_pool_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_max_pool_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_max_pool_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)


def test_lines_are_pooled_as_images_where_the_winners_are_wanted():
    x = edutorch.arange(8.0).reshape(1, 4, 2).transpose(1, 2)
    assert edutorch.max_pool1d(x, 1).stride()[1:] == (4, 1)
    assert edutorch.max_pool1d(x.requires_grad_(), 1).stride()[1:] == (1, 2)
    assert F.adaptive_avg_pool1d(x, 2).stride()[1:] == (1, 2)


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_indices_of_maxima_are_channels_last_where_the_maxima_are(device):
    x = edutorch.rand(1, 2, 4, 6, device=device)
    x = x.contiguous(memory_format=edutorch.channels_last)
    y, index = F.max_pool2d(x, 2, return_indices=True)
    assert y.stride() == index.stride() == (12, 1, 6, 2)
