"""Maximum unpooling."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.max_unpool1d(*F.max_pool1d(seq, 2, return_indices=True), 2)",
    "F.max_unpool2d(*F.max_pool2d(img[..., :2], 2, return_indices=True), 2)",
    "F.max_unpool2d(*F.max_pool2d(img, 2, return_indices=True), 2, output_size=(4, 3))",
    "F.max_unpool2d(*F.max_pool2d(img[0, ..., :2], 2, return_indices=True), 2)",
    "F.max_unpool3d(*F.max_pool3d(vol[:, :, :2, :, :2], 2, return_indices=True), 2)",
]

SMOOTH = [
    "F.max_unpool2d(*F.max_pool2d(img, 2, return_indices=True), 2, output_size=(4, 3))",
]

REFUSED = [
    "F.max_unpool2d(img[:, :1], clsmap[:, None], 2, output_size=[-3, 2])",
    "F.max_unpool2d(img[:, :1], clsmap[:, None], 2, output_size=[1.5])",
    "F.max_unpool2d(torch.ones(1, 1, 1).long(), torch.zeros(1, 1, 1).long(), 2)",
    "F.max_unpool2d(img, img, 2)",
    "F.max_unpool2d(img[..., :1], clsmap[:, None], 2)",
    "F.max_unpool2d(a, ints, 2)",
    "F.max_unpool2d(img[:, :1], clsmap[:, None] + 99, 2)",
    "F.max_unpool2d(img[:, :1], clsmap[:, None], 2, output_size=(9, 99))",
    "F.max_unpool2d(img[:, :1], clsmap[:, None], 2, output_size=(9,))",
    "F.max_unpool2d(img, torch.zeros_like(img).long(), 2, output_size=5)",
    "F.max_unpool2d(img, None, 2)",
]


@pytest.mark.parametrize("case", CASES)
def test_max_unpool_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_max_unpool_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_max_unpool_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)


def test_max_unpool2d_keeps_the_memory_format_of_its_input():
    x = torch.arange(96.0).reshape(2, 3, 4, 4).to(memory_format=torch.channels_last)
    y, index = torch.nn.functional.max_pool2d(x, 2, return_indices=True)
    assert torch.nn.functional.max_unpool2d(y, index, 2).stride() == (48, 1, 12, 3)


def test_tangent_is_that_of_the_value_that_stayed():
    fw, x = torch.autograd.forward_ad, torch.ones(1, 1, 4)
    with fw.dual_level():
        a = fw.make_dual(x, torch.tensor([[[1.0, 2.0, 3.0, 4.0]]]))
        y = torch.nn.functional.max_unpool1d(a, torch.tensor([[[0, 5, 5, 2]]]), 2)
        tangent = fw.unpack_dual(y).tangent
    assert tangent.tolist() == [[[1, 0, 4, 0, 0, 3, 0, 0]]]
