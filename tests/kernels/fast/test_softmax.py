"""Softmax and cross entropy as loops, against the plain functions."""

import numpy as np
import pytest

from edutorch import config
from edutorch.kernels import softmax
from edutorch.kernels.fast import softmax as fast

RNG = np.random.default_rng(0)
SHAPES = [(1, 1), (3, 5), (4, 70)]


def numbers(*shape, dtype=np.float32):
    return (3 * RNG.standard_normal(shape)).astype(dtype)


def in_plain_mode(function, *arguments):
    with config.kernels("plain"):
        return function(*arguments)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_softmax_and_gradient_equal_the_plain_ones(name, shape):
    x, g = numbers(*shape), numbers(*shape)
    y, gx = np.empty_like(x), np.empty_like(x)
    getattr(fast, name)(x, y)
    expected = in_plain_mode(getattr(softmax, name), x, 1)
    np.testing.assert_allclose(y, expected, rtol=1e-6, atol=1e-6)
    getattr(fast, f"{name}_backward")(g, y, gx)
    expected = in_plain_mode(getattr(softmax, f"{name}_backward"), g, y, 1)
    np.testing.assert_allclose(gx, expected, rtol=1e-5, atol=2e-6)


@pytest.mark.parametrize("shape", SHAPES)
def test_cross_entropy_and_gradient_equal_the_plain_ones(shape):
    x, target = numbers(*shape), RNG.integers(0, shape[1], shape[0])
    sums, g = np.empty((2, shape[0]), np.float32), numbers(shape[0])
    losses, gx = np.empty(shape[0], np.float32), np.empty_like(x)
    fast.cross_entropy(x, target, *sums, losses)
    expected = in_plain_mode(softmax.cross_entropy_rows, x, target)
    np.testing.assert_allclose(losses, expected[0], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(sums, expected[1], rtol=1e-6)
    fast.cross_entropy_backward(x, target, *sums, g, gx)
    expected = in_plain_mode(softmax.cross_entropy_rows_backward, g, x, sums, target)
    np.testing.assert_allclose(gx, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("kind", [np.int64, np.uint8])
@pytest.mark.parametrize("shape", [(40, 30), (300, 400)])
def test_cross_entropy_chooses_a_kernel_that_can_do_it(shape, kind):
    x, target = numbers(*shape), RNG.integers(0, 30, 2 * shape[0]).astype(kind)[::2]
    losses, sums = in_plain_mode(softmax.cross_entropy_rows, x, target)
    for g in (np.float32(0.5), numbers(shape[0])):
        expected = in_plain_mode(
            softmax.cross_entropy_rows_backward, g, x, sums, target
        )
        with config.kernels("fast"):
            got, found = softmax.cross_entropy_rows(x, target)
            gx = softmax.cross_entropy_rows_backward(g, x, found, target)
        np.testing.assert_allclose(got, losses, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(gx, expected, rtol=1e-5, atol=1e-6)


def test_softmax_of_nan_and_infinities_is_the_plain_one():
    x = np.array([[np.nan, 1, 2], [-np.inf, 0, 1], [-np.nan, 1, 2], [-1e30, 0, -0.0]])
    x = np.concatenate([x, [[-np.inf] * 3, [np.inf, 0, 1]]]).astype(np.float32)
    y = np.empty_like(x)
    fast.softmax(x, y)
    np.testing.assert_allclose(y, in_plain_mode(softmax.softmax, x, 1), rtol=1e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_softmax_chooses_a_kernel_that_can_do_it(name, dtype, transposed):
    x, g = numbers(40, 30, dtype=dtype), numbers(40, 30, dtype=dtype)
    x, g = (x.T, g.T) if transposed else (x, g)  # turned: no rows in memory
    forward, backward = getattr(softmax, name), getattr(softmax, f"{name}_backward")
    expected = in_plain_mode(forward, x, 1)
    with config.kernels("fast"):
        y = forward(x, 1)
        gx = backward(g, y, 1)
    np.testing.assert_allclose(y, expected, rtol=1e-6, atol=1e-6)
    expected = in_plain_mode(backward, g, y, 1)
    np.testing.assert_allclose(gx, expected, rtol=1e-5, atol=4e-6)
    assert y.dtype == gx.dtype == dtype


def test_log_softmax_keeps_the_digits_of_its_logarithm_beside_large_scores():
    for size in (1e7, 1e30):
        x, y = np.full((1, 2), size, np.float32), np.empty((1, 2), np.float32)
        fast.log_softmax(x, y)
        np.testing.assert_allclose(y, -np.log(2), rtol=1e-6)
