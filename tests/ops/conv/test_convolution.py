"""Convolutions."""

import pytest

import edutorch
from edutorch.nn import functional as F
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "x, w = torch.ones(0, 1, 4, 6).requires_grad_(), torch.ones(1, 1, 1, 1).requires_grad_(); [g.shape for g in torch.autograd.grad(torch.nn.functional.conv_transpose2d(x, w, padding=2).sum(), [x, w], create_graph=True)]",
    "F.conv1d(seq, w1, bias, groups=2)",
    "F.conv1d(seq, w1, None, 2, 1, 2, 2)",
    "F.conv1d(seq[0], t1[:, :, :1].reshape(3, 4, 1))",
    "F.conv2d(img, w2, bias, stride=(2, 1), padding=(1, 2), groups=2)",
    "F.conv2d(img, w2, bias, padding='same', groups=2)",
    "F.conv2d(img, w2, padding='valid', groups=2, dilation=(2, 1))",
    "torch.conv2d(img[0], w2.repeat(1, 2, 1, 1))",
    "F.conv2d(img, torch.ones(4, 1, 2, 2, dtype=torch.float64), groups=4)",
    "F.conv3d(vol, w3, stride=2, padding=1)",
    "F.conv2d(img[:0], w2, groups=2)",
    "F.conv2d(ints.reshape(1, 1, 2, 3), ints.reshape(1, 1, 2, 3))",
    "F.conv2d(img.permute(0, 1, 3, 2), w2, groups=2)",
]

SMOOTH = [
    "F.conv1d(seq, w1, bias, 2, 1, 1, 2)",
    "F.conv2d(img[:1, :, :3], w2, padding='same', groups=2)",
    "F.conv3d(vol[:, :, :2], w3, w3[0, 0, 0, 0], 1, 1)",
    "F.conv1d(complexes.reshape(1, 2, 2), complexes.reshape(2, 2, 1))",
]

REFUSED = [
    "F.conv2d(a, w2)",
    "F.conv1d(img, w1)",
    "F.conv2d(img, w2)",
    "F.conv2d(img, w2, groups=4)",
    "F.conv2d(img, w2, groups=0)",
    "F.conv2d(img, w2, bias[:2], groups=2)",
    "F.conv2d(img, w2, stride=0, groups=2)",
    "F.conv2d(img, w2, padding=-1, groups=2)",
    "F.conv2d(img, w2, dilation=0, groups=2)",
    "F.conv2d(img, w2, stride=(1, 2, 3), groups=2)",
    "F.conv2d(img, w2, padding='full', groups=2)",
    "F.conv2d(img, w2, stride=2, padding='same', groups=2)",
    "F.conv2d(img[:, :, :1], w2, groups=2)",
    "F.conv2d(img.float(), w2, groups=2)",
    "F.conv2d(img, w2, bias.float(), groups=2)",
    "F.conv2d(img > 0, w2 > 0, groups=2)",
    "F.conv2d(img, w1, groups=2)",
]


@pytest.mark.parametrize("case", CASES)
def test_convolution_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_convolution_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_convolution_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)


def test_complex_convolution_equals_pytorch_but_for_its_node():
    case = "F.conv1d(complexes.reshape(1, 2, 2), complexes.reshape(2, 2, 1))"
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize(
    ("dtype", "n", "kept"),
    [("float32", 1, False), ("float32", 2, True), ("float16", 2, False),
     ("bfloat16", 1, True), ("float64", 2, False)],
)  # fmt: skip
def test_volumes_keep_channels_last_where_pytorch_calls_onednn(dtype, n, kept):
    x = edutorch.ones(n, 2, 3, 3, 3, dtype=getattr(edutorch, dtype))
    x = x.contiguous(memory_format=edutorch.channels_last_3d)
    w = edutorch.ones(2, 2, 2, 2, 2, dtype=x.dtype)
    for y in (F.conv3d(x, w), F.conv_transpose3d(x, w)):
        assert (y.stride(1) == 1) is kept


def test_gradients_of_gradients_depend_on_what_convolutions_do():
    x, w = edutorch.ones(1, 1, 3), edutorch.ones(2, 1, 1)
    hvp = edutorch.autograd.functional.hvp
    _, products = hvp(
        lambda *xs: F.conv1d(*xs).sum(), (x, w), (x, w), create_graph=True
    )
    assert [p.requires_grad for p in products] == [True, True]
    _, products = hvp(lambda *xs: F.conv1d(*xs).sum(), (x, w), (x, w))
    assert [p.tolist() for p in products] == [[[[2.0] * 3]], [[[3.0]], [[3.0]]]]


@pytest.mark.parametrize("f", [F.conv1d, F.conv_transpose1d])
def test_sequences_are_channels_last_if_their_weights_are(f):
    x, w = edutorch.rand(2, 3, 5), edutorch.rand(3, 3, 2)
    assert f(x.mT.contiguous().mT, w).is_contiguous()
    steps = f(x, w.mT.contiguous().mT).stride()
    assert steps[1:] == (1, 3)


VOLUMES = "x = torch.ones(2, 4, 4, 4, 2).permute(0, 4, 1, 2, 3).to(torch.{}); "
WEIGHT = "w = torch.ones(2, 3, 3, 3, 2).permute(0, 4, 1, 2, 3).to(x.dtype); "


@pytest.mark.parametrize(
    "dtype", ["float32", "float64", "bfloat16", "complex64", "complex128"]
)
@pytest.mark.parametrize(
    "call",
    [
        "conv3d(x, w)",
        "conv3d(x[0], w)",
        "conv_transpose3d(x, w, stride=2)",
        "conv_transpose3d(x, w, stride=(3, 2, 1), output_padding=(2, 3, 1), dilation=4)",
    ],
)
def test_volumes_lie_in_memory_as_pytorchs(call, dtype):
    alike(__file__, VOLUMES.format(dtype) + WEIGHT + f"F.{call}.stride()")
