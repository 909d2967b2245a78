"""DataLoader: batches of a data set, in order or shuffled."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

from .argument_checks import (
    check_context,
    check_iterable_options,
    check_order,
    check_workers,
    warn_many,
)
from .collate import default_collate, default_convert
from .dataset import IterableDataset
from .iterators import (
    BaseDataLoaderIter,
    MultiProcessingDataLoaderIter,
    SingleProcessDataLoaderIter,
)
from .sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler
from .worker import get_worker_info

__all__ = ["DataLoader", "default_collate", "default_convert", "get_worker_info"]

T = TypeVar("T")
# Attributes that a running iteration relies on.
FIXED = (
    "batch_size", "batch_sampler", "sampler", "drop_last", "dataset",
    "persistent_workers",
)  # fmt: skip


class _InfiniteSampler(Sampler[None]):
    """The indices of an iterable data set, which do not choose items."""

    def __iter__(self) -> Iterator[None]:
        return itertools.repeat(None)


class DataLoader(Generic[T]):
    """Batches of a data set.

    Args:
        batch_size: samples in a batch; None gives single samples as they are.
        shuffle: a new random order in every epoch.
        sampler: the order of samples; `batch_sampler`: batches of indices.
        num_workers: processes that make batches ahead of time; with 0, this process
            makes them.
        collate_fn: makes a batch of a list of samples.
        pin_memory: put the tensors of batches into page-locked memory, for a GPU.
        drop_last: drop the last batch if it is not full.
        timeout: seconds to wait for workers; 0 waits forever.
        worker_init_fn: called with the worker's number when a worker begins.
        multiprocessing_context: how workers start: "fork", "spawn" or a context.
        generator: the source of orders and of the workers' seeds.
        prefetch_factor: batches that each worker makes ahead of time; 2 if None.
        persistent_workers: keep the workers for the next epoch.
        in_order: False hands out batches as they come from the workers.

    Raises:
        ValueError: for arguments that contradict each other.
        RuntimeError: in the loop, if a worker dies or takes too long. An exception in
            a worker is raised in the loop, with the worker's traceback as its text.

    Example:
        >>> import edutorch as torch
        >>> for batch in torch.utils.data.DataLoader(torch.arange(5), batch_size=2):
        ...     print(batch)
        tensor([0, 1])
        tensor([2, 3])
        tensor([4])
    """

    _fixed = False

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        batch_sampler: Any = None,
        num_workers: int = 0,
        collate_fn: Any = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Any = None,
        multiprocessing_context: Any = None,
        generator: Any = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        check_workers(num_workers, timeout, prefetch_factor, persistent_workers)
        self.num_workers = num_workers
        self.multiprocessing_context = multiprocessing_context
        self.iterable = isinstance(dataset, IterableDataset)
        if self.iterable:
            check_iterable_options(shuffle, sampler, batch_sampler)
        check_order(batch_size, shuffle, sampler, batch_sampler, drop_last)
        if batch_sampler is not None:
            batch_size, drop_last = None, False
        if sampler is None:
            sampler = self._order(dataset, shuffle, generator)
        if batch_size is not None and batch_sampler is None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.dataset, self.generator = dataset, generator
        self.pin_memory, self.pin_memory_device = pin_memory, pin_memory_device
        self.timeout, self.worker_init_fn = timeout, worker_init_fn
        self.prefetch_factor = prefetch_factor
        if num_workers and prefetch_factor is None:
            self.prefetch_factor = 2
        self.persistent_workers, self.in_order = persistent_workers, in_order
        self.batch_size, self.drop_last = batch_size, drop_last
        self.sampler, self.batch_sampler = sampler, batch_sampler
        self.collate_fn = collate_fn or (
            default_convert if batch_sampler is None else default_collate
        )
        self.stream_length: int | None = None  # `len()` of an iterable data set
        self._iterator: MultiProcessingDataLoaderIter | None = None
        self._fixed = True
        warn_many(num_workers)

    def _order(self, dataset: Any, shuffle: Any, generator: Any) -> Sampler[Any]:
        """The order of the data set if there is no sampler."""
        if self.iterable:
            return _InfiniteSampler()
        if shuffle:
            return RandomSampler(dataset, generator=generator)
        return SequentialSampler(dataset)

    def __setattr__(self, name: str, value: Any) -> None:
        if self._fixed and name in FIXED:
            raise ValueError(
                f"{name} attribute should not be set after {type(self).__name__} is "
                "initialized"
            )
        super().__setattr__(name, value)

    @property
    def multiprocessing_context(self) -> Any:
        """The start method of worker processes; None for the default."""
        return self._context

    @multiprocessing_context.setter
    def multiprocessing_context(self, context: Any) -> None:
        self._context = check_context(context, self.num_workers)

    @property
    def index_sampler(self) -> Any:
        """The sampler of indices, or of batches of indices."""
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    def __iter__(self) -> BaseDataLoaderIter:
        if self.num_workers == 0:
            return SingleProcessDataLoaderIter(self)
        iterator = self._iterator if self.persistent_workers else None
        if iterator is not None and not iterator.ended:
            iterator.restart()
            return iterator
        warn_many(self.num_workers)
        iteration = MultiProcessingDataLoaderIter(self)
        if self.persistent_workers:
            self._iterator = iteration
        return iteration

    def __len__(self) -> int:
        if not self.iterable:
            return len(self.index_sampler)
        n = self.stream_length = len(self.dataset)
        if self.batch_size is None:
            return n
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)
