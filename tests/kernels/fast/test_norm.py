"""Normalisation as loops, against the plain functions."""

import numpy as np
import pytest

from edutorch import config
from edutorch.kernels import norm, thread_pool

RNG = np.random.default_rng(0)
EPS = 1e-5


def numbers(*shape, dtype=np.float32):
    return (2 * RNG.standard_normal(shape) + 1).astype(dtype)


def in_mode(mode, function, *arguments):
    with config.kernels(mode):
        return function(*arguments)


def assert_close(got, expected):
    for a, b in zip(got, expected, strict=True):
        if a is not None:
            tolerance = 1e-12 if a.dtype == np.float64 else 2e-5
            np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("scaled", [True, False])
def test_rows_and_gradients_equal_the_plain_ones(scaled, dtype):
    x, g = numbers(40, 33, dtype=dtype), numbers(40, 33, dtype=dtype)
    w, b = (
        (numbers(33, dtype=dtype), numbers(33, dtype=dtype)) if scaled else (None,) * 2
    )
    got, expected = (
        in_mode(mode, norm.normalize_rows, x, w, b, EPS) for mode in ("fast", "plain")
    )
    assert_close(got, expected)
    arguments = (g, x, w, *expected[1:], EPS)
    got, expected = (
        in_mode(mode, norm.normalize_rows_backward, *arguments)
        for mode in ("fast", "plain")
    )
    assert_close(got, expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("scaled", [True, False])
@pytest.mark.parametrize("size", [(4, 5), (20,), (3,)])
def test_channels_and_gradients_equal_the_plain_ones(size, scaled, dtype):
    x, g = numbers(7, 6, *size, dtype=dtype), numbers(7, 6, *size, dtype=dtype)
    w, b = (numbers(6, dtype=dtype), numbers(6, dtype=dtype)) if scaled else (None,) * 2
    got, expected = (
        in_mode(mode, norm.normalize_channels, x, w, b, EPS)
        for mode in ("fast", "plain")
    )
    assert_close(got, expected)
    arguments = (g, x, w, *expected[1:], EPS)
    got, expected = (
        in_mode(mode, norm.normalize_channels_backward, *arguments)
        for mode in ("fast", "plain")
    )
    assert_close(got, expected)


def test_rows_in_blocks_equal_rows_at_once(monkeypatch):
    x, g, w = numbers(40, 33), numbers(40, 33), numbers(33)
    with config.kernels("fast"):
        once = norm.normalize_rows(x, w, w, EPS)
        gradients = norm.normalize_rows_backward(g, x, w, *once[1:], EPS)
        monkeypatch.setattr(thread_pool, "MIN_NANOSECONDS", 0)
        blocks = norm.normalize_rows(x, w, w, EPS)
        assert_close(blocks, once)
        assert_close(norm.normalize_rows_backward(g, x, w, *once[1:], EPS), gradients)


def test_transposed_channels_use_the_plain_kernel():
    x = numbers(8, 8, 6, 6).transpose(0, 1, 3, 2)
    got, expected = (
        in_mode(mode, norm.normalize_channels, x, None, None, EPS)
        for mode in ("fast", "plain")
    )
    assert_close(got, expected)


@pytest.mark.parametrize("shape", [(7, 6, 20), (30, 20)])
def test_scales_that_no_kernel_takes_are_used_by_numpy(shape):
    x = numbers(*shape)
    many = np.broadcast_to(np.float32(2), shape[1])  # one number in memory
    frozen = numbers(shape[1])
    frozen.flags.writeable = False
    name = "normalize_rows" if len(shape) == 2 else "normalize_channels"
    for w, b in ((many, None), (frozen, many), (None, frozen)):
        got, expected = (
            in_mode(mode, getattr(norm, name), x, w, b, EPS)
            for mode in ("fast", "plain")
        )
        assert_close(got, expected)
        backward, gradients = getattr(norm, f"{name}_backward"), numbers(*shape)
        arguments = (gradients, x, w, *expected[1:], EPS)
        got, expected = (in_mode(m, backward, *arguments) for m in ("fast", "plain"))
        assert_close(got[:1], expected[:1])
