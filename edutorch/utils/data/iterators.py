"""One epoch of a DataLoader, in this process or by workers."""

from __future__ import annotations

import itertools
import warnings
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from ... import dtypes, events
from ...backends.gpus import gpus
from ...ops.create import empty
from .collate import pin_batch
from .fetch import FetchSettings
from .worker import END, FAILED, NEW_EPOCH, WorkerSettings
from .worker_pool import WorkerPool

__all__ = [
    "BaseDataLoaderIter", "MultiProcessingDataLoaderIter",
    "SingleProcessDataLoaderIter",
]  # fmt: skip


class BaseDataLoaderIter:
    """Base class of both kinds of iteration; `_next` makes a batch.

    Args:
        loader: the DataLoader; its settings at this moment hold for the iteration.
    """

    pytorch_name = ""  # of the class, as profiles show it

    def __init__(self, loader: Any) -> None:
        self.loader = loader
        self.fetch_settings = FetchSettings(
            loader.dataset,
            loader.collate_fn,
            loader.batch_sampler is not None,
            loader.drop_last,
            loader.iterable,
        )
        self.pins = _pins(loader)
        with _data_phase():
            self.indices = iter(loader.index_sampler)
            # Every epoch draws a base seed for workers, with or without workers: the
            # streams of a program must not depend on their number.
            seed = empty((), dtype=dtypes.int64).random_(generator=loader.generator)
        self.base_seed = int(seed.item())
        self._reset_counters()

    def _reset_counters(self) -> None:
        self.fetched = 0
        self.expected_length = self.loader.stream_length  # of the stream

    def __iter__(self) -> BaseDataLoaderIter:
        return self

    def __len__(self) -> int:
        return len(self.loader.index_sampler)

    def __getstate__(self) -> NoReturn:
        # PyTorch passes the name as a second argument, too, instead of formatting it.
        raise NotImplementedError("{} cannot be pickled", self.pytorch_name)

    def __next__(self) -> Any:
        with _data_phase(self.pytorch_name):
            batch = self._next()
        self.fetched += 1
        if self.fetch_settings.iterable:
            self._check_length()
        return pin_batch(batch) if self.pins else batch

    def _next(self) -> Any:
        raise NotImplementedError

    def _check_length(self) -> None:
        if self.expected_length is None or self.fetched <= self.expected_length:
            return
        text = (
            f"Length of IterableDataset {self.loader.dataset} was reported to be "
            f"{self.expected_length}(when accessing len(dataloader)), but "
            f"{self.fetched} samples have been fetched. "
        )
        if self.loader.num_workers:
            text += (
                "For multiprocessing data-loading, this could be caused by not "
                "properly configuring the IterableDataset replica at each worker. "
                "Please see https://pytorch.org/docs/stable/data.html"
                "#torch.utils.data.IterableDataset for examples."
            )
        warnings.warn(text, stacklevel=3)


class SingleProcessDataLoaderIter(BaseDataLoaderIter):
    """Loads batches in this process, on request."""

    pytorch_name = "_SingleProcessDataLoaderIter"

    def __init__(self, loader: Any) -> None:
        super().__init__(loader)
        if loader.timeout:
            raise AssertionError("_SingleProcessDataLoaderIter requires timeout == 0")
        self.fetcher = self.fetch_settings.fetcher()

    def _next(self) -> Any:
        return self.fetcher.fetch(next(self.indices))


class MultiProcessingDataLoaderIter(BaseDataLoaderIter):
    """Batches are made by worker processes, some ahead of time.

    Tasks are numbered and dealt to the workers in turn; batches are handed out in the
    order of the tasks. `owner` gives the worker of each task, `waiting` keeps what
    came before its turn.
    """

    pytorch_name = "_MultiProcessingDataLoaderIter"

    def __init__(self, loader: Any) -> None:
        super().__init__(loader)
        if loader.prefetch_factor <= 0:
            raise AssertionError(
                "prefetch_factor must be greater than 0 for "
                "MultiProcessingDataLoaderIter"
            )
        count = loader.num_workers
        settings = WorkerSettings(
            self.fetch_settings, self.base_seed, loader.worker_init_fn, count
        )
        self.pool = WorkerPool(settings, loader.multiprocessing_context, loader.timeout)
        self._end = weakref.finalize(self, self.pool.end)
        self._reset()

    def _reset(self) -> None:
        count = self.loader.num_workers
        self.indices = iter(self.loader.index_sampler)
        self._reset_counters()
        self.sent = self.turn = 0
        self.owner: dict[int, int] = {}
        self.waiting: dict[int, Any] = {}
        self.busy = [True] * count  # streams come to their end one by one
        self.owed = [0] * count
        self.circle = itertools.cycle(range(count))
        for _ in range(self.loader.prefetch_factor * count):
            self._assign_tasks()

    @property
    def ended(self) -> bool:
        """Whether the workers have ended."""
        return not self.pool.workers

    def restart(self) -> None:
        """Begin a new epoch with the same workers."""
        with _data_phase():
            self.pool.start_epoch(range(len(self.pool.workers)))
            self._reset()

    def _assign_tasks(self) -> None:
        """Give the next task to the worker whose turn it is."""
        try:
            index = next(self.indices)
        except StopIteration:
            return
        worker = self._next_worker()
        if worker is None:
            return
        self.pool.send(worker, self.sent, index)
        self.owner[self.sent] = worker
        self.owed[worker] += 1
        self.sent += 1

    def _next_worker(self) -> int | None:
        most = self.loader.prefetch_factor * len(self.busy)
        for _ in self.busy:
            worker = next(self.circle)
            if not self.busy[worker]:
                continue
            if self.loader.in_order or self.owed[worker] < most // sum(self.busy):
                return worker
        return None

    def _next(self) -> Any:
        while True:
            if not self._advance_turn():
                if not self.loader.persistent_workers:
                    self._end()
                raise StopIteration
            if self.turn in self.waiting:
                return self._deliver(self.turn, *self.waiting.pop(self.turn))
            kind, task, value = self._receive()
            if kind == NEW_EPOCH:
                continue
            if kind == END:
                self.busy[self.owner[task]] = False
                self._assign_tasks()
            elif task == self.turn or not self.loader.in_order:
                return self._deliver(task, kind, value)
            else:
                self.waiting[task] = kind, value

    def _advance_turn(self) -> bool:
        """Advance to the next task that will be finished; False if there is none."""
        while self.turn < self.sent:
            worker = self.owner.get(self.turn)
            if worker is not None and (self.turn in self.waiting or self.busy[worker]):
                return True
            self.owner.pop(self.turn, None)  # its worker's stream has ended
            self.turn += 1
        return False

    def _receive(self) -> tuple[str, int, Any]:
        owing = sorted({w for w in self.owner.values() if self.busy[w]})
        try:
            return self.pool.receive(owing)
        except KeyboardInterrupt:
            self.pool.end(0.0)
            raise

    def _deliver(self, task: int, kind: str, value: Any) -> Any:
        """Return a batch, and assign another task to the workers."""
        self.owed[self.owner.pop(task)] -= 1
        self.turn += task == self.turn
        self._assign_tasks()
        if kind == FAILED:
            value.reraise()
        return value


def _pins(loader: Any) -> bool:
    """Whether batches go to page-locked memory."""
    if not loader.pin_memory:
        return False
    if loader.pin_memory_device:
        warnings.warn(
            "pin_memory_device is deprecated, the current accelerator will be used as "
            f"the device,ignore pin_memory_device='{loader.pin_memory_device}'.",
            stacklevel=4,
        )
    if gpus() is None:
        warnings.warn(
            "'pin_memory' argument is set as true but no accelerator is found, then "
            "device pinned memory won't be used.",
            stacklevel=4,
        )
        return False
    return True


@contextmanager
def _data_phase(name: str = "") -> Iterator[None]:
    """Run a block in the phase "data".

    Args:
        name: the iteration's class, to report the time a batch takes.
    """
    started = events.clock() if name and events.hears_spans else 0
    before, events.thread_local.state.phase = events.thread_local.state.phase, "data"
    try:
        yield
    finally:
        events.thread_local.state.phase = before
        if started:
            events.span(f"enumerate(DataLoader)#{name}.__next__", "data", started)
