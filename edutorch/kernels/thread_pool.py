"""One thread pool for kernels that release the global interpreter lock.

The caller works, too, and never waits for a thread that has not begun: one that wakes
up late finds nothing left. Nested calls, concurrent calls and calls in a forked
process run serially in the calling thread.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import nullcontext
from itertools import count, pairwise
from queue import SimpleQueue
from typing import Any

from numpy import ndarray

from edutorch.backends.processors import current_processor, move_off
from edutorch.backends.threads import blas_threads, get_num_threads
from edutorch.config import plain
from edutorch.free_cores import cores

__all__ = ["BLOCKS", "parallel_blocks", "parallel_for", "parallel_for_array"]

MIN_NANOSECONDS = 200_000  # for less work, waking a thread costs more than it saves
BLOCKS = 8

Task = Callable[[int], object]


class _Job:
    """Tasks 0 ... n - 1 of a parallel loop.

    Each thread has a chunk of neighbouring tasks, and then takes tasks left by others.
    So it mostly reads the part of an array that it has written, which is in its core's
    cache.
    """

    def __init__(self, task: Task, n: int, threads: int) -> None:
        self.task, self.n = task, n
        self.processors = {current_processor()}  # in use by threads of this job
        ends = [n * i // threads for i in range(threads + 1)]
        self.chunks = [(count(first).__next__, end) for first, end in pairwise(ends)]
        self.done = count(1).__next__
        self.error: BaseException | None = None
        self.over = False  # for the caller, who may have been interrupted
        self.finished = threading.Lock()
        self.finished.acquire()

    def work(self, thread: int) -> None:
        """Do the chunk of a thread (0: the caller), then tasks left by others."""
        if thread:
            move_off(self.processors)
        for take, end in self.chunks[thread:] + self.chunks[:thread]:
            while (i := take()) < end:
                try:
                    if self.error is None:  # after one, or Ctrl-C, the rest is left out
                        self.task(i)
                except BaseException as error:  # noqa: BLE001 (raised in the caller)
                    self.error = error
                if self.done() == self.n:
                    self.finished.release()


_queues: list[SimpleQueue[_Job]] = []
_lock = threading.Lock()
_current: _Job | None = None  # the last job; the pool is free when it is over
_forked = False  # then this process has none of the threads


def parallel_for(task: Task, n: int, *, uses_blas: bool, serial: bool = False) -> None:
    """Call `task(i)` for i = 0 ... n - 1, in any order, in several threads.

    Args:
        task: the function to call.
        n: how many times.
        uses_blas: whether `task` multiplies matrices. BLAS then computes each product
            on one thread, instead of starting threads of its own in every task.
            Switching this on and off takes 10 microseconds.
        serial: whether to call it in this thread only, in order.

    Example:
        >>> done = [0] * 4
        >>> parallel_for(lambda i: done.__setitem__(i, i * i), 4, uses_blas=False)
        >>> done
        [0, 1, 4, 9]
    """
    threads = 1 if serial or n < 2 else get_num_threads()
    if threads > 1 and not (_forked or plain()):
        threads = min(cores.threads(threads), n)
        if threads == 1:  # other processes take the cores
            with blas_threads(1) if uses_blas else nullcontext():
                for i in range(n):
                    task(i)
            return
        job = _Job(task, n, threads)
        try:  # the pool is freed even after an interrupt
            if _try_acquire(job):
                _start_threads(threads - 1)
                with blas_threads(1) if uses_blas else nullcontext():
                    for queue in _queues[: threads - 1]:
                        queue.put(job)
                    job.work(0)
                    job.finished.acquire()
                if job.error is not None:
                    raise job.error
                return
        finally:
            job.over = True
            _release(job)
    for i in range(n):
        task(i)


def _try_acquire(job: _Job) -> bool:
    """Take the pool for a job, unless another one has it."""
    global _current
    with _lock:
        if _current is not None and not _current.over:
            return False
        _current = job
        return True


def _release(job: _Job) -> None:
    """Drop the reference to a job, and those to the arrays that it works on.

    A thread that comes late may still have to take the job from its queue.
    """
    global _current
    job.task = _nothing
    with _lock:
        if _current is job:
            _current = None


def _nothing(_: int) -> None:
    """The task of a job that is over."""


def parallel_for_array(x: Any, task: Task, n: int, *, uses_blas: bool) -> None:
    """`parallel_for` for work on arrays like `x`, serial if they are on a GPU.

    Example:
        >>> parallel_for_array([], print, 1, uses_blas=False)
        0
    """
    parallel_for(task, n, uses_blas=uses_blas, serial=type(x) is not ndarray)


def parallel_blocks(
    work: Callable[[slice], object],
    n: int,
    nanoseconds: float,
    *,
    uses_blas: bool,
) -> None:
    """Call `work` on slices that cover `range(n)`: on one slice if it is short.

    Args:
        work: the function to call, for instance on some rows of arrays.
        n: the number of rows.
        nanoseconds: the estimated time of all of them.
        uses_blas: whether `work` multiplies matrices, as for `parallel_for`.

    Example:
        >>> parallel_blocks(print, 5, 100, uses_blas=False)
        slice(0, 5, None)
    """
    if nanoseconds < MIN_NANOSECONDS or n < 2:
        work(slice(0, n))
        return
    step = -(-n // BLOCKS)

    def block(i: int) -> None:
        work(slice(i * step, min(n, (i + 1) * step)))

    parallel_for(block, -(-n // step), uses_blas=uses_blas)


def _start_threads(helpers: int) -> None:
    while len(_queues) < helpers:
        queue: SimpleQueue[_Job] = SimpleQueue()
        name = f"edutorch kernels {len(_queues) + 1}"
        threading.Thread(
            target=_work_through, args=(queue, len(_queues) + 1), name=name, daemon=True
        ).start()
        _queues.append(queue)  # only once a thread serves it


def _work_through(queue: SimpleQueue[_Job], thread: int) -> None:
    while True:  # without a variable, which would keep the job and its arrays
        queue.get().work(thread)


def _after_fork() -> None:
    """Run everything serially in a forked process: threads are not copied."""
    global _forked, _lock, _current
    _forked, _lock, _current = True, threading.Lock(), None
    _queues.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
