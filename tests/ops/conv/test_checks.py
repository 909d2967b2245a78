"""Refused arguments of convolutions; numbers given once or per dimension."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

F = torch.nn.functional

CASES = [
    "F.conv1d(seq[:0], w1, groups=2, dilation=0)",
    "F.conv_transpose2d(img[:0], torch.ones(4, 3, 2, 2).double(), None, 1, 0, 1)",
    "F.conv2d(img, w2, stride=[2], padding=(1,), groups=2)",
    "F.conv1d(seq, w1, padding=(1,), groups=2)",
    "F.conv2d(img, w2, groups=2, stride=torch.tensor(1))",
]

SMOOTH = [
    "F.conv1d(seq, w1, padding=[1], groups=2)",
]

REFUSED = [
    "F.conv1d(seq, a, stride=0)",
    "F.conv2d(img, a, groups=0)",
    "F.conv_transpose1d(seq, a, padding=-1)",
    "F.conv1d(seq, w1, groups=2, dilation=0)",
    "F.conv1d(seq, w1[:0], dilation=0, groups=2)",
    "F.conv1d(seq, w1[..., :0], dilation=0, groups=2)",
    "F.conv2d(img, w2, dilation=(1, 0), groups=2)",
    "F.conv_transpose1d(seq, t1[:2], dilation=0)",
    "F.conv_transpose1d(seq, t1[..., :0], dilation=0)",
    "F.conv_transpose1d(seq[..., :0], t1, dilation=0)",
    "F.conv_transpose2d(img, t2[..., :0], output_padding=1)",
    "F.conv_transpose1d(seq[..., :0], t1, output_padding=1)",
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


def test_windows_without_elements_are_refused_as_pytorch_does():
    conv, transposed = F.conv2d, F.conv_transpose2d
    with pytest.raises(RuntimeError, match=r"zero, but got \[0, 3\]"):
        conv(torch.ones(1, 4, 5, 5), torch.ones(1, 4, 0, 3), dilation=2)
    with pytest.raises(RuntimeError, match="Only zero batch or zero channel"):
        transposed(torch.ones(1, 1, 0, 5), torch.ones(1, 1, 0, 3))
    with pytest.raises(RuntimeError, match=r"but got: \[1, 2, 4, 0, 6\]"):
        x, w = torch.ones(2, 2, 4, 4, 4), torch.ones(2, 2, 4, 0, 6)
        F.conv_transpose3d(x, w, padding=(1, 2, 3), groups=2)


def test_a_transposed_convolution_of_no_samples_may_have_an_empty_result():
    nothing = F.conv_transpose1d(torch.ones(0, 4, 0), torch.ones(4, 2, 3), padding=1)
    assert nothing.shape == (0, 2, 0)
