"""From indices to a batch."""

from __future__ import annotations

import pytest

from edutorch.utils.data.fetch import FetchSettings


def fetcher(data, batched=True, drop_last=False, streams=False):
    return FetchSettings(data, list, batched, drop_last, streams).fetcher()


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
    stream = fetcher(range(3), drop_last=drop_last, streams=True)
    found = [stream.fetch([None] * 2)]
    if not drop_last:
        found.append(stream.fetch([None] * 2))
    for _ in range(2):
        with pytest.raises(StopIteration):
            stream.fetch([None] * 2)
    assert found == [[0, 1], [2]][: len(found)]


def test_stream_without_batches_gives_items():
    stream = fetcher(["ab", "c"], batched=False, streams=True)
    assert stream.fetch(None) == ["a", "b"]
