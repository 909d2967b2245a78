"""Processors, and the number of threads of matrix products and of the thread pool."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

from edutorch.backends.openblas import (
    library,
    set_number_of_ended_threads,
    sleep_soon,
)

__all__ = [
    "before_fork",
    "blas_threads",
    "get_num_interop_threads",
    "get_num_threads",
    "processor_count",
    "set_num_interop_threads",
    "set_num_threads",
    "sleep_between_products",
]

# The names of OpenBLAS's two functions in the builds of NumPy's wheels.
_NAMES = (
    ("scipy_openblas_set_num_threads64_", "scipy_openblas_get_num_threads64_"),
    ("openblas_set_num_threads64_", "openblas_get_num_threads64_"),
    ("openblas_set_num_threads", "openblas_get_num_threads"),
)
_chosen = 0
# Blocks of several threads may overlap: the last to end restores the first one's state.
_limits: list[int] = []
_before: list[int] = []
_limits_lock = threading.Lock()


def processor_count() -> int:
    """The number of processors that this process may use.

    Example:
        >>> processor_count() >= 1
        True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _functions() -> tuple[Any, Any] | None:
    """OpenBLAS's functions, or None where NumPy was built with another library."""
    for name, getter in _NAMES:
        if hasattr(library(), name) and hasattr(library(), getter):
            return getattr(library(), name), getattr(library(), getter)
    return None


def set_num_threads(int: int) -> None:
    """Let matrix products, and work on large arrays, use this many threads.

    Raises:
        RuntimeError: for fewer than one thread.

    Example:
        >>> import edutorch as torch
        >>> before = torch.get_num_threads()
        >>> torch.set_num_threads(1)
        >>> torch.get_num_threads()
        1
        >>> torch.set_num_threads(before)
    """
    global _chosen
    if int < 1:
        raise RuntimeError("set_num_threads expects a positive integer")
    _set_blas_threads(int)
    _chosen = int


def _set_blas_threads(n: int) -> None:
    found = _functions()
    if found is not None and not set_number_of_ended_threads(n):
        found[0](n)


def get_num_threads() -> int:
    """The number of threads for matrix products and for large arrays.

    Example:
        >>> import edutorch as torch
        >>> torch.get_num_threads() >= 1
        True
    """
    found = _functions()
    if found is not None:
        return int(found[1]())
    return _chosen or os.cpu_count() or 1


@contextmanager
def blas_threads(n: int) -> Iterator[None]:
    """Use `n` threads for matrix products inside the block.

    Example:
        >>> with blas_threads(1):
        ...     get_num_threads()
        1
    """
    found = _functions()
    if found is None:
        yield
        return
    with _limits_lock:
        _limits.append(n)
        if len(_limits) == 1:
            _before.append(found[1]())
        _set_blas_threads(min(_limits))
    try:
        yield
    finally:
        with _limits_lock:
            _limits.remove(n)
            _set_blas_threads(min(_limits) if _limits else _before.pop())


@contextmanager
def before_fork() -> Iterator[None]:
    """Inside, the process can be forked although other threads multiply matrices.

    OpenBLAS ends its threads before a fork, and a product of several threads that is
    under way then leaves both sides waiting. So products begin on one thread only, and
    those that began before are waited for.

    Example:
        >>> with before_fork():
        ...     get_num_threads()
        1
    """
    with blas_threads(1):
        if threading.active_count() > 1 and TASKS.is_dir():
            _wait_for_products()
        yield


def sleep_between_products() -> None:
    """Let OpenBLAS's threads sleep soon after a product, as soon as none is running.

    Example:
        >>> sleep_between_products()
    """
    with before_fork():
        sleep_soon()


PATIENCE = 10.0  # seconds to wait for products that are under way
TASKS = Path("/proc/self/task")  # where Linux lists threads
FUTEX = ("202", "98")  # the system call that waits, on x86-64 and AArch64
MUTEX = 0  # its operation for a mutex; conditions and locks of Python have others


def _wait_for_products() -> None:
    """Wait until no product that began on several threads is under way.

    A Python thread has left its product once it runs other code, or sleeps. Then only
    OpenBLAS's own threads can still be computing it.
    """
    until = time.monotonic() + PATIENCE
    python = {t.native_id: t.ident for t in threading.enumerate()}
    first = _positions()
    at_product = python.keys() - {threading.get_native_id()}
    while time.monotonic() < until:
        found = not at_product  # OpenBLAS's threads are checked after all others
        computing = {int(task.name) for task in TASKS.iterdir() if _computes(task)}
        now = _positions()
        at_product = {
            n for n in at_product & computing
            if now.get(python[n]) == first.get(python[n])
        }  # fmt: skip
        if found and not computing - python.keys():
            return
        time.sleep(0.002)


def _positions() -> dict[int | None, tuple[FrameType, int]]:
    """The function that each Python thread runs, and its instruction."""
    frames = sys._current_frames().items()
    return {thread: (frame, frame.f_lasti) for thread, frame in frames}


def _computes(task: Path) -> bool:
    """Whether a thread runs, or waits for a lock as OpenBLAS's products do."""
    with suppress(OSError):
        state = (task / "stat").read_text().rpartition(")")[2].split()[0]
        if state == "R":
            return True
        call = (task / "syscall").read_text().split()
        return call[0] in FUTEX and int(call[2], 16) & 0x7F == MUTEX
    return False  # it has ended, or its calls cannot be seen


def set_num_interop_threads(int: int) -> None:
    """Accepted without effect: operations run one after the other.

    Raises:
        RuntimeError: for fewer than one thread.

    Example:
        >>> import edutorch as torch
        >>> torch.set_num_interop_threads(1)
    """
    if int < 1:
        raise RuntimeError("set_num_interop_threads expects a positive integer")


def get_num_interop_threads() -> int:
    """The number of inter-op threads: always 1.

    Example:
        >>> import edutorch as torch
        >>> torch.get_num_interop_threads() >= 1
        True
    """
    return 1


def _after_fork() -> None:
    """Replace the lock: a forked process lacks the thread that held it."""
    global _limits_lock
    _limits_lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
