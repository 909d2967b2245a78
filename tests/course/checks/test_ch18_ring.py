from __future__ import annotations

import pytest

from edutorch.course import CheckFailed
from edutorch.course.checks.ch18_ring import _ring, buckets, ring_all_reduce


def test_ring_ends_with_the_sum_at_every_rank():
    values = [[1, 2, 3], [10, 20, 30], [100, 200, 300]]
    assert _ring(values)[-1] == [[111, 222, 333]] * 3
    assert len(_ring(values)) == 4


def test_sums_without_a_ring_are_refused():
    def at_once(values):
        n = len(values)
        sums = [sum(column) for column in zip(*values, strict=True)]
        return [[sums] * n for _ in range(2 * (n - 1))]

    with pytest.raises(CheckFailed, match="every step shows the final table"):
        ring_all_reduce(at_once)


def test_one_bucket_for_all_is_refused():
    with pytest.raises(CheckFailed, match="everything is in one bucket"):
        buckets(lambda nbytes, _limit: [0] * len(nbytes))
