"""Convolution by small tiles: the direct sum, its adjoint, and its errors."""

import os

import numpy as np
import pytest

from edutorch import config
from edutorch.backends.threads import get_num_threads, set_num_threads
from edutorch.kernels import conv_winograd_2x2
from edutorch.kernels.conv import conv_forward, conv_grad_input
from edutorch.kernels.conv_winograd_2x2 import winograd_2x2
from tests.oracle import torch

RNG = np.random.default_rng(0)
CASES = [((2, 40, 17, 18), 33, (1, 1)), ((5, 33, 13, 15), 70, (0, 2))]
CASES += [((3, 150, 5, 4), 20, (3, 0)), ((1, 3, 3, 3), 2, (0, 0))]


def numbers(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def in_plain_mode(function, *arguments):
    with config.kernels("plain"):
        return function(*arguments)


def assert_near(got, expected):
    assert got.shape == expected.shape
    assert abs(got - expected).max() < 3e-6 * abs(expected).max()


@pytest.fixture(params=["kept as a whole", "in parts"])
def memory(request, monkeypatch):
    if request.param == "in parts":
        for name in ("MAX_BYTES", "PART_BYTES", "MIN_TILES"):
            monkeypatch.setattr(conv_winograd_2x2, name, 1)


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("mode", ["plain", "fast"])
@pytest.mark.parametrize(("x_shape", "o", "padding"), CASES)
def test_small_tiles_equal_the_direct_sum(x_shape, o, padding, mode):
    x, w, b = numbers(*x_shape), numbers(o, x_shape[1], 3, 3), numbers(o)
    params = ((1, 1), padding, (1, 1), 1)
    expected = in_plain_mode(conv_forward, x, w, b, *params)
    g = numbers(*expected.shape)
    transposed = tuple(2 - p for p in padding)
    with config.kernels(mode):
        y = winograd_2x2(x, w, b, padding, expected.shape[2:])
        gx = winograd_2x2(g, w, None, transposed, x_shape[2:], adjoint=True)
    assert_near(y, expected)
    assert_near(gx, in_plain_mode(conv_grad_input, g, w, x.shape, *params))


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("o", [61, 133])
def test_small_tiles_give_the_same_bits_in_1_2_and_3_threads(o):
    x, w, b = numbers(5, 150, 9, 7), numbers(o, 150, 3, 3), numbers(o)
    g, before = numbers(5, o, 9, 7), get_num_threads()
    found = []
    try:
        for threads in (1, 2, 3):
            set_num_threads(threads)
            y = winograd_2x2(x, w, b, (1, 1), (9, 7))
            gx = winograd_2x2(g, w, None, (1, 1), (9, 7), adjoint=True)
            found.append(y.tobytes() + gx.tobytes())
    finally:
        set_num_threads(before)
    assert found[0] == found[1] == found[2]


def error_of(got, expected):
    return np.sqrt(np.mean((got - expected) ** 2))


@pytest.mark.parametrize("channels", [64, 200, 512])
@pytest.mark.parametrize("least", [-np.inf, 0])
@pytest.mark.parametrize("mode", ["plain", "fast"])
def test_small_tiles_err_little(channels, least, mode):
    x, w = np.maximum(numbers(2, channels, 8, 8), least), numbers(64, channels, 3, 3)
    params = (1, 1), (1, 1), (1, 1), 1
    exact = in_plain_mode(
        conv_forward, *(a.astype(float) for a in (x, w)), None, *params
    )
    with config.kernels(mode):
        y = winograd_2x2(x, w, None, (1, 1), (8, 8))
    assert error_of(y, exact) < 6e-7 * np.sqrt(np.mean(exact**2))


# PyTorch always takes the best instructions of the processor.
@pytest.mark.skipif("OPENBLAS_CORETYPE" in os.environ, reason="BLAS takes others")
@pytest.mark.parametrize("channels", [64, 200, 512])
@pytest.mark.parametrize("least", [-np.inf, 0])
def test_small_tiles_err_less_than_twice_as_much_as_pytorch(channels, least):
    x = np.maximum(numbers(2, channels, 16, 16), least)
    w, g = numbers(channels, channels, 3, 3), numbers(2, channels, 16, 16)

    def by_pytorch(dtype):
        a, k, grad = (torch.tensor(v.astype(dtype)) for v in (x, w, g))
        a.requires_grad_()
        y = torch.nn.functional.conv2d(a, k, padding=1)
        y.backward(grad)
        return y.detach().numpy(), a.grad.numpy()

    y = winograd_2x2(x, w, None, (1, 1), (16, 16))
    gx = winograd_2x2(g, w, None, (1, 1), (16, 16), adjoint=True)
    both = zip((y, gx), by_pytorch("float32"), by_pytorch("float64"), strict=True)
    for got, pytorch, exact in both:
        assert error_of(got, exact) < 2 * error_of(pytorch, exact)


def test_small_tiles_are_worthwhile_for_many_channels():
    assert conv_winograd_2x2.is_worthwhile((64, 256, 3, 3))
    assert not conv_winograd_2x2.is_worthwhile((256, 48, 3, 3))
