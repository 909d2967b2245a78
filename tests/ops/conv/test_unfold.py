"""Windows as columns, and back."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.unfold(img, 2)",
    "F.unfold(img, (2, 3), (1, 2), 1, (2, 1))",
    "F.unfold(img[0], 2)",
    "F.fold(img.reshape(2, 8, 6), (3, 4), 2)",
    "F.fold(img[0].reshape(8, 6), (3, 4), 2)",
    "F.fold(F.unfold(img, 2), (4, 3), 2)",
]

SMOOTH = [
    "F.unfold(img[:1, :2], 2, 1, 1, 2)",
    "F.fold(img.reshape(2, 8, 6), (3, 4), 2)",
]

REFUSED = [
    "F.fold(seq, (4,), 0)",
    "F.fold(seq, (4, 5, 6), (2,))",
    "F.unfold(img, 2, padding=-1, stride=0)",
    "F.unfold(img, 2, dilation=0, padding=-1)",
    "torch.nn.functional.unfold(torch.ones(1, 1, 5, 5), (2, 2), 1, (1,), 2)",
    "torch.nn.functional.fold(torch.ones(1, 8, 4), (0,), (2, 2), stride=2)",
    "F.unfold(img, 7)",
    "F.unfold(img, 0)",
    "F.unfold(img, 2, stride=0)",
    "F.unfold(img, 2, dilation=0)",
    "F.unfold(img, 2, padding=-1)",
    "F.unfold(img, (2, 2, 2))",
    "F.fold(img.reshape(2, 8, 6), (4, 4), 2)",
    "F.fold(img.reshape(2, 6, 8), (3, 4), 2)",
    "F.fold(ch, (3, 4), 2)",
    "F.unfold(img[:, :2], (2, 2, 2))",
    "F.fold(None, 2, 2)",
    "F.unfold(None, 2)",
    "F.fold([1.0], 2, 2)",
]


@pytest.mark.parametrize("case", CASES)
def test_unfold_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_unfold_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_unfold_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)
