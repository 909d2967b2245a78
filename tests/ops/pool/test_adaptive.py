"""Adaptive pooling."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.adaptive_avg_pool1d(a.detach().t(), 2).stride()",
    "[y.stride() for y in F.adaptive_max_pool1d(a.detach().t(), 2, True)]",
    "[y.stride() for y in F.adaptive_max_pool1d(seq.detach().transpose(1, 2), 2, True)]",
    "F.adaptive_avg_pool1d(seq, 3)",
    "F.adaptive_avg_pool2d(img, (3, 2))",
    "F.adaptive_avg_pool2d(img, (None, 3))",
    "F.adaptive_avg_pool2d(img[0], 2)",
    "F.adaptive_avg_pool3d(vol, (2, 3, 3))",
    "F.adaptive_max_pool1d(seq, 3)",
    "F.adaptive_max_pool2d(img, (3, 2), return_indices=True)",
    "F.adaptive_max_pool2d(img[0], (2, 3), return_indices=True)",
    "F.adaptive_max_pool2d_with_indices(img, 1)",
    "F.adaptive_max_pool3d(vol, 2)",
    "F.adaptive_avg_pool2d(img, 0)",
    "F.adaptive_max_pool2d(img[:0], (3, 2), True)",
    "F.adaptive_max_pool1d(seq[:0], 2)",
]

SMOOTH = [
    "F.adaptive_avg_pool1d(seq, 3)",
    "F.adaptive_avg_pool2d(img[0], (3, 2))",
    "F.adaptive_max_pool2d(img[0], (3, 2))",
]

REFUSED = [
    "F.adaptive_avg_pool2d(img.clone().requires_grad_(), (0, 1)).sum().backward()",
    "F.adaptive_max_pool1d(seq.clone().requires_grad_(), 0).sum().backward()",
    "F.adaptive_max_pool3d(vol.clone().requires_grad_(), (0, 1, 1)).sum().backward()",
    "F.adaptive_avg_pool1d(ch, 2)",
    "F.adaptive_avg_pool2d(ch, 2)",
    "F.adaptive_avg_pool2d(img, (2, 2, 2))",
    "F.adaptive_avg_pool2d(img, -1)",
    "F.adaptive_avg_pool2d(img, 2**31)",
    "F.adaptive_max_pool2d(img, 2**31)",
    "F.adaptive_avg_pool2d(img, 2**33)",
    "F.adaptive_avg_pool1d(img[0], 2**62)",
    "F.adaptive_avg_pool2d(img[:, :, :0], 2)",
    "F.adaptive_avg_pool2d(ints.reshape(1, 2, 3), 2)",
    "F.adaptive_avg_pool3d(ch, 2)",
    "F.adaptive_max_pool1d(seq, (2, 2))",
    "F.adaptive_max_pool2d(ch, 2)",
    "F.adaptive_max_pool2d(img, (2, 2, 2))",
    "F.adaptive_max_pool2d(img, -1)",
    "F.adaptive_max_pool2d(ints.reshape(1, 2, 3), 2)",
    "F.adaptive_avg_pool2d(img, (2,))",
    "F.adaptive_max_pool2d(img, (2.0, 2))",
    "F.adaptive_max_pool1d(seq, 2.0)",
    "F.adaptive_max_pool1d(seq, (1, 2))",
    "F.adaptive_avg_pool1d(seq, 'a')",
    "F.adaptive_max_pool1d(seq[:, :0], 3)",
    "F.adaptive_max_pool2d(img[:, :0], 3)",
]

SAME_BUT_FOR_THE_NODE = [  # PyTorch pools a line as an image, or by `mean`
    "F.adaptive_avg_pool2d(img, 1)",
]


@pytest.mark.parametrize("case", SAME_BUT_FOR_THE_NODE)
def test_adaptive_pool_equals_pytorch_with_its_node(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", CASES)
def test_adaptive_pool_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_adaptive_pool_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_adaptive_pool_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)


def test_mean_of_a_line_without_elements_is_nan():
    pool = torch.nn.functional.adaptive_avg_pool1d
    assert pool(torch.ones(3, 0), 1).isnan().all()
    assert pool(torch.ones(3, 0, 0), 1).shape == (3, 0, 1)
