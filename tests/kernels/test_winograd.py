"""Convolution by tiles: the direct sum, and its gradients."""

import numpy as np
import pytest

from edutorch import config
from edutorch.kernels import winograd
from edutorch.kernels.conv import (
    conv_forward,
    conv_grad_input,
    conv_grad_weight,
)

RNG = np.random.default_rng(0)
CASES = [((2, 32, 17, 18), 40, (1, 1)), ((5, 33, 13, 16), 32, (0, 2))]
CASES += [((3, 32, 20, 20), 32, (3, 0))]


def numbers(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def plainly(function, *arguments):
    with config.kernels("plain"):
        return function(*arguments)


def assert_near(got, expected):
    assert got.shape == expected.shape
    assert abs(got - expected).max() < 3e-6 * abs(expected).max()


@pytest.mark.parametrize("mode", ["plain", "fast"])
@pytest.mark.parametrize(("x_shape", "o", "padding"), CASES)
def test_tiles_equal_the_direct_sum(x_shape, o, padding, mode):
    x, w, b = numbers(*x_shape), numbers(o, x_shape[1], 3, 3), numbers(o)
    how = ((1, 1), padding, (1, 1), 1)
    expected = plainly(conv_forward, x, w, b, *how)
    out = expected.shape[2:]
    with config.kernels(mode):
        assert_near(winograd.winograd(x, w, b, padding, out), expected)
    g = numbers(*expected.shape)
    turned = tuple(2 - p for p in padding)
    with config.kernels(mode):
        gx = winograd.winograd(g, w, None, turned, x_shape[2:], adjoint=True)
        gw = winograd.winograd_grad_weight(g, x, padding)
    assert_near(gx, plainly(conv_grad_input, g, w, x.shape, *how))
    assert_near(gw, plainly(conv_grad_weight, g, x, w.shape, *how))


@pytest.mark.parametrize("size", [1, 40_000])
def test_tiles_in_chunks_equal_all_at_once(monkeypatch, size):
    x, w = numbers(5, 32, 9, 9), numbers(32, 32, 3, 3)
    once = winograd.winograd(x, w, None, (1, 1), (9, 9))
    gw = winograd.winograd_grad_weight(once, x, (1, 1))
    gx = winograd.winograd(once, w, None, (1, 1), (9, 9), adjoint=True)
    monkeypatch.setattr(winograd, "CHUNK_BYTES", size)
    assert_near(winograd.winograd(x, w, None, (1, 1), (9, 9)), once)
    assert_near(winograd.winograd_grad_weight(once, x, (1, 1)), gw)
    got = winograd.winograd(once, w, None, (1, 1), (9, 9), adjoint=True)
    assert_near(got, gx)


def error_of(got, expected):
    return np.sqrt(np.mean((got - expected) ** 2))


@pytest.mark.parametrize("channels", [32, 64, 200, 512])
@pytest.mark.parametrize("least", [-np.inf, 0])
def test_tiles_err_less_than_twice_as_much_as_the_direct_sum(channels, least):
    x, w = np.maximum(numbers(2, channels, 16, 16), least), numbers(32, channels, 3, 3)
    g, how = numbers(2, 32, 16, 16), ((1, 1), (1, 1), (1, 1), 1)
    gw_shape = w.shape
    for tiles, function, arguments, shape in (
        (lambda: winograd.winograd(x, w, None, (1, 1), (16, 16)),
         conv_forward, (x, w), (None,)),
        (lambda: winograd.winograd(g, w, None, (1, 1), (16, 16), adjoint=True),
         conv_grad_input, (g, w), (x.shape,)),
        (lambda: winograd.winograd_grad_weight(g, x, (1, 1)),
         conv_grad_weight, (g, x), (gw_shape,)),
    ):  # fmt: skip
        exact = [a.astype(np.float64) for a in arguments]
        right = plainly(function, *exact, *shape, *how)
        direct = error_of(plainly(function, *arguments, *shape, *how), right)
        assert error_of(tiles(), right) < 2 * direct


@pytest.mark.parametrize(
    ("dtype", "mode", "taken"),
    [
        ("float32", "auto", True),
        ("float64", "auto", False),
        ("float32", "plain", False),
    ],
)
def test_conv_takes_tiles_in_single_precision_but_not_plainly(
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


def test_pays_not_for_few_channels_few_tiles_strides_or_other_kernels():
    many, w = (8, 32, 16, 16), (32, 32, 3, 3)
    how = ((1, 1), (1, 1), 1)
    assert winograd.pays(many, w, *how)
    assert not winograd.pays(many, (32, 8, 3, 3), *how)
    assert not winograd.pays((2, 32, 4, 4), w, *how)
    assert not winograd.pays(many, w, (2, 2), (1, 1), 1)
    assert not winograd.pays(many, w, (1, 1), (2, 2), 1)
    assert not winograd.pays(many, w, (1, 1), (1, 1), 2)
    assert not winograd.pays(many, (32, 32, 5, 5), *how)
