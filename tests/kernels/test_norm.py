"""Normalised rows against the formula and differences."""

import numpy as np
import pytest

from edutorch import config
from edutorch.kernels import norm
from edutorch.kernels import softmax as row_kernels
from edutorch.kernels.plain import norm as plain_norm

RNG = np.random.default_rng(6)
SCALES = {
    "none": (None, None),
    "rows": (RNG.standard_normal((4, 1)), RNG.standard_normal((4, 1))),
    "columns": (RNG.standard_normal(6), RNG.standard_normal(6)),
}


@pytest.fixture(params=[row_kernels.BLOCK, 12], autouse=True)
def block(request, monkeypatch):
    monkeypatch.setattr(row_kernels, "BLOCK", request.param)


@pytest.mark.parametrize("kind", SCALES)
def test_normalize_rows_equals_the_formula(kind):
    x = RNG.standard_normal((4, 6)) * 3 + 5
    got = norm.normalize_rows(x, *SCALES[kind], 1e-5)
    expected = plain_norm.normalize_rows(x, *SCALES[kind], 1e-5)
    for a, b in zip(got, expected, strict=True):
        np.testing.assert_allclose(a, b)


@pytest.mark.parametrize("kind", SCALES)
def test_normalize_rows_backward_equals_differences(kind):
    x, g = RNG.standard_normal((2, 4, 6))
    w, b = SCALES[kind]
    _, mean, var = norm.normalize_rows(x, w, b, 1e-5)
    gx, gw, gb = norm.normalize_rows_backward(g, x, w, mean, var, 1e-5)
    expected = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        for sign in (1, -1):
            moved = x.copy()
            moved[i] += sign * 1e-6
            y, _, _ = norm.normalize_rows(moved, w, b, 1e-5)
            expected[i] += sign * (g * y).sum() / 2e-6
    np.testing.assert_allclose(gx, expected, atol=1e-7)
    z = plain_norm.normalize_rows(x, None, None, 1e-5)[0]
    axis = 0 if kind == "columns" else 1
    np.testing.assert_allclose(gw.reshape(-1), (g * z).sum(axis))
    np.testing.assert_allclose(gb.reshape(-1), g.sum(axis))


def test_normalize_rows_of_a_transposed_array_keeps_its_memory_order():
    x = RNG.standard_normal((3, 4, 5)).swapaxes(0, 1)  # rows are not contiguous
    y, mean, _ = norm.normalize_rows(x, None, None, 0.0)
    assert y.swapaxes(0, 1).flags.c_contiguous
    np.testing.assert_allclose(mean, x.mean((1, 2)))
    np.testing.assert_allclose(y.std((1, 2)), 1)


def test_normalize_rows_far_from_zero_keeps_its_digits():
    x = (np.arange(8.0) + 1e6).astype(np.float32)[None]
    y, _, _ = norm.normalize_rows(x, None, None, 0.0)
    np.testing.assert_allclose(y[0], (np.arange(8) - 3.5) / np.arange(8).std(), 1e-5)


def test_channel_gradients_are_sums_over_the_others():
    g, x = np.random.default_rng(0).standard_normal((2, 3, 6, 4, 5)) + 2
    rows = x.reshape(3 * 2, -1)
    z = plain_norm.normalize_rows(rows, None, None, 1e-5)[0].reshape(x.shape)
    gw, gb = norm.channel_gradients(g, x, rows.mean(1), rows.var(1), 1e-5)
    np.testing.assert_allclose(gw, (g * z).sum((0, 2, 3)))
    np.testing.assert_allclose(gb, g.sum((0, 2, 3)))


def test_gradients_of_large_maps_are_exact_to_rounding():
    rng = np.random.default_rng(0)
    x, g = (rng.standard_normal((8, 2, 96, 96), np.float32) + 3 for _ in range(2))
    _, mean, var = norm.normalize_channels(x, None, None, 1e-5)
    exact = x.astype(np.float64)
    np.testing.assert_allclose(mean, exact.mean((0, 2, 3)), rtol=2e-7)
    np.testing.assert_allclose(var, exact.var((0, 2, 3)), rtol=5e-7)
    gx, _, gb = norm.normalize_channels_backward(g, x, None, mean, var, 1e-5)
    _, mean, var = norm.normalize_channels(exact, None, None, 1e-5)
    slope = g.astype(np.float64)
    found, _, _ = norm.normalize_channels_backward(slope, exact, None, mean, var, 1e-5)
    np.testing.assert_allclose(gx, found, rtol=0, atol=3e-6)
    np.testing.assert_allclose(gb, slope.sum((0, 2, 3)), rtol=3e-7)


@pytest.mark.parametrize("kernels", ["plain", "auto"])
def test_gradients_of_a_shift_without_a_scale_are_sums_in_every_memory_order(kernels):
    rng = np.random.default_rng(0)
    x, g = (rng.standard_normal((20, 40)).T for _ in range(2))  # channels are rows
    with config.kernels(kernels):
        _, mean, var = norm.normalize_channels(x, None, None, 1e-5)
        _, gw, gb = norm.normalize_channels_backward(g, x, None, mean, var, 1e-5)
    z = (x - mean) / np.sqrt(var + 1e-5)
    np.testing.assert_allclose(gw, (g * z).sum(0))
    np.testing.assert_allclose(gb, g.sum(0))
