"""Derivatives of gamma and Dirichlet samples by their parameters."""

import numpy as np
import pytest
from scipy import special

from edutorch.kernels.reparameterization import dirichlet_grad, standard_gamma_grad

EVERY_GAMMA = [
    (0.1, 0.01),
    (3.0, 0.5),
    (3.0, 2.0),
    (0.5, 4.0),
    (20.0, 19.5),
    (20.0, 9.0),
]
EVERY_BETA = [
    (0.01, 0.5, 0.7), (0.3, 0.2, 1.0), (0.98, 2.0, 0.5), (0.4, 9.0, 12.0),
    (0.43, 9.0, 12.0), (0.8, 40.0, 8.0), (0.5, 3.0, 3.0), (0.6, 7.0, 2.0),
]  # fmt: skip


@pytest.mark.parametrize(("a", "x"), EVERY_GAMMA)
def test_gamma_gradient_keeps_the_place_in_the_distribution(a, x):
    step = 1e-5
    place = special.gammainc(a, x)
    low, high = (special.gammaincinv(b, place) for b in (a - step * a, a + step * a))
    expected = (high - low) / (2 * step * a)
    found = standard_gamma_grad(np.array([a]), np.array([x]))
    np.testing.assert_allclose(found, expected, rtol=2e-3)


@pytest.mark.parametrize(("x", "a", "b"), EVERY_BETA)
def test_dirichlet_gradient_keeps_the_place_in_the_distribution(x, a, b):
    step = 1e-5 * a
    place = special.betainc(a, b, x)
    low, high = (special.betaincinv(c, b, place) for c in (a - step, a + step))
    expected = (high - low) / (2 * step) / (1 - x)
    found = dirichlet_grad(np.array([x]), np.array([a]), np.array([a + b]))
    np.testing.assert_allclose(found, expected, rtol=5e-3)


def test_gradients_keep_their_dtype_and_broadcast():
    a, x = np.ones((2, 1), np.float32), np.ones(3, np.float32)
    assert standard_gamma_grad(a, x).dtype == np.float32
    assert standard_gamma_grad(a, x).shape == (2, 3)
    assert dirichlet_grad(a / 2, x, 2 * x).shape == (2, 3)
    assert standard_gamma_grad(np.ones(0), np.ones(0)).shape == (0,)


def test_gradients_equal_pytorchs():
    from tests.oracle import torch

    rng = np.random.default_rng(0)
    a, b = np.exp(rng.uniform(-5, 6, (2, 2000)))
    x, p = rng.gamma(a) + 1e-300, np.clip(rng.beta(a, b), 1e-300, 1 - 1e-16)
    t = torch.from_numpy
    expected = torch._standard_gamma_grad(t(a), t(x))
    np.testing.assert_allclose(standard_gamma_grad(a, x), expected, rtol=1e-10)
    expected = torch._dirichlet_grad(t(p), t(a), t(a + b))
    np.testing.assert_allclose(dirichlet_grad(p, a, a + b), expected, rtol=1e-9)
