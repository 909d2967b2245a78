"""Normalisation of rows as a formula."""

import numpy as np
import pytest

from edutorch.kernels.plain import norm

RNG = np.random.default_rng(3)
X = RNG.standard_normal((3, 4)) * 2 + 5
SCALES = {"none": None, "rows": RNG.random((3, 1)), "columns": RNG.random(4)}


def test_normalize_rows_gives_rows_of_mean_0_and_variance_1():
    y, mean, var = norm.normalize_rows(X.reshape(3, 2, 2), None, None, 0.0)
    assert y.shape == (3, 2, 2)
    np.testing.assert_allclose(y.mean((1, 2)), 0, atol=1e-12)
    np.testing.assert_allclose(y.var((1, 2)), 1)
    np.testing.assert_allclose(y[0].ravel() * var[0] ** 0.5 + mean[0], X[0])


@pytest.mark.parametrize("kind", SCALES)
def test_gradients_are_those_of_differences(kind):
    w, g, step, eps = SCALES[kind], RNG.standard_normal(X.shape), 1e-6, 1e-5
    _, mean, var = norm.normalize_rows(X, w, None, eps)
    gx, gw, gb = norm.normalize_rows_backward(g, X, w, mean, var, eps)

    def slope(x, scale, at, move):
        values = []
        for sign in (1, -1):
            at[move] += sign * step
            values.append((g * norm.normalize_rows(x, scale, None, eps)[0]).sum())
            at[move] -= sign * step
        return (values[0] - values[1]) / (2 * step)

    x = X.copy()
    np.testing.assert_allclose(gx[1, 2], slope(x, w, x, (1, 2)), atol=1e-7)
    if w is not None:
        scale = w.copy()
        place = (1, 0) if kind == "rows" else (1,)
        np.testing.assert_allclose(gw[place], slope(X, scale, scale, place), atol=1e-7)
        assert gb.shape == w.shape


def test_gradient_of_equal_gradients_vanishes_for_a_scale_of_rows():
    x, w = np.repeat(RNG.random((1, 3)), 100, axis=0).T, RNG.random((3, 1))
    _, mean, var = norm.normalize_rows(x, w, None, 1e-5)
    gx, _, _ = norm.normalize_rows_backward(np.ones_like(x), x, w, mean, var, 1e-5)
    assert abs(gx).max() < 1e-22
