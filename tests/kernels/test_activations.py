"""Activations and masks."""

import warnings

import numpy as np
import pytest

from edutorch.kernels.activations import KEPT, SMALL, masked, relu


@pytest.mark.parametrize("size", [5, SMALL + 5, KEPT + 5])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int64])
def test_relu_of_any_size_and_dtype_is_the_positive_part(size, dtype):
    x = (np.arange(size) - size // 2).astype(dtype)
    y = relu(x)
    assert y.dtype == dtype
    np.testing.assert_array_equal(y, np.where(x > 0, x, 0))


@pytest.mark.parametrize("size", [3, SMALL + 1, KEPT + 1])
def test_relu_of_nan_is_nan_and_of_inf_inf(size):
    x = np.full(size, np.nan, np.float32)
    x[1:3] = np.inf, -np.inf
    assert np.isnan(relu(x)[0])
    assert relu(x)[1:3].tolist() == [np.inf, 0]


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
