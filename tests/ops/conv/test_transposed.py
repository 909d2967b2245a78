"""Transposed convolutions."""

import pytest

import edutorch
from edutorch.nn import functional as F
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.conv_transpose1d(seq, t1, stride=2)",
    "F.conv_transpose1d(seq[0], t1, ch[:3], dilation=2, padding=1)",
    "F.conv_transpose2d(img, t2, bias, (2, 3), 1, (1, 2), 2)",
    "F.conv_transpose2d(img, t2, None, (3, 2), (1, 2), (2, 3), 1, (4, 4))",
    "torch.conv_transpose2d(img, t2)",
    "F.conv_transpose1d(torch.ones(1, 1, 4), torch.ones(1, 1, 4), padding=1).storage_offset()",
    "F.conv_transpose3d(vol, w3, stride=2)",
]

SMOOTH = [
    "F.conv_transpose1d(seq, t1, ch[:3], stride=2)",
    "F.conv_transpose2d(img[:1, :, :2], t2, bias, 2, 1, 1, 2)",
    "F.conv_transpose2d(img[:1, :, :2], t2, None, (3, 2), 1, (2, 3), 1, (4, 4))",
]

REFUSED = [
    "F.conv_transpose2d(a, t2)",
    "F.conv_transpose2d(img, w2)",
    "F.conv_transpose2d(img, t2, bias)",
    "F.conv_transpose2d(img, t2, output_padding=2)",
    "F.conv_transpose1d(seq, t1, output_padding=2)",
    "F.conv_transpose2d(img, t2, output_padding=-1)",
    "F.conv_transpose2d(img, t2, padding=4)",
    "F.conv_transpose2d(img, t2, groups=3)",
    "F.conv_transpose2d(img, t2.float())",
]


@pytest.mark.parametrize("case", CASES)
def test_transposed_convolution_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_transposed_convolution_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_transposed_convolution_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize(
    ("dtype", "n", "accepted"),
    [("float32", 1, False), ("float32", 2, True), ("float64", 2, False),
     ("bfloat16", 1, True), ("float16", 2, False)],
)  # fmt: skip
def test_empty_results_are_made_where_pytorch_calls_onednn(dtype, n, accepted):
    x = edutorch.ones(n, 4, 3, 4, dtype=getattr(edutorch, dtype), requires_grad=True)
    w = edutorch.ones(4, 2, 2, 2, dtype=x.dtype)
    if not accepted:
        with pytest.raises(RuntimeError, match="Output size is too small"):
            F.conv_transpose2d(x, w, padding=2)
        return
    y = F.conv_transpose2d(x, w, padding=2)
    y.sum().backward()
    assert y.shape == (n, 2, 0, 1) and not x.grad.any()


def test_volumes_with_much_padding_of_the_output_are_row_major():
    x = edutorch.ones(2, 2, 3, 3, 3).to(memory_format=edutorch.channels_last_3d)
    w = edutorch.ones(2, 2, 2, 2, 2)
    f = edutorch.nn.functional.conv_transpose3d
    assert f(x, w, stride=2, output_padding=1).stride()[1] == 1
    assert f(x, w, stride=(2, 2, 1), output_padding=1, dilation=2).is_contiguous()
