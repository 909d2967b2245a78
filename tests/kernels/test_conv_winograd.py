"""Convolution by tiles: the direct sum, and its gradients."""

import numpy as np
import pytest

from edutorch import config
from edutorch.backends import mkldnn
from edutorch.backends.threads import get_num_threads, set_num_threads
from edutorch.kernels import conv_winograd
from edutorch.kernels.conv import (
    conv_forward,
    conv_grad_input,
    conv_grad_weight,
)

RNG = np.random.default_rng(0)
CASES = [((2, 32, 17, 18), 40, (1, 1)), ((5, 33, 13, 16), 32, (0, 2))]
CASES += [((3, 32, 20, 20), 32, (3, 0))]


@pytest.fixture(autouse=True)
def without_onednn():
    with mkldnn.flags(enabled=False):  # it replaces the tiles on some processors
        yield


def numbers(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def in_plain_mode(function, *arguments):
    with config.kernels("plain"):
        return function(*arguments)


def assert_near(got, expected):
    assert got.shape == expected.shape
    assert abs(got - expected).max() < 3e-6 * abs(expected).max()


@pytest.mark.parametrize("mode", ["plain", "fast"])
@pytest.mark.parametrize(("x_shape", "o", "padding"), CASES)
def test_tiles_equal_the_direct_sum(x_shape, o, padding, mode):
    x, w, b = numbers(*x_shape), numbers(o, x_shape[1], 3, 3), numbers(o)
    params = ((1, 1), padding, (1, 1), 1)
    expected = in_plain_mode(conv_forward, x, w, b, *params)
    out = expected.shape[2:]
    with config.kernels(mode):
        assert_near(conv_winograd.winograd(x, w, b, padding, out), expected)
    g = numbers(*expected.shape)
    transposed = tuple(2 - p for p in padding)
    with config.kernels(mode):
        gx = conv_winograd.winograd(g, w, None, transposed, x_shape[2:], adjoint=True)
        gw = conv_winograd.winograd_grad_weight(g, x, padding)
    assert_near(gx, in_plain_mode(conv_grad_input, g, w, x.shape, *params))
    assert_near(gw, in_plain_mode(conv_grad_weight, g, x, w.shape, *params))


@pytest.mark.parametrize("size", [1, 100_000])
@pytest.mark.parametrize("mode", ["plain", "fast"])
def test_tiles_in_parts_equal_all_at_once(monkeypatch, size, mode):
    x, w, b = numbers(5, 70, 9, 11), numbers(33, 70, 3, 3), numbers(33)

    def everything():
        with config.kernels(mode):
            y = conv_winograd.winograd(x, w, b, (1, 1), (9, 11))
            gx = conv_winograd.winograd(y, w, None, (1, 1), (9, 11), adjoint=True)
            return y, gx, conv_winograd.winograd_grad_weight(y, x, (1, 1))

    once = everything()
    for name in ("PART_BYTES", "GRADIENT_BYTES", "PART_TILES"):
        monkeypatch.setattr(conv_winograd, name, size if "BYTES" in name else 1)
    for got, expected in zip(everything(), once, strict=True):
        assert_near(got, expected)


@pytest.mark.parametrize("size", [1, 100_000, 10_000_000])
def test_tiles_give_the_same_bits_in_1_2_and_3_threads(monkeypatch, size):
    for name in ("PART_BYTES", "GRADIENT_BYTES", "PART_TILES"):
        monkeypatch.setattr(conv_winograd, name, size if "BYTES" in name else 1)
    x, w, b = numbers(7, 70, 9, 11), numbers(33, 70, 3, 3), numbers(33)
    g, before, found = numbers(7, 33, 9, 11), get_num_threads(), []
    try:
        for threads in (1, 2, 3):
            set_num_threads(threads)
            y = conv_winograd.winograd(x, w, b, (1, 1), (9, 11))
            gx = conv_winograd.winograd(g, w, None, (1, 1), (9, 11), adjoint=True)
            gw = conv_winograd.winograd_grad_weight(g, x, (1, 1))
            found.append([a.tobytes() for a in (y, gx, gw)])
    finally:
        set_num_threads(before)
    assert found[0] == found[1] == found[2]


def error_of(got, expected):
    return np.sqrt(np.mean((got - expected) ** 2))


def by_tiles(x, w, g):
    y = conv_winograd.winograd(x, w, None, (1, 1), (16, 16))
    gx = conv_winograd.winograd(g, w, None, (1, 1), (16, 16), adjoint=True)
    return y, gx, conv_winograd.winograd_grad_weight(g, x, (1, 1))


def directly(x, w, g):
    params = (1, 1), (1, 1), (1, 1), 1
    y = in_plain_mode(conv_forward, x, w, None, *params)
    gx = in_plain_mode(conv_grad_input, g, w, x.shape, *params)
    return y, gx, in_plain_mode(conv_grad_weight, g, x, w.shape, *params)


@pytest.mark.parametrize("channels", [32, 64, 200, 512])
@pytest.mark.parametrize("least", [-np.inf, 0])
@pytest.mark.parametrize("mode", ["plain", "fast"])
def test_tiles_err_little(channels, least, mode):
    x, w = np.maximum(numbers(2, channels, 16, 16), least), numbers(64, channels, 3, 3)
    g = numbers(2, 64, 16, 16)
    right = directly(*(a.astype(np.float64) for a in (x, w, g)))
    with config.kernels(mode):
        got = by_tiles(x, w, g)
    for a, exact in zip(got, right, strict=True):
        assert error_of(a, exact) < 6e-7 * np.sqrt(np.mean(exact**2))


@pytest.mark.parametrize(
    ("dtype", "mode", "taken"),
    [
        ("float32", "auto", True),
        ("float64", "auto", False),
        ("float32", "plain", False),
    ],
)
def test_conv_uses_tiles_in_single_precision_unless_plain(
    monkeypatch, dtype, mode, taken
):
    seen = []
    # In the function's own globals: its module may have been imported a second time.
    stand_in = lambda *_: seen.append(1) or np.zeros(1)
    monkeypatch.setitem(conv_forward.__globals__, "winograd", stand_in)
    x, w = np.ones((4, 32, 16, 16), dtype), np.ones((32, 32, 3, 3), dtype)
    with config.kernels(mode):
        conv_forward(x, w, None, (1, 1), (1, 1), (1, 1), 1)
    assert bool(seen) is taken


def test_winograd_is_not_worthwhile_for_few_channels_few_tiles_strides_or_other_kernels():
    many, w = (8, 32, 16, 16), (32, 32, 3, 3)
    params = ((1, 1), (1, 1), 1)
    assert conv_winograd.is_worthwhile(many, w, *params)
    assert not conv_winograd.is_worthwhile(many, (32, 8, 3, 3), *params)
    assert not conv_winograd.is_worthwhile((2, 32, 4, 4), w, *params)
    assert not conv_winograd.is_worthwhile((99, 32, 3, 16), w, *params)
    assert not conv_winograd.is_worthwhile(many, w, (2, 2), (1, 1), 1)
    assert not conv_winograd.is_worthwhile(many, w, (1, 1), (2, 2), 1)
    assert not conv_winograd.is_worthwhile(many, w, (1, 1), (1, 1), 2)
    assert not conv_winograd.is_worthwhile(many, (32, 32, 5, 5), *params)
