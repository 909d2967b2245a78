"""From indices to a batch."""

from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.utils.data import TensorDataset, default_collate
from edutorch.utils.data.fetch import FetchSettings


def fetcher(data, batched=True, drop_last=False, iterable=False):
    return FetchSettings(data, list, batched, drop_last, iterable).fetcher()


def test_items_come_in_the_order_of_their_indices():
    assert fetcher("abc").fetch([2, 0]) == ["c", "a"]


def test_single_item_is_collated_alone():
    assert fetcher(["ab", "cd"], batched=False).fetch(1) == ["c", "d"]


def test_items_at_once_are_asked_for_where_that_is_possible():
    class Many(list):
        def __getitems__(self, indices):
            return [f"{i}!" for i in indices]

    assert fetcher(Many("abc")).fetch([1, 2]) == ["1!", "2!"]


@pytest.mark.parametrize("drop_last", [False, True])
def test_stream_ends_with_a_short_batch_or_none(drop_last):
    stream = fetcher(range(3), drop_last=drop_last, iterable=True)
    found = [stream.fetch([None] * 2)]
    if not drop_last:
        found.append(stream.fetch([None] * 2))
    for _ in range(2):
        with pytest.raises(StopIteration):
            stream.fetch([None] * 2)
    assert found == [[0, 1], [2]][: len(found)]


def test_stream_without_batches_gives_items():
    stream = fetcher(["ab", "c"], batched=False, iterable=True)
    assert stream.fetch(None) == ["a", "b"]


@pytest.mark.parametrize("index", [[2, 0, 2], [-1, 1], [np.int64(1)], [1.0], [3], []])
def test_rows_of_tensors_are_batches_as_by_items(index):
    data = TensorDataset(torch.arange(6.0).reshape(3, 2), torch.arange(3))
    settings = FetchSettings(data, default_collate, True, False, False)

    def batch():
        try:
            return [t.tolist() for t in settings.fetcher().fetch(index)]
        except (IndexError, TypeError) as error:
            return type(error), str(error)

    with torch.config.kernels("plain"):
        expected = batch()
    assert batch() == expected


def test_rows_of_tensors_keep_their_gradient():
    w = torch.ones(3, requires_grad=True)
    settings = FetchSettings(TensorDataset(w), default_collate, True, False, False)
    settings.fetcher().fetch([0, 2])[0].sum().backward()
    assert w.grad.tolist() == [1.0, 0.0, 1.0]
