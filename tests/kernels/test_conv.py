"""Convolution kernels against the formula written as loops."""

import numpy as np
import pytest

from edutorch import config
from edutorch.backends.threads import get_num_threads, set_num_threads
from edutorch.kernels import conv
from tests.kernels.formulas import conv_formula

RNG = np.random.default_rng(1)

# n, c, size, o, kernel, stride, padding, dilation, groups
CASES = {
    "line": (2, 3, (9,), 4, (3,), (2,), (1,), (1,), 1),
    "line_dilated_groups": (2, 4, (11,), 6, (3,), (2,), (4,), (2,), 2),
    "image": (3, 4, (9, 7), 6, (3, 2), (2, 1), (1, 0), (1, 2), 2),
    "image_more_padding_than_kernel": (
        2,
        4,
        (5, 4),
        8,
        (3, 3),
        (3, 2),
        (4, 4),
        (2, 1),
        4,
    ),
    "one_window": (1, 1, (5, 5), 1, (5, 5), (1, 1), (0, 0), (1, 1), 1),
    "point": (2, 3, (4, 5), 2, (1, 1), (1, 1), (0, 0), (1, 1), 1),
    "stride_over_kernel": (3, 4, (11, 12), 6, (2, 2), (5, 5), (0, 0), (1, 1), 1),
    "depthwise": (2, 4, (6, 6), 4, (3, 3), (1, 1), (1, 1), (1, 1), 4),
    "volume": (2, 2, (5, 6, 7), 4, (2, 3, 2), (1, 2, 1), (1, 0, 1), (1, 1, 2), 2),
    "many_blocks": (40, 3, (12, 11), 4, (3, 3), (1, 1), (1, 1), (1, 1), 1),
}


def operands(case, dtype=np.float64):
    n, c, size, o, kernel, *settings = CASES[case]
    x = RNG.standard_normal((n, c, *size)).astype(dtype)
    w = RNG.standard_normal((o, c // settings[-1], *kernel)).astype(dtype)
    b = RNG.standard_normal(o).astype(dtype)
    return x, w, b, tuple(settings)


@pytest.fixture(params=[2**22, 2048])
def block_bytes(request, monkeypatch):
    monkeypatch.setattr(conv, "BLOCK_BYTES", request.param)
    monkeypatch.setattr(conv, "GRADIENT_BYTES", request.param)
    monkeypatch.setattr(conv, "MIN_COLUMNS", 8 if request.param < 10_000 else 256)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.usefixtures("block_bytes")
def test_conv_forward_equals_the_formula(case):
    x, w, b, settings = operands(case)
    y = conv.conv_forward(x, w, b, *settings)
    np.testing.assert_allclose(y, conv_formula(x, w, b, *settings))
    assert y.flags.c_contiguous


@pytest.mark.parametrize("case", CASES)
@pytest.mark.usefixtures("block_bytes")
def test_conv_gradients_are_transposes_of_the_forward(case):
    """<g, conv(x, w)> = <grad_input(g, w), x> = <grad_weight(g, x), w>."""
    x, w, _, settings = operands(case)
    y = conv.conv_forward(x, w, None, *settings)
    g = RNG.standard_normal(y.shape)
    gx = conv.conv_grad_input(g, w, x.shape, *settings)
    gw = conv.conv_grad_weight(g, x, w.shape, *settings)
    assert gx.shape == x.shape
    assert gw.shape == w.shape
    np.testing.assert_allclose([(gx * x).sum(), (gw * w).sum()], (g * y).sum())


def test_conv_forward_of_no_images_is_empty():
    x, w = np.zeros((0, 2, 5, 5)), np.zeros((3, 2, 2, 2))
    settings = ((1, 1), (0, 0), (1, 1), 1)
    assert conv.conv_forward(x, w, None, *settings).shape == (0, 3, 4, 4)
    g = np.zeros((0, 3, 4, 4))
    assert not conv.conv_grad_weight(g, x, w.shape, *settings).any()
    assert conv.conv_grad_input(g, w, x.shape, *settings).shape == x.shape


def test_conv_forward_of_halves_adds_in_float32():
    x, w = np.full((1, 1, 4096), 1, np.float16), np.ones((1, 1, 4096), np.float16)
    y = conv.conv_forward(x, w, None, (1,), (0,), (1,), 1)
    assert y.dtype == np.float16
    assert y.item() == 4096  # float16 stops counting at 2048


@pytest.mark.parametrize("dtype", [np.int64, np.complex128, np.float32])
def test_conv_forward_keeps_the_dtype(dtype):
    x, w, b, settings = operands("image")
    x, w, b = (np.round(v * 3).astype(dtype) for v in (x, w, b))
    y = conv.conv_forward(x, w, b, *settings)
    assert y.dtype == dtype
    np.testing.assert_allclose(y, conv_formula(x, w, b, *settings))


def test_conv_forward_of_any_memory_order_is_the_same():
    x, w, b, settings = operands("image")
    transposed = np.asfortranarray(x)[:, :, ::-1]
    np.testing.assert_allclose(
        conv.conv_forward(transposed, w, b, *settings),
        conv.conv_forward(np.ascontiguousarray(transposed), w, b, *settings),
    )


# Long lines, small images, strides, single cells, groups; tiles have their own tests.
@pytest.mark.parametrize(
    ("x_shape", "w_shape", "stride", "groups"),
    [
        ((5, 7, 33, 31), (11, 7, 3, 5), (1, 1), 1),
        ((23, 6, 11, 9), (13, 6, 5, 5), (1, 1), 1),
        ((19, 13, 11, 9), (37, 13, 3, 3), (2, 2), 1),
        ((7, 9, 27, 35), (15, 3, 3, 3), (2, 2), 3),
        ((7, 19, 17, 15), (23, 19, 1, 1), (1, 1), 1),
        ((7, 9, 21, 23), (9, 1, 3, 3), (1, 1), 9),
    ],
)
def test_convolutions_give_the_same_bits_in_1_2_and_3_threads(
    x_shape, w_shape, stride, groups
):
    rng, before, found = np.random.default_rng(0), get_num_threads(), []
    x, w = (rng.standard_normal(s, np.float32) for s in (x_shape, w_shape))
    geometry = stride, (0, 0), (1, 1), groups
    g = rng.standard_normal(conv.conv_forward(x, w, None, *geometry).shape, np.float32)
    try:
        for threads in (1, 2, 3):
            set_num_threads(threads)
            with config.kernels("fast"):
                y = conv.conv_forward(x, w, w[:, 0, 0, 0].copy(), *geometry)
                gx = conv.conv_grad_input(g, w, x.shape, *geometry)
                gw = conv.conv_grad_weight(g, x, w.shape, *geometry)
            found.append([a.tobytes() for a in (y, gx, gw)])
    finally:
        set_num_threads(before)
    assert found[0] == found[1] == found[2]
