"""Collectives with gradients: those of PyTorch, and sums by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.distributed.collectives.test_data_movement import own
from tests.distributed.launching import needs_mpi

pytestmark = needs_mpi
NAMES = ("all_reduce", "broadcast", "all_gather", "all_to_all_single", "reduce_scatter")


@pytest.mark.parametrize("name", NAMES)
def test_gradient_of_a_collective_is_that_of_pytorch(two, name):
    for mine, reference in zip(*two, strict=True):
        assert mine[f"F.{name}"] == reference[f"F.{name}"]


def test_gradient_of_all_reduce_is_the_sum_of_all_gradients(collected):
    size = len(collected)
    y = sum(2 * own(r, 4) for r in range(size))
    g = sum(2 * (r + 1) * 2 * y for r in range(size))  # of 2 (r + 1) y^2 on rank r
    for found in collected:
        (got,), gradient = found["F.all_reduce"]
        assert np.array_equal(got[1], y)
        assert np.array_equal(gradient[1], 2 * g)
