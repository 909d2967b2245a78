"""Convolutions of a few images at a time equal those of the batch."""

import numpy as np
import pytest

from edutorch import config
from edutorch.backends.threads import get_num_threads, set_num_threads
from edutorch.kernels import conv_small_images as small
from edutorch.kernels.conv import conv_forward, conv_grad_input, conv_grad_weight

RNG = np.random.default_rng(0)
# (images), kernels, stride, padding, dilation, groups: lines, images, volumes.
CASES = [
    ((13, 4, 30), (6, 4, 3), (1,), (2,), (1,), 1),
    ((9, 6, 7, 5), (4, 3, 3, 2), (1, 1), (0, 1), (2, 1), 2),
    ((17, 20, 9, 11), (50, 20, 5, 5), (2, 1), (1, 0), (1, 1), 1),
    ((11, 3, 5, 6, 4), (2, 3, 2, 3, 1), (1, 2, 1), (1, 1, 0), (1, 1, 1), 1),
]


def operands(case, dtype):
    x_shape, w_shape, *geometry = case
    x, w, b = (
        RNG.standard_normal(s).astype(dtype) for s in (x_shape, w_shape, w_shape[0])
    )
    with config.kernels("plain"):
        y = conv_forward(x, w, b, *geometry)
    return x, w, b, RNG.standard_normal(y.shape).astype(dtype), geometry


def everything(x, w, b, g, geometry):
    y = small.forward(x, w, b, *geometry, g.shape[2:])
    gx = small.grad_input(g, w, x.shape, *geometry)
    return y, gx, small.grad_weight(g, x, w.shape, *geometry)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("case", CASES)
def test_a_few_images_at_a_time_equal_the_formula(case, dtype):
    x, w, b, g, geometry = operands(case, dtype)
    with config.kernels("plain"):
        y = conv_forward(x, w, b, *geometry)
        gx = conv_grad_input(g, w, x.shape, *geometry)
        gw = conv_grad_weight(g, x, w.shape, *geometry)
    tolerance = 2e-6 if dtype == "float32" else 1e-14
    for got, expected in zip(
        everything(x, w, b, g, geometry), (y, gx, gw), strict=True
    ):
        assert got.shape == expected.shape
        assert got.dtype == dtype
        assert abs(got - expected).max() < tolerance * abs(expected).max()


@pytest.mark.parametrize("case", CASES)
def test_a_few_images_at_a_time_give_the_same_bits_in_1_2_and_3_threads(case):
    given, before, found = operands(case, "float32"), get_num_threads(), []
    try:
        for threads in (1, 2, 3):
            set_num_threads(threads)
            found.append([a.tobytes() for a in everything(*given)])
    finally:
        set_num_threads(before)
    assert found[0] == found[1] == found[2]


def test_few_images_large_ones_strides_and_integers_are_not_served():
    x, w = np.zeros((16, 4, 8, 8)), np.zeros((4, 4, 3, 3))
    geometry = (1, 1), (1, 1), (1, 1), 1, (8, 8)
    assert small.forward(x, w, None, *geometry) is not None
    assert small.forward(x[:4], w, None, *geometry) is None
    assert small.forward(x.astype(int), w.astype(int), None, *geometry) is None
    assert small.forward(x, w, None, (1, 2), (1, 1), (1, 1), 1, (8, 4)) is None
    large = np.zeros((8, 4, 90, 90))
    assert small.forward(large, w, None, *geometry[:4], (90, 90)) is None
