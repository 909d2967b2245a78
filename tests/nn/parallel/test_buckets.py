"""Which gradients travel together."""

from __future__ import annotations

import edutorch as torch
from edutorch.nn.parallel.buckets import Bucket, assign_buckets


def test_last_parameters_come_first_and_full_buckets_are_closed():
    parameters = [torch.zeros(n) for n in (8, 1, 1, 8)]
    assert assign_buckets(parameters, cap=32, first=32) == [[3], [2, 1, 0]]
    assert assign_buckets(parameters, cap=1, first=1) == [[3], [2], [1], [0]]


def test_kinds_of_numbers_do_not_share_a_bucket():
    parameters = [torch.zeros(2), torch.zeros(2, dtype=torch.float64), torch.zeros(2)]
    assert assign_buckets(parameters, cap=1000) == [[2, 0], [1]]


def test_places_of_gradients_lie_one_after_the_other():
    parameters = [torch.zeros(2, 2), torch.zeros(3)]
    bucket = Bucket([1, 0], parameters)
    bucket.buffer.copy_(torch.arange(7.0))
    assert bucket.views[1].tolist() == [0, 1, 2]
    assert bucket.views[0].tolist() == [[3, 4], [5, 6]]
    assert bucket.pending == {0, 1}
