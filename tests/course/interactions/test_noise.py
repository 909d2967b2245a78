from __future__ import annotations

import numpy as np
import pytest

from edutorch.course.interactions.noise import noise, size


def test_noise_has_mean_zero_and_variance_one():
    drawn = noise(50, 30, 32, 32)
    assert drawn.mean() == pytest.approx(0, abs=0.02)
    assert drawn.var() == pytest.approx(1, abs=0.02)
    assert np.abs(drawn).max() <= 3**0.5


def test_noise_of_another_seed_is_other_noise():
    assert not np.array_equal(noise(1, 5), noise(2, 5))


def test_size_of_ones_is_one():
    assert size(-np.ones((3, 4))) == 1.0
