"""Fused multiply-add agrees with fractions, which do not round."""

from fractions import Fraction

import numpy as np
import pytest

from edutorch.kernels.multiply_add import multiply_add

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
