"""Heaps that sort and select."""

import numpy as np
import pytest

from edutorch.kernels.heapsort import heap_select, heap_sort


@pytest.mark.parametrize("middle", [4, 5, 18, 37])
def test_heap_sort_puts_the_least_of_a_part_in_order_and_leaves_the_rest(middle):
    keys = np.random.default_rng(1).integers(0, 12, 40)
    places = np.arange(40)
    before = keys.copy()
    heap_sort(keys, places, 3, middle, 37)
    assert keys[3:middle].tolist() == np.sort(before[3:37])[: middle - 3].tolist()
    assert (keys == before[places]).all()
    assert places[:3].tolist() == [0, 1, 2]


def test_heap_select_leaves_the_greatest_of_the_least_in_front():
    keys = np.array([5, 1, 4, 1, 3, 9, 0, 2])
    heap_select(keys, np.arange(8), 0, 4, 8)
    assert keys[0] == 2
    assert sorted(keys[:4]) == [0, 1, 1, 2]
