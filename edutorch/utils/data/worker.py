"""A worker process of a DataLoader: receives indices, sends back batches.

Two threads: one listens to the loader, and ends the process when that is gone, even
if an item takes forever; the main thread makes batches.
"""

from __future__ import annotations

import os
import random
import signal
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import parent_process
from queue import SimpleQueue
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ...backends.threads import set_num_threads
from ...exception_wrapper import WorkerException
from ...ops.sampling import manual_seed
from .fetch import FetchSettings
from .messages import pack_message, send

__all__ = [
    "BATCH", "END", "FAILED", "NEW_EPOCH", "TASK", "WorkerInfo", "WorkerSettings",
    "get_worker_info", "loaders_ends", "worker_main",
]  # fmt: skip

# Messages to workers: (TASK, number, indices), (NEW_EPOCH, None, None); None ends them.
# Messages from workers: (BATCH, number, batch), (FAILED, number, WorkerException),
# (END, number, None) of an iterable data set, and (NEW_EPOCH, None, None).
TASK, NEW_EPOCH, BATCH, FAILED, END = "task", "new_epoch", "batch", "failed", "end"
# The loader's ends of all pipes, which a forked worker inherits and must close:
# as long as one is open, the end of the loader goes unnoticed.
loaders_ends: weakref.WeakSet[Connection] = weakref.WeakSet()
_info: WorkerInfo | None = None


@dataclass
class WorkerInfo:
    """Information about a worker process.

    Attributes:
        id: from 0.
        num_workers: how many there are.
        seed: of this worker's random numbers.
        dataset: this worker's copy of the data set.
    """

    id: int
    num_workers: int
    seed: int
    dataset: Any
    rng: Any = None
    worker_method: str | None = "multiprocessing"


class WorkerSettings(NamedTuple):
    """The settings shared by all workers of a loader."""

    fetching: FetchSettings
    base_seed: int
    start: Callable[[int], object] | None
    workers: int


def get_worker_info() -> WorkerInfo | None:
    """Information about this worker process; None in the main process.

    Example:
        >>> import edutorch as torch
        >>> print(torch.utils.data.get_worker_info())
        None
    """
    return _info


def worker_main(
    settings: WorkerSettings, number: int, tasks: Connection, results: Connection
) -> None:
    """The main function of a worker process."""
    for end in list(loaders_ends):
        end.close()
    # Ctrl-C reaches every process of a terminal; the loader's ends the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    set_num_threads(1)
    _seed(settings.base_seed, number)
    global _info
    seed = settings.base_seed + number
    _info = WorkerInfo(number, settings.workers, seed, settings.fetching.dataset)
    inbox: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_listen, args=(tasks, inbox), daemon=True).start()
    _make_batches(settings, number, inbox, results)


def _seed(base: int, number: int) -> None:
    """Seed the random generators of Python, NumPy and this library."""
    random.seed(base + number)
    manual_seed(base + number)
    words = [number, base & 0xFFFFFFFF, base >> 32, 0]
    np.random.seed(np.random.SeedSequence(words).generate_state(4))  # noqa: NPY002  # the global generator


def _listen(tasks: Connection, inbox: SimpleQueue[Any]) -> None:
    """Receive messages at once: a loader blocked in sending reads no batches."""
    parent = parent_process()
    alive = [] if parent is None else [parent.sentinel]
    while True:
        try:
            ready = wait([tasks, *alive])
            message = tasks.recv() if tasks in ready else _exit_now()
        except (EOFError, OSError):
            _exit_now()
        inbox.put(message)
        if message is None:
            return


def _exit_now() -> NoReturn:
    """End the process at once: the loader is gone."""
    os._exit(1)


def _make_batches(
    settings: WorkerSettings, number: int, inbox: Any, results: Connection
) -> None:
    """Make batches until a None comes."""
    where = f"in DataLoader worker process {number}"
    ended = False
    fetch = _create_fetcher(
        settings, where, lambda: settings.start and settings.start(number)
    )
    while (message := inbox.get()) is not None:
        kind, task, index = message
        if kind == NEW_EPOCH:
            fetch, ended = _create_fetcher(settings, where), False
            _send(results, (NEW_EPOCH, None, None), where)
        elif not ended:
            kind, value = _try_fetch(fetch, index, settings.fetching.iterable, where)
            ended = kind == END
            _send(results, (kind, task, value), where)


def _create_fetcher(
    settings: WorkerSettings, where: str, prepare: Any = None
) -> Callable[[Any], Any]:
    """The fetcher of this worker, or the failure of creating it."""
    try:
        if prepare is not None:
            prepare()
        return settings.fetching.fetcher().fetch
    except Exception as error:  # noqa: BLE001 (raised where the loop is)
        failure = WorkerException(error, where)
        return lambda _: failure


def _try_fetch(fetch: Any, index: Any, iterable: bool, where: str) -> tuple[str, Any]:
    """A batch, the failure to make one, or the end of an iterable data set."""
    try:
        batch = fetch(index)
    except Exception as error:  # noqa: BLE001 (raised where the loop is)
        if iterable and isinstance(error, StopIteration):
            return END, None
        batch = WorkerException(error, where)
    return FAILED if isinstance(batch, WorkerException) else BATCH, batch


def _send(results: Connection, answer: tuple[str, Any, Any], where: str) -> None:
    """Send an answer, or the reason why it cannot be pickled."""
    try:
        message = pack_message(answer)
    except Exception as error:  # noqa: BLE001 (raised where the loop is)
        _, task, value = answer
        described = (
            value
            if isinstance(value, WorkerException)
            else WorkerException(error, where)
        )
        message = pack_message((FAILED, task, _sendable(described)))
    try:
        send(results, message)
    except BrokenPipeError:
        _exit_now()


def _sendable(failure: WorkerException) -> WorkerException:
    """A failure whose exception type can be pickled."""
    try:
        pack_message(failure)
    except Exception:  # noqa: BLE001 (its type belongs to this process)
        return failure.picklable()
    return failure
