"""A DataLoader's pool of workers: start, send, receive, end."""

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
    """A worker: its process, and the loader's ends of the pipes to and from it."""

    process: Any
    tasks: Connection
    results: Connection


class WorkerPool:
    """The workers of one iteration, or of all with `persistent_workers`.

    Args:
        context: how processes are started; None for the system's way.
        timeout: seconds to wait for a batch; 0 for ever.
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
        # Known before it runs: Ctrl-C may come as soon as it does.
        self.workers.append(WorkerProcess(process, tasks, results))
        try:
            # Python loses a Ctrl-C that comes while modules prepare for the fork, and
            # then the lock of `logging` would never be released.
            with before_fork(), uninterrupted():
                process.start()
        finally:
            their_tasks.close()
            their_results.close()

    def send(self, number: int, task: int, index: Any) -> None:
        """Send a worker a task: the indices of a batch."""
        self._post(self.workers[number], (TASK, task, index))

    def start_epoch(self, numbers: Sequence[int]) -> None:
        """Begin a new epoch; batches of the last one that still arrive are dropped."""
        for number in numbers:
            self._post(self.workers[number], (NEW_EPOCH, None, None))
        waiting = len(numbers)
        while waiting:
            waiting -= self.receive(numbers)[0] == NEW_EPOCH

    def _post(self, worker: WorkerProcess, message: Any) -> None:
        try:
            worker.tasks.send(message)
        except BrokenPipeError:  # it is gone: `receive` reports it
            return

    def receive(self, numbers: Sequence[int]) -> tuple[str, int, Any]:
        """The next message of any of these workers.

        Raises:
            RuntimeError: if one of them is gone, or none answers in time.
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
        """Shut the workers down; terminate those still running, all after Ctrl-C."""
        if os.getpid() != self.owner:  # a fork: they are not its workers
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

    Waiting can be interrupted, asking the system for the exit code cannot: a Ctrl-C
    between its answer and `multiprocessing` noting it would leave a process that
    `multiprocessing` takes to be running for ever.
    """
    wait([process.sentinel], timeout)
    with uninterrupted():
        return not process.is_alive()


def _kill(w: WorkerProcess) -> None:
    """Terminate a worker that may still run or may never have started."""
    with uninterrupted():
        if w.process.is_alive():
            w.process.kill()
            w.process.join()
    w.tasks.close()
    w.results.close()
    with suppress(ValueError):  # a signal handler of the program's own has reaped it
        w.process.close()


def _receive_or_none(end: Connection) -> Any:
    """A message, or None if the worker has died."""
    try:
        return receive(end)
    except (EOFError, ConnectionResetError):
        return None


def _death_error(gone: list[WorkerProcess]) -> RuntimeError:
    """The error for dead workers, with the cause of each as a note."""
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
