"""Channels turned into pixels and back."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.pixel_shuffle(img, 2)",
    "F.pixel_shuffle(img[0], 2)",
    "torch.pixel_shuffle(img, 1)",
    "F.pixel_unshuffle(img[..., :2], 2)",
    "torch.pixel_unshuffle(img[0, :, :, :2], 2)",
    "F.channel_shuffle(img, 2)",
    "torch.channel_shuffle(seq, 4)",
    "F.channel_shuffle(img, 1)",
    "F.pixel_shuffle(img.int(), 2)",
]

SMOOTH = [CASES[0], CASES[3], CASES[5]]

REFUSED = [
    "F.pixel_shuffle(img, 3)",
    "F.pixel_shuffle(img, 0)",
    "F.pixel_shuffle(a, 2)",
    "F.pixel_shuffle(img, 2.5)",
    "F.pixel_unshuffle(img, 2)",
    "F.pixel_unshuffle(img, 3)",
    "F.pixel_unshuffle(img, -1)",
    "F.channel_shuffle(img, 3)",
    "F.channel_shuffle(img, 0)",
    "F.channel_shuffle(a, 2)",
    "F.pixel_shuffle(img, True)",
    "F.pixel_unshuffle(img, 2.0)",
    "F.channel_shuffle(img, torch.ones(2))",
]


@pytest.mark.parametrize("case", CASES)
def test_shuffle_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_shuffle_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_shuffle_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)


def test_shuffle_by_one_returns_memory_of_its_own():
    import edutorch as torch

    x = torch.ones(1, 2, 2, 2)
    for y in (
        torch.pixel_shuffle(x, 1),
        torch.pixel_unshuffle(x, 1),
        torch.channel_shuffle(x, 1),
    ):
        assert y.data_ptr() != x.data_ptr()
