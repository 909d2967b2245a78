"""Starts processes that run one function, waits for them, and ends them together."""

from __future__ import annotations

import multiprocessing
import pickle
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
import weakref
from collections.abc import Callable
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from ..distributed.world.mpi_world import report_failure
from ..interrupts import end_with_parent

__all__ = [
    "ProcessContext", "ProcessException", "ProcessExitedException",
    "ProcessRaisedException", "spawn", "start_processes",
]  # fmt: skip

GRACE = 30.0  # seconds that the others have when one has failed


class ProcessException(Exception):  # noqa: N818 (PyTorch's name)
    """One of several processes failed.

    Attributes:
        error_index: its number.
        error_pid: its process id.

    Example:
        >>> import edutorch as torch
        >>> torch.multiprocessing.ProcessException("it failed", 1, 4711).error_index
        1
    """

    def __init__(self, msg: str, error_index: int, error_pid: int) -> None:
        super().__init__(msg)
        self.msg, self.error_index, self.error_pid = msg, error_index, error_pid

    def __reduce__(self) -> Any:
        return type(self), (self.msg, self.error_index, self.error_pid)


class ProcessRaisedException(ProcessException):
    """One of several processes failed with an exception; its traceback is the text.

    Example:
        >>> import edutorch as torch
        >>> torch.multiprocessing.ProcessRaisedException("it failed", 1, 4711).msg
        'it failed'
    """


class ProcessExitedException(ProcessException):
    """One of several processes was killed, or left with an exit code.

    Attributes:
        exit_code: the code; negative for the number of a signal.
        signal_name: the signal's name, or None.

    Example:
        >>> import edutorch as torch
        >>> error = torch.multiprocessing.ProcessExitedException("", 1, 4711, 3)
        >>> error.exit_code
        3
    """

    def __init__(
        self,
        msg: str,
        error_index: int,
        error_pid: int,
        exit_code: int,
        signal_name: str | None = None,
    ) -> None:
        super().__init__(msg, error_index, error_pid)
        self.exit_code, self.signal_name = exit_code, signal_name

    def __reduce__(self) -> Any:
        kind, args = super().__reduce__()
        return kind, (*args, self.exit_code, self.signal_name)


class ProcessContext:
    """Processes that were started together.

    Example:
        >>> import edutorch as torch
        >>> torch.multiprocessing.ProcessContext([], []).join()
        True
    """

    def __init__(self, processes: list[Any], error_files: list[str]) -> None:
        self.processes, self.error_files = processes, error_files
        self.sentinels = {p.sentinel: i for i, p in enumerate(processes)}

    def pids(self) -> list[int]:
        """The process ids."""
        return [int(p.pid) for p in self.processes]

    def join(
        self, timeout: float | None = None, grace_period: float | None = None
    ) -> bool:
        """Wait for some processes to end; whether all have.

        When one fails the others are ended, too.

        Args:
            timeout: seconds to wait; None for ever.
            grace_period: seconds for the others to end before they are terminated.

        Raises:
            ProcessRaisedException: with the traceback of the process.
            ProcessExitedException: if it was killed or left with an exit code.
        """
        if not self.sentinels:
            return True
        for sentinel in wait(list(self.sentinels), timeout):
            index = self.sentinels.pop(sentinel)
            self.processes[index].join()
            if self.processes[index].exitcode != 0:
                self._end(grace_period)
                self._raise_failure(index)
        return not self.sentinels

    def _end(self, grace_period: float | None) -> None:
        """End all processes, if need be by force."""
        if grace_period is not None:
            self._wait(grace_period)
        for process in self.processes:
            if process.is_alive():
                process.terminate()
        self._wait(GRACE if grace_period is None else grace_period)
        for process in self.processes:
            if process.is_alive():
                process.kill()
            process.join()

    def _wait(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        for process in self.processes:
            process.join(max(0.0, until - time.monotonic()))

    def _raise_failure(self, index: int) -> None:
        """Raise the failure of a process."""
        process, file = self.processes[index], Path(self.error_files[index])
        if file.exists():
            text = pickle.loads(file.read_bytes())  # noqa: S301 (written by ourselves)
            file.unlink()
            raise ProcessRaisedException(
                f"\n\n-- Process {index} terminated with the following error:\n{text}",
                index,
                process.pid,
            )
        code, name = process.exitcode, None
        cause = f"exit code {code}"
        if code < 0:
            name = _signal(-code)
            cause = f"signal {name}"
        raise ProcessExitedException(
            f"process {index} terminated with {cause}", index, process.pid, code, name
        )


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal
        return f"<Unknown signal {number}>"


def _run(fn: Callable[..., Any], i: int, args: Any, error_file: str) -> None:
    """The main function of a process: call the function, and report an exception."""
    # Background jobs of a shell ignore SIGINT, and so do processes that they start.
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    end_with_parent(signal.SIGTERM if ignored else signal.SIGINT)
    try:
        fn(i, *args)
    except KeyboardInterrupt:  # Ctrl-C reaches every process: the first one reports it
        return
    except Exception as error:  # noqa: BLE001 (raised where the processes are joined)
        report_failure(f"{type(error).__name__}: {error}")
        Path(error_file).write_bytes(pickle.dumps(traceback.format_exc()))
        sys.exit(1)


def start_processes(
    fn: Callable[..., Any],
    args: tuple[Any, ...] = (),
    nprocs: int = 1,
    join: bool = True,
    daemon: bool = False,
    start_method: str = "spawn",
) -> ProcessContext | None:
    """Run `fn(i, *args)` in processes 0 ... nprocs - 1.

    Args:
        join: wait for all of them; otherwise their context is returned.
        daemon: whether they end when this process does.
        start_method: "spawn", "fork" or "forkserver".

    Raises:
        ProcessRaisedException: if one fails with an exception.
        ProcessExitedException: if one is killed or leaves with an exit code.

    Example:
        >>> import edutorch as torch
        >>> torch.multiprocessing.start_processes(print, nprocs=0)
    """
    start: Any = multiprocessing.get_context(start_method)
    folder = tempfile.mkdtemp(prefix="edutorch-")  # only this user may write there
    files = [str(Path(folder, f"error-{i}")) for i in range(nprocs)]
    processes = [
        start.Process(target=_run, args=(fn, i, args, files[i]), daemon=daemon)
        for i in range(nprocs)
    ]
    for process in processes:
        process.start()
    context = ProcessContext(processes, files)
    weakref.finalize(context, shutil.rmtree, folder, ignore_errors=True)
    if not join:
        return context
    while not context.join():
        pass
    return None


def spawn(
    fn: Callable[..., Any],
    args: tuple[Any, ...] = (),
    nprocs: int = 1,
    join: bool = True,
    daemon: bool = False,
    start_method: str = "spawn",
) -> ProcessContext | None:
    """Run `fn(i, *args)` in fresh processes: `start_processes` with "spawn".

    Example:
        >>> import edutorch as torch
        >>> torch.multiprocessing.spawn(print, nprocs=0)
    """
    if start_method != "spawn":
        warnings.warn(
            f"This method only supports start_method=spawn (got: {start_method}).\n"
            "To use a different start_method use:\n\t\t"
            " torch.multiprocessing.start_processes(...)",
            FutureWarning,
            stacklevel=2,
        )
    return start_processes(fn, args, nprocs, join, daemon)
