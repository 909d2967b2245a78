"""Activations and masks."""

import warnings

import numpy as np
import pytest

from edutorch.kernels.activations import (
    MAX_ZEROS_SIZE,
    SMALL_SIZE,
    choose,
    clamp,
    log1p_exp,
    masked,
    relu,
)


@pytest.mark.parametrize("size", [5, SMALL_SIZE + 5, MAX_ZEROS_SIZE + 5])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int64])
def test_relu_of_any_size_and_dtype_is_the_positive_part(size, dtype):
    x = (np.arange(size) - size // 2).astype(dtype)
    y = relu(x)
    assert y.dtype == dtype
    np.testing.assert_array_equal(y, np.where(x > 0, x, 0))


@pytest.mark.parametrize("size", [3, SMALL_SIZE + 1, MAX_ZEROS_SIZE + 1])
def test_relu_of_nan_is_nan_and_of_inf_inf(size):
    x = np.full(size, np.nan, np.float32)
    x[1:3] = np.inf, -np.inf
    assert np.isnan(relu(x)[0])
    assert relu(x)[1:3].tolist() == [np.inf, 0]


@pytest.mark.parametrize("size", [8, SMALL_SIZE + 8])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int64])
@pytest.mark.parametrize("limits", [(-1, 2), (None, 0), (1, None), (2, -2)])
def test_clamp_of_any_size_and_dtype_keeps_the_dtype(size, dtype, limits):
    x = (np.arange(size) % 8 - 4).astype(dtype)
    y = clamp(x, *limits)
    low, high = limits
    expected = x if low is None else np.where(x < low, low, x)
    expected = expected if high is None else np.where(expected > high, high, expected)
    assert y.dtype == dtype
    np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("size", [3, SMALL_SIZE + 3])
@pytest.mark.parametrize("limits", [(np.nan, 1.0), (0.0, np.nan)])
def test_clamp_to_nan_is_nan(size, limits):
    assert np.isnan(clamp(np.zeros(size, np.float32), *limits)).all()


@pytest.mark.parametrize("size", [3, SMALL_SIZE + 3])
def test_clamp_to_zero_keeps_the_sign_of_zero(size):
    assert np.signbit(clamp(np.full(size, -0.0), 0, 0)).all()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_masked_of_infinite_gradients_is_exact(dtype):
    g = np.array([np.inf, np.nan, -2.5, np.inf], dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        got = masked(g, np.array([False, False, True, True]))
    assert got.tolist() == [0, 0, -2.5, np.inf]


def test_masked_writes_into_out():
    out = np.ones(4)
    masked(np.array([3.0, 4.0]), np.array([True, False]), out=out[::2])
    assert out.tolist() == [3, 1, 0, 1]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int64])
@pytest.mark.parametrize("shape", [(3,), (40, 50)])
def test_choose_equals_numpys_where(shape, dtype):
    rng = np.random.default_rng(0)
    condition = rng.integers(0, 2, shape).astype(bool)
    a, b = (rng.integers(-9, 9, shape).astype(dtype) for _ in range(2))
    if dtype != np.int64:
        a.reshape(-1)[:3], b.reshape(-1)[1:3] = (np.nan, np.inf, -0.0), (np.inf, np.nan)
    for first, second in ((a, b), (a, b[..., :1]), (a.T[0], b), (a, 0), (2.5, b)):
        if np.ndim(first) == 1 and len(shape) == 2:
            first = np.broadcast_to(first[0], ())
        got, expected = (
            choose(condition, first, second),
            np.where(condition, first, second),
        )
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(got, expected)


def test_log1p_exp_keeps_its_digits_everywhere():
    x = np.array([-700.0, -40, -1e-9, 0, 1, 700, 1e9, np.inf, -np.inf])
    np.testing.assert_allclose(log1p_exp(x), np.logaddexp(x, 0), rtol=1e-15)
    assert np.isnan(log1p_exp(np.array([np.nan]))[0])


def test_masked_keeps_wide_complex_numbers():
    g, mask = np.array([1 + 2j, 3 - 1j]), np.array([True, False])
    assert masked(g, mask).tolist() == [1 + 2j, 0]
