"""Compiled sampling of images, against the plain functions."""

import numpy as np
import pytest

import edutorch
from edutorch import config
from edutorch.nn.functional import grid_sample

RNG = np.random.default_rng(0)


def sampled(x, grid, g, mode, **params):
    """The values and both gradients, with the kernels of a mode."""
    x, grid = (edutorch.tensor(v, requires_grad=True) for v in (x, grid))
    with config.kernels(mode):
        y = grid_sample(x, grid, **{"align_corners": False, **params})
        y.backward(edutorch.tensor(g))
    return y.detach().numpy(), x.grad.numpy(), grid.grad.numpy()


@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("align", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_bilinear_samples_and_gradients_equal_the_plain_ones(padding, align, dtype):
    x, g = RNG.standard_normal((2, 3, 5, 7)), RNG.standard_normal((2, 3, 6, 4))
    grid = 1.3 * RNG.standard_normal((2, 6, 4, 2))
    grid[0, 0] = [[-1, -1], [1, 1], [1e30, 0], [-1e30, 0.5]]
    x, g, grid = (v.astype(dtype) for v in (x, g, grid))
    params = {"padding_mode": padding, "align_corners": align}
    expected = sampled(x, grid, g, "plain", **params)
    scale = 1e-5 if dtype == "float32" else 1e-13
    for got, plain in zip(sampled(x, grid, g, "fast", **params), expected, strict=True):
        np.testing.assert_allclose(got, plain, rtol=0, atol=scale * abs(plain).max())


def test_what_is_outside_spoils_nothing():
    x, g = np.full((1, 1, 2, 2), np.inf), np.ones((1, 1, 1, 2))
    grid = np.array([[[[-9.0, 0], [0, 9]]]])
    y, gx, _ = sampled(x, grid, g, "fast")
    assert not y.any()
    assert not gx.any()


def test_nan_positions_use_the_plain_kernel():
    x, g = np.ones((1, 1, 2, 2)), np.ones((1, 1, 1, 1))
    grid = np.full((1, 1, 1, 2), np.nan)
    results = [sampled(x, grid, g, mode) for mode in ("plain", "fast")]
    for plain, fast in zip(*results, strict=True):
        np.testing.assert_array_equal(plain, fast)
