"""Adaptive pooling against slices written out."""

import numpy as np
import pytest

from edutorch.kernels import adaptive_pool as kernels

SIZES = [(3, 3), (7, 3), (1, 1), (14, 10), (7, 9)]


def windows(size, out):
    for i, (a, b) in enumerate(kernels.window_edges(size[0], out[0])):
        for j, (c, d) in enumerate(kernels.window_edges(size[1], out[1])):
            yield (i, j), (slice(a, b), slice(c, d))


@pytest.mark.parametrize("out", SIZES)
def test_adaptive_avg_pool_is_the_mean_of_each_window(out):
    x = np.random.default_rng(0).standard_normal((2, 3, 7, 9))
    y = kernels.adaptive_avg_pool(x, out)
    for (i, j), window in windows((7, 9), out):
        np.testing.assert_allclose(y[:, :, i, j], x[(..., *window)].mean((2, 3)))


@pytest.mark.parametrize("out", SIZES)
def test_adaptive_avg_pool_backward_is_the_transpose(out):
    rng = np.random.default_rng(0)
    x, g = rng.standard_normal((2, 3, 7, 9)), rng.standard_normal((2, 3, *out))
    y = kernels.adaptive_avg_pool(x, out)
    gx = kernels.adaptive_avg_pool_backward(g, x.shape)
    np.testing.assert_allclose((g * y).sum(), (gx * x).sum())


@pytest.mark.parametrize("out", SIZES)
def test_adaptive_max_pool_names_the_largest_of_each_window(out):
    x = np.random.default_rng(0).standard_normal((2, 3, 7, 9))
    y, index = kernels.adaptive_max_pool(x, out)
    for (i, j), window in windows((7, 9), out):
        np.testing.assert_array_equal(y[:, :, i, j], x[(..., *window)].max((2, 3)))
    flat = x.reshape(2, 3, -1)
    taken = np.take_along_axis(flat, index.reshape(2, 3, -1), -1).reshape(y.shape)
    np.testing.assert_array_equal(taken, y)


def test_adaptive_pool_to_nothing_is_empty():
    assert kernels.adaptive_avg_pool(np.ones((1, 2, 3)), (0,)).shape == (1, 2, 0)
