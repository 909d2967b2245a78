"""Sorting element by element, against the plain functions."""

import numpy as np
import pytest

from edutorch import config
from edutorch.kernels.heapsort import heap_sort
from edutorch.kernels.introsort import Rows, introsort

RNG = np.random.default_rng(0)


def organ_pipe(n):
    """Rises and falls: the median of three halves it badly."""
    return np.concatenate([np.arange(n // 2), np.arange(n // 2)[::-1]])


ROWS = [RNG.integers(0, values, 700) for values in (1, 2, 5, 100, 10**6)]
ROWS += [np.arange(500), np.arange(500)[::-1], organ_pipe(2000), organ_pipe(4096) // 3]
ROWS += [RNG.integers(0, 9, n) for n in (0, 1, 2, 16, 17, 18)]


def in_mode(mode, sort, keys):
    """What keys and places are when they are sorted with the kernels of a mode."""
    rows = Rows(keys.astype(np.int32), np.arange(len(keys)))
    with config.kernels(mode):
        sort(rows)
    return rows.keys, rows.indices


@pytest.mark.parametrize("keys", ROWS, ids=len)
def test_introsort_moves_every_element_as_the_plain_one(keys):
    def sort(rows):
        cut = len(keys) // 3
        introsort(rows, np.array([0, cut]), np.array([cut, len(keys)]))

    plain, fast = in_mode("plain", sort, keys), in_mode("fast", sort, keys)
    np.testing.assert_array_equal(plain, fast)


@pytest.mark.parametrize("keys", ROWS, ids=len)
def test_heap_sort_moves_every_element_as_the_plain_one(keys):
    for few in (1, 7, len(keys) // 2, len(keys)):
        if 0 < few <= len(keys):

            def sort(rows, few=few):
                heap_sort(rows.keys, rows.indices, 0, few, len(keys))

            plain, fast = in_mode("plain", sort, keys), in_mode("fast", sort, keys)
            np.testing.assert_array_equal(plain, fast)
