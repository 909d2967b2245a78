"""The order of equal elements: many rows at a time against one step at a time."""

from itertools import pairwise

import numpy as np
import pytest

from edutorch.kernels.introsort import INSERTION, Rows, introselect, introsort


def one_by_one(keys):
    """The places that introsort leaves in a row, with two fingers and no depth limit."""
    items = [(int(k), i) for i, k in enumerate(keys)]

    def divide(first, last):
        while last - first > INSERTION:
            cut = one_partition(items, first, last)
            divide(cut, last)
            last = cut

    divide(0, len(items))
    return [place for _, place in sorted(items, key=lambda item: item[0])]


def one_partition(items, first, last):
    """Hoare's partition, finger by finger, with the median of three as pivot."""
    trio = sorted([first + 1, (first + last) // 2, last - 1], key=lambda i: items[i][0])
    median = tied_median(items, first, last) or trio[1]
    items[first], items[median] = items[median], items[first]
    pivot, i, j = items[first][0], first + 1, last - 1
    while True:
        while items[i][0] < pivot:
            i += 1
        while pivot < items[j][0]:
            j -= 1
        if i >= j:
            return i
        items[i], items[j] = items[j], items[i]
        i, j = i + 1, j - 1


def tied_median(items, first, last):
    """Which of three is taken where two of them are equal."""
    a, b, c = first + 1, (first + last) // 2, last - 1
    x, y, z = (items[i][0] for i in (a, b, c))
    if len({x, y, z}) == 3:
        return None
    if x < y:
        return b if y < z else c if x < z else a
    return a if x < z else c if y < z else b


def sorted_rows(keys):
    r, n = keys.shape
    rows = Rows(keys.reshape(-1).astype(np.int32), np.tile(np.arange(n), r))
    first = np.arange(r) * n
    introsort(rows, first, first + n)
    return rows.indices.reshape(keys.shape)


def test_introsort_of_stored_booleans_is_pytorch_s():
    keys = np.arange(20)[None] % 3 == 0
    expected = [10, 19, 17, 16, 14, 13, 11, 8, 7, 5, 4, 2, 1, 9, 0, 6, 12, 15, 3, 18]
    assert sorted_rows(keys).tolist() == [expected]


@pytest.mark.parametrize("n", [1, 2, 16, 17, 40, 133, 1000])
@pytest.mark.parametrize("values", [2, 5, 60])
def test_introsort_many_rows_at_once_equals_one_step_at_a_time(n, values):
    keys = np.random.default_rng(n).integers(0, values, (7, n))
    expected = [one_by_one(row) for row in keys]
    assert sorted_rows(keys).tolist() == expected


def killer(n):
    """A row that the median of three halves as badly as can be (Musser's sequence)."""
    row = np.zeros(n, int)
    for i in range(1, n // 2 + 1):
        if i % 2:
            row[i - 1], row[i] = i, n // 2 + i
        row[n // 2 + i - 1] = 2 * i
    return row


def test_introsort_halved_badly_falls_back_to_a_heap_and_sorts():
    keys = killer(2000)[None] // 2
    places = sorted_rows(keys)[0]
    assert sorted(places) == list(range(2000))
    ordered = keys[0][places]
    assert all(x <= y for x, y in pairwise(ordered))


@pytest.mark.parametrize("k", [0, 3, 20, 59])
def test_introselect_separates_the_lesser_from_the_greater(k):
    keys = np.random.default_rng(k).integers(0, 9, (5, 60)).astype(np.int32)
    rows = Rows(keys.reshape(-1).copy(), np.tile(np.arange(60), 5))
    first = np.arange(5) * 60
    introselect(rows, first, first + k, first + 60)
    for row, old in zip(rows.keys.reshape(5, 60), keys, strict=True):
        assert row[k] == np.sort(old)[k]
        assert (row[:k] <= row[k]).all()
        assert (row[k:] >= row[k]).all()
