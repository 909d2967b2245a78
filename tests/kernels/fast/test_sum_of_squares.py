"""The loop over lanes, against the plain function."""

import numpy as np

from edutorch.kernels import sum_of_squares as plain
from edutorch.kernels.fast import sum_of_squares as fast


def test_add_squares_goes_on_from_what_the_lanes_hold():
    x = np.random.default_rng(0).random((57, 8), np.float32)
    lanes = np.zeros(8, np.float32)
    fast.add_squares(x[:20], lanes)
    fast.add_squares(x[20:], lanes)
    expected = np.add.reduce(x * x, 0)
    assert np.array_equal(lanes, expected)
    assert lanes.size == plain.LANES
