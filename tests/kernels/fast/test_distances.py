"""Distances by loops, against the plain functions."""

import numpy as np
import pytest

from edutorch import config
from edutorch.kernels import distances as plain
from edutorch.kernels.fast import distances as fast

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_distances_and_gradients_equal_the_plain_ones(dtype):
    x, y, g = (RNG.standard_normal(s).astype(dtype) for s in ((9, 4), (33, 4), (9, 33)))
    columns, z = np.ascontiguousarray(y.T), np.empty((9, 33), dtype)
    gx, g_columns = np.zeros_like(x), np.zeros_like(columns)
    fast.distances(x, columns, z)
    fast.distances_backward(g / z, x, columns, gx, g_columns)
    with config.kernels("plain"):
        expected = plain.distances(x, y)
        gradients = plain.distances_backward(g, x, y, expected)
    tolerance = 1e-5 if dtype == np.float32 else 1e-13
    for got, wanted in ((z, expected), (gx, gradients[0]), (g_columns.T, gradients[1])):
        np.testing.assert_allclose(got, wanted, atol=30 * tolerance)
