"""DataLoader: batches of a data set, in order or shuffled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ... import dtypes, events
from ...ops.create import empty
from .collate import default_collate, default_convert
from .dataset import IterableDataset
from .sampler import BatchSampler, RandomSampler, SequentialSampler

__all__ = ["DataLoader", "get_worker_info"]

# What an iteration that is under way relies on.
FIXED = (
    "batch_size", "batch_sampler", "sampler", "drop_last", "dataset",
    "persistent_workers",
)  # fmt: skip


def get_worker_info() -> None:
    """None: samples are made in this process, not in a worker.

    Example:
        >>> import edutorch as torch
        >>> print(torch.utils.data.get_worker_info())
        None
    """
    return None  # noqa: RET501 (there are no worker processes yet)


def _check_workers(n: int, timeout: float, prefetch: Any, persistent: bool) -> None:
    """Refuse what makes sense for worker processes only, and workers themselves."""
    if n < 0:
        raise ValueError(
            "num_workers option should be non-negative; use num_workers=0 to disable "
            "multiprocessing."
        )
    if timeout < 0:
        raise ValueError("timeout option should be non-negative")
    if n > 0:
        raise NotImplementedError(
            f"DataLoader(num_workers={n}): loading in worker processes is not there "
            "yet. Hint: num_workers=0 gives the same batches."
        )
    if prefetch is not None:
        raise ValueError(
            "prefetch_factor option could only be specified in multiprocessing.let "
            "num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor "
            "to None."
        )
    if persistent:
        raise ValueError("persistent_workers option needs num_workers > 0")


def _check_stream(shuffle: Any, sampler: Any, batch_sampler: Any) -> None:
    """Refuse to order what comes as a stream."""
    given = {"shuffle": shuffle, "sampler": sampler, "batch_sampler": batch_sampler}
    for name, value in given.items():
        if value if name == "shuffle" else value is not None:
            raise ValueError(
                "DataLoader with IterableDataset: expected unspecified "
                f"{name} option, but got {name}={value}"
            )


def _check_order(
    batch_size: Any, shuffle: Any, sampler: Any, batch_sampler: Any, drop_last: bool
) -> None:
    """Refuse orders and batches that contradict each other."""
    if sampler is not None and shuffle:
        raise ValueError("sampler option is mutually exclusive with shuffle")
    if batch_sampler is not None:
        if batch_size != 1 or shuffle or sampler is not None or drop_last:
            raise ValueError(
                "batch_sampler option is mutually exclusive with batch_size, shuffle, "
                "sampler, and drop_last"
            )
    elif batch_size is None and drop_last:
        raise ValueError(
            "batch_size=None option disables auto-batching and is mutually exclusive "
            "with drop_last"
        )


class DataLoader:
    """Batches of a data set.

    Args:
        batch_size: samples in a batch; None gives single samples as they are.
        shuffle: a new random order in every epoch.
        sampler: an order of one's own; `batch_sampler`: batches of indices.
        num_workers: 0, the samples are made in this process.
        collate_fn: makes a batch of a list of samples.
        drop_last: leave out a last batch that is not full.

    Raises:
        ValueError: for arguments that contradict each other.

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
        _check_workers(num_workers, timeout, prefetch_factor, persistent_workers)
        streams = isinstance(dataset, IterableDataset)
        if streams:
            _check_stream(shuffle, sampler, batch_sampler)
        _check_order(batch_size, shuffle, sampler, batch_sampler, drop_last)
        if batch_sampler is not None:
            batch_size, drop_last = None, False
        if sampler is None and not streams:
            sampler = (
                RandomSampler(dataset, generator=generator)
                if shuffle
                else SequentialSampler(dataset)
            )
        if batch_size is not None and batch_sampler is None and not streams:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        batched = batch_size is not None or batch_sampler is not None
        self.dataset, self.generator = dataset, generator
        self.num_workers, self.pin_memory = num_workers, pin_memory
        self.timeout, self.worker_init_fn = timeout, worker_init_fn
        self.prefetch_factor = prefetch_factor
        self.persistent_workers = persistent_workers
        self.batch_size, self.drop_last = batch_size, drop_last
        self.sampler, self.batch_sampler = sampler, batch_sampler
        self.collate_fn = collate_fn or (
            default_collate if batched else default_convert
        )
        self._iterable = streams
        self._fixed = True

    def __setattr__(self, name: str, value: Any) -> None:
        if self._fixed and name in FIXED:
            raise ValueError(
                f"{name} attribute should not be set after {type(self).__name__} is "
                "initialized"
            )
        super().__setattr__(name, value)

    def __iter__(self) -> Iterator[Any]:
        # Every epoch draws a base seed for workers, with or without workers: the
        # streams of a program must not depend on their number.
        with _as_data():
            empty((), dtype=dtypes.int64).random_(generator=self.generator)
        return _announced(self._stream() if self._iterable else self._batches())

    def _batches(self) -> Iterator[Any]:
        data, collate = self.dataset, self.collate_fn
        if self.batch_sampler is None:
            for index in self.sampler:
                yield collate(data[index])
            return
        many = getattr(data, "__getitems__", None)
        for indices in self.batch_sampler:
            yield collate(many(indices) if many else [data[i] for i in indices])

    def _stream(self) -> Iterator[Any]:
        items = iter(self.dataset)
        if self.batch_size is None:
            yield from map(self.collate_fn, items)
            return
        batch: list[Any] = []
        for item in items:
            batch.append(item)
            if len(batch) == self.batch_size:
                yield self.collate_fn(batch)
                batch = []
        if batch and not self.drop_last:
            yield self.collate_fn(batch)

    def __len__(self) -> int:
        if not self._iterable:
            return len(
                self.sampler if self.batch_sampler is None else self.batch_sampler
            )
        n = len(self.dataset)
        if self.batch_size is None:
            return n
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)


@contextmanager
def _as_data() -> Iterator[None]:
    """A phase of its own: cutting batches out of the data is not the model."""
    before, events.place.phase = events.place.phase, "data"
    try:
        yield
    finally:
        events.place.phase = before


def _announced(batches: Iterator[Any]) -> Iterator[Any]:
    """The batches, each made in the phase of data."""
    while True:
        try:
            with _as_data():
                batch = next(batches)
        except StopIteration:
            return
        yield batch
