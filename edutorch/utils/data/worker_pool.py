"""The worker processes of a DataLoader: starting, messages, shutting down."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from ...backends.threads import before_fork
from ...interrupts import uninterrupted
from .messages import enlarge_pipe, receive
from .worker import NEW_EPOCH, TASK, WorkerSettings, loaders_ends, worker_main

__all__ = ["WorkerPool", "WorkerProcess"]

CHECK_SECONDS = (
    2.0  # seconds after which workers are looked at, if nothing comes from them
)
SHUTDOWN_SECONDS = 5.0  # seconds in which workers may finish their work


class WorkerProcess(NamedTuple):
    """A worker process, and the loader's ends of the pipes to and from it."""

    process: Any
    tasks: Connection
    results: Connection


class WorkerPool:
    """The workers of one iteration or, with `persistent_workers`, of all iterations.

    Args:
        settings: what every worker receives; among them, the number of workers.
        context: the `multiprocessing` context that starts them; None for the default.
        timeout: how many seconds to wait for a batch; 0 waits forever.
    """

    def __init__(self, settings: WorkerSettings, context: Any, timeout: float) -> None:
        self.timeout = timeout
        self.owner = os.getpid()
        self.workers: list[WorkerProcess] = []
        self.context = context or multiprocessing.get_context()
        try:
            for number in range(settings.workers):
                self._start(settings, number)
        except BaseException:
            self.end(SHUTDOWN_SECONDS)
            raise

    def _start(self, settings: WorkerSettings, number: int) -> None:
        their_tasks, tasks = self.context.Pipe(duplex=False)
        results, their_results = self.context.Pipe(duplex=False)
        enlarge_pipe(results)
        loaders_ends.update((tasks, results))
        process = self.context.Process(
            target=worker_main,
            args=(settings, number, their_tasks, their_results),
            daemon=True,
        )
        # Listed before it starts, so that `end` finds it after a Ctrl-C during `start`.
        self.workers.append(WorkerProcess(process, tasks, results))
        try:
            # Python swallows a KeyboardInterrupt raised in a handler that prepares a
            # fork; the lock of `logging` would then never be released.
            with before_fork(), uninterrupted():
                process.start()
        finally:
            their_tasks.close()
            their_results.close()

    def send(self, number: int, task: int, index: Any) -> None:
        """Send the indices of a batch to a worker."""
        self._post(self.workers[number], (TASK, task, index))

    def start_epoch(self, numbers: Sequence[int]) -> None:
        """Begin a new epoch, and discard batches of the previous one on their way."""
        for number in numbers:
            self._post(self.workers[number], (NEW_EPOCH, None, None))
        waiting = len(numbers)
        while waiting:
            waiting -= self.receive(numbers)[0] == NEW_EPOCH

    def _post(self, worker: WorkerProcess, message: Any) -> None:
        try:
            worker.tasks.send(message)
        except BrokenPipeError:  # the worker has died, which `receive` will report
            return

    def receive(self, numbers: Sequence[int]) -> tuple[str, int, Any]:
        """Return the next message from any of these workers.

        Raises:
            RuntimeError: if one of them has died, or if none answers in time.
        """
        selected = [self.workers[n] for n in numbers]
        ends = {w.results: w for w in selected}
        sentinels = [w.process.sentinel for w in selected]
        until = time.monotonic() + (self.timeout or float("inf"))
        while True:
            left = max(0.0, until - time.monotonic())
            ready = wait([*ends, *sentinels], min(CHECK_SECONDS, left))
            for end in ready:
                if end in ends and (message := _receive_or_none(end)) is not None:
                    return message
            gone = [w for w in selected if _has_ended(w.process)]
            if gone or left == 0.0:
                try:
                    raise _death_error(gone) if gone else _timeout_error(self.timeout)
                finally:
                    self.end(0.0)

    def end(self, grace: float = SHUTDOWN_SECONDS) -> None:
        """Shut the workers down; terminate those that take longer than `grace` seconds.

        After a Ctrl-C, kill all that are left.
        """
        if os.getpid() != self.owner:  # in a fork; the workers belong to its parent
            self.workers = []
            return
        try:
            self._shut_down(grace)
        finally:
            while self.workers:
                _kill(self.workers[-1])
                self.workers.pop()

    def _shut_down(self, grace: float) -> None:
        started = [w for w in self.workers if w.process.pid is not None]
        for w in started:
            self._post(w, None)
            w.results.close()
        until = time.monotonic() + grace
        for w in started:
            if not _has_ended(w.process, max(0.0, until - time.monotonic())):
                w.process.terminate()
        for w in started:
            _has_ended(w.process, 1.0)


def _has_ended(process: Any, timeout: float = 0.0) -> bool:
    """Whether a process ends within `timeout` seconds.

    The wait can be interrupted, reading the exit code cannot. The system reports it
    only once; if a Ctrl-C came before `multiprocessing` had stored it, the process
    would seem to run forever.
    """
    wait([process.sentinel], timeout)
    with uninterrupted():
        return not process.is_alive()


def _kill(w: WorkerProcess) -> None:
    """Kill a worker, which may have ended already or may never have started."""
    with uninterrupted():
        if w.process.is_alive():
            w.process.kill()
            w.process.join()
    w.tasks.close()
    w.results.close()
    with suppress(ValueError):  # a signal handler of the program has reaped it
        w.process.close()


def _receive_or_none(end: Connection) -> Any:
    """The next message from a worker, or None if it has died."""
    try:
        return receive(end)
    except (EOFError, ConnectionResetError):
        return None


def _death_error(gone: list[WorkerProcess]) -> RuntimeError:
    """The error for workers that have died, with a note that names each cause."""
    pids = ", ".join(str(w.process.pid) for w in gone)
    error = RuntimeError(f"DataLoader worker (pid(s) {pids}) exited unexpectedly")
    for w in gone:
        code = w.process.exitcode
        cause = (
            f"killed by {_signal(-code)}" if code < 0 else f"its exit code is {code}"
        )
        error.add_note(f"Worker {w.process.pid}: {cause}.")
    error.add_note("Hint: with num_workers=0 the traceback shows where it happened.")
    return error


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal
        return f"signal {number}"


def _timeout_error(timeout: float) -> RuntimeError:
    return RuntimeError(f"DataLoader timed out after {timeout} seconds")
