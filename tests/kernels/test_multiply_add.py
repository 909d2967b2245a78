"""Fused multiply-add agrees with fractions, which do not round."""

from fractions import Fraction

import numpy as np
import pytest

from edutorch import config
from edutorch.kernels.multiply_add import MAX_PLAIN_SIZE, add_scaled, multiply_add

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("kind", ["f", "d"])
def test_results_are_rounded_once(kind):
    a, b = RNG.standard_normal((2, 500)).astype(kind)
    c = -a * b * (1 + RNG.choice([0, 0.5, -1], 500)).astype(kind)  # digits cancel
    exact = [
        Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
        for x, y, z in zip(a, b, c, strict=True)
    ]
    expected = np.array([float(e) for e in exact]).astype(kind)
    found = multiply_add(a, b, c)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


def test_large_numbers_and_infinities_are_as_without_fusing():
    a = np.array([1e300, 1e300, np.inf, np.nan])
    found = multiply_add(a, np.array([0.5, 1e300, 1.0, 1.0]), np.ones(4))
    np.testing.assert_array_equal(found, [5e299, np.inf, np.inf, np.nan])


@pytest.mark.parametrize("mode", ["plain", "fast"])
@pytest.mark.parametrize("kind", ["f", "d"])
@pytest.mark.parametrize("size", [1, 5, 5000, 70_000])
def test_add_scaled_differs_by_the_rounding_of_the_product(size, kind, mode):
    a, b = RNG.standard_normal((2, size)).astype(kind)
    with config.kernels(mode):
        found = add_scaled(a, b, -0.3)
    assert found.dtype == a.dtype
    exact = multiply_add(np.array(-0.3, kind), b, a)
    if kind == "f" and size <= MAX_PLAIN_SIZE:
        np.testing.assert_array_equal(found, exact)
    assert (abs(found - exact) <= np.finfo(kind).eps * (abs(a) + abs(b))).all()


def test_add_scaled_broadcasts_and_keeps_the_order_in_memory():
    a, b = RNG.standard_normal((2, 3, 4)).astype("f")
    np.testing.assert_allclose(add_scaled(a, b[0], 2.0), a + 2 * b[0], rtol=1e-6)
    assert add_scaled(a.T, b.T, 2.0).flags.f_contiguous
    assert add_scaled(a, 1.5, 2.0).tolist() == (a + np.float32(3)).tolist()
