"""Distances between all rows, plainly and by compiled loops."""

import numpy as np
import pytest

from edutorch import config
from edutorch.kernels.distances import distances, distances_backward

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("mode", ["plain", "fast"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(3, 5, 4), (40, 33, 7), (0, 3, 2), (2, 3, 0)])
def test_distances_and_gradients_are_those_of_the_formula(shape, dtype, mode):
    n, m, d = shape
    x, y = RNG.standard_normal((n, d)), RNG.standard_normal((m, d))
    if d and n:
        y[0] = x[0]  # a distance of 0, whose slope is 0
    g = RNG.standard_normal((n, m))
    gaps = x[:, None] - y
    expected = np.sqrt((gaps**2).sum(-1))
    gradients = (g / np.where(expected == 0, np.inf, expected))[..., None] * gaps
    x, y, g = (v.astype(dtype) for v in (x, y, g))
    tolerance = 1e-5 if dtype == np.float32 else 1e-12
    with config.kernels(mode):
        z = distances(x, y)
        gx, gy = distances_backward(g, x, y, z)
    assert z.dtype == gx.dtype == gy.dtype == dtype
    np.testing.assert_allclose(z, expected, atol=tolerance)
    np.testing.assert_allclose(gx, gradients.sum(1), atol=20 * tolerance)
    np.testing.assert_allclose(gy, -gradients.sum(0), atol=20 * tolerance)
