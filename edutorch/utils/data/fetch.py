"""Fetching: a batch from its indices, with and without workers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...tensor.tensor import Tensor, wrap
from .collate import default_collate, is_plain, must_run_ops
from .dataset import TensorDataset

__all__ = ["MapDatasetFetcher", "IterableDatasetFetcher", "FetchSettings"]


class FetchSettings(NamedTuple):
    """The settings for fetching and collating a batch."""

    dataset: Any
    collate: Callable[[Any], Any]
    batched: bool
    drop_last: bool
    iterable: bool

    def fetcher(self) -> MapDatasetFetcher | IterableDatasetFetcher:
        """A fetcher for a new epoch: iterable data sets start over."""
        return (
            IterableDatasetFetcher(self) if self.iterable else MapDatasetFetcher(self)
        )


class MapDatasetFetcher:
    """Batches of a data set with numbered items."""

    def __init__(self, settings: FetchSettings) -> None:
        self.settings = settings

    def fetch(self, index: Any) -> Any:
        """The batch of a list of indices; the item of one index without batches."""
        dataset, collate = self.settings.dataset, self.settings.collate
        if not self.settings.batched:
            return collate(dataset[index])
        if collate is default_collate and type(dataset) is TensorDataset:
            rows = _take_rows(dataset, index)
            if rows is not None:
                return rows
        many = getattr(dataset, "__getitems__", None)
        return collate(many(index) if many else [dataset[i] for i in index])


def _take_rows(dataset: TensorDataset, indices: Any) -> list[Tensor] | None:
    """Collate items by a single lookup in each tensor.

    None if the items themselves must be indexed: operations have observers, a gradient
    may flow, or an index is not the number of an item.
    """
    n, tensors = len(dataset), dataset.tensors
    usual = type(indices) is list and len(indices) > 0
    usual = usual and all(type(i) is int and 0 <= i < n for i in indices)
    if not usual or must_run_ops() or not all(map(is_plain, tensors)):
        return None
    return [wrap(np.take(t._data, indices, 0)) for t in tensors]


class IterableDatasetFetcher:
    """Batches of an iterable data set: indices only give the number of items.

    Raises:
        StopIteration: from `fetch`, at the end of the data set.
    """

    def __init__(self, settings: FetchSettings) -> None:
        self.settings = settings
        self.items = iter(settings.dataset)
        self.ended = False

    def fetch(self, index: Any) -> Any:
        """The next batch, shorter at the end unless that is dropped."""
        if self.ended:
            raise StopIteration
        if not self.settings.batched:
            return self.settings.collate(next(self.items))
        batch: list[Any] = []
        for _ in index:
            try:
                batch.append(next(self.items))
            except StopIteration:
                self.ended = True
                break
        short = len(batch) < len(index)
        if not batch or (short and self.settings.drop_last):
            raise StopIteration
        return self.settings.collate(batch)
