"""The pieces of the loop that makes normals, against NumPy's functions."""

import numpy as np

from edutorch.kernels.fast import box_muller as fast

X = np.linspace(2.0**-24, 1, 1000, dtype=np.float32)


def test_radii_are_roots_of_logarithms():
    y = np.empty_like(X)
    fast.radii(X, y)
    expected = np.sqrt(-2 * np.log(X.astype(np.float64)))
    np.testing.assert_allclose(y, expected, rtol=2e-6)
    assert y[-1] == 0


def test_waves_are_cosine_and_sine_of_turns():
    u = X - X[0]
    cosines, sines = np.empty_like(u), np.empty_like(u)
    fast.cosines_and_sines(u, cosines, sines)
    angle = np.float64(np.float32(2 * np.pi)) * u
    np.testing.assert_allclose(cosines, np.cos(angle), atol=5e-7)
    np.testing.assert_allclose(sines, np.sin(angle), atol=5e-7)


def test_normals_are_cosines_then_sines_in_blocks_of_sixteen():
    u = np.full((1, 2, 8), 0.5, np.float32)
    x = np.empty_like(u)
    fast.box_muller(u, x)
    radius = np.sqrt(2 * np.log(2))
    np.testing.assert_allclose(x[0, 0], -radius, rtol=1e-6)
    np.testing.assert_allclose(x[0, 1], 0, atol=1e-6)
