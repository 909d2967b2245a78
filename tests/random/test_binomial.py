"""Numbers of successes."""

import numpy as np
import pytest

import edutorch
from edutorch.random import binomial
from edutorch.random.generator import Generator


@pytest.mark.parametrize(("count", "p"), [(8, 0.3), (90, 0.4), (90, 0.9), (5000, 0.01)])
def test_binomial_of_many_draws_has_its_mean_and_variance(count, p):
    generator = Generator()
    generator.manual_seed(1)
    y = binomial.binomial(generator, np.full(4000, float(count)), np.full(4000, p))
    deviation = (count * p * (1 - p)) ** 0.5
    assert abs(y.mean() - count * p) < 5 * deviation / 4000**0.5
    assert abs(y.std() / deviation - 1) < 0.06
    assert y.min() >= 0
    assert y.max() <= count


def test_binomial_at_the_ends_is_certain():
    counts, chances = np.array([5.0, 5.0, -1.0, 5.0]), np.array([0.0, 1.0, 0.5, np.nan])
    y = binomial.binomial(Generator(), counts, chances)
    np.testing.assert_array_equal(y, [0, 5, 0, np.nan])


def test_binomial_of_no_number_or_infinitely_many_trials_comes_to_an_end():
    counts = np.array([np.nan, np.inf, np.inf])
    y = binomial.binomial(Generator(), counts, np.array([0.5, 0.5, 0.0]))
    np.testing.assert_array_equal(y, [np.nan, np.inf, 0])


def test_binomial_puts_back_numbers_it_did_not_use():
    edutorch.manual_seed(0)
    edutorch.binomial(edutorch.tensor([0.0]), edutorch.tensor([0.5]))
    after = edutorch.rand(1).item()
    edutorch.manual_seed(0)
    assert edutorch.rand(1).item() == after
