"""Fetching: from indices to a batch, with and without workers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["FetchItems", "FetchStream", "FetchSettings"]


class FetchSettings(NamedTuple):
    """How a batch is fetched and collated."""

    dataset: Any
    collate: Callable[[Any], Any]
    batched: bool
    drop_last: bool
    streams: bool

    def fetcher(self) -> FetchItems | FetchStream:
        """A fetcher for a new epoch: streams start over."""
        return FetchStream(self) if self.streams else FetchItems(self)


class FetchItems:
    """Batches of a data set with numbered items."""

    def __init__(self, recipe: FetchSettings) -> None:
        self.recipe = recipe

    def fetch(self, index: Any) -> Any:
        """The batch of a list of indices; the item of one index without batches."""
        dataset, collate = self.recipe.dataset, self.recipe.collate
        if not self.recipe.batched:
            return collate(dataset[index])
        many = getattr(dataset, "__getitems__", None)
        return collate(many(index) if many else [dataset[i] for i in index])


class FetchStream:
    """Batches of a stream: indices only give the number of items.

    Raises:
        StopIteration: from `fetch`, at the end of the stream.
    """

    def __init__(self, recipe: FetchSettings) -> None:
        self.recipe = recipe
        self.items = iter(recipe.dataset)
        self.ended = False

    def fetch(self, index: Any) -> Any:
        """The next batch, shorter at the end unless that is dropped."""
        if self.ended:
            raise StopIteration
        if not self.recipe.batched:
            return self.recipe.collate(next(self.items))
        batch: list[Any] = []
        for _ in index:
            try:
                batch.append(next(self.items))
            except StopIteration:
                self.ended = True
                break
        short = len(batch) < len(index)
        if not batch or (short and self.recipe.drop_last):
            raise StopIteration
        return self.recipe.collate(batch)
