"""Sums of squares in PyTorch's order, plainly and by the compiled loop."""

import numpy as np
import pytest

from edutorch import config
from edutorch.kernels.sum_of_squares import sum_of_squares


def in_turn(x):
    """Eight running sums, added one after the other, then what was left over."""
    whole = len(x) - len(x) % 8
    lanes = [np.float32(0)] * 8
    for i, number in enumerate(x[:whole]):
        lanes[i % 8] += number * number
    total = np.float32(0)
    for lane in lanes:
        total += lane
    for number in x[whole:]:
        total += number * number
    return total


@pytest.mark.parametrize("mode", ["plain", "fast"])
@pytest.mark.parametrize("n", [0, 1, 7, 8, 17, 1003, 70_001])
def test_sum_of_squares_is_added_in_eight_lanes(n, mode):
    x = np.random.default_rng(n).random(n, np.float32)
    with config.kernels(mode):
        found = sum_of_squares(x)
    assert found.dtype == np.float32
    assert found == in_turn(x)
