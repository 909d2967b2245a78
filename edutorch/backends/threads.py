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
    set_number_of_threads,
    sleep_soon,
)

__all__ = [
    "before_fork",
    "blas_threads",
    "blas_threads_changes",
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
_requested = 0
# Blocks in several threads may overlap: the smallest limit holds, the last restores.
_limits: list[int] = []
_before: list[int] = []
_limits_lock = threading.Lock()
_changes = [0]  # how often the number of threads was set

PATIENCE = 10.0  # seconds to wait for products that are under way
IDLE = 0.5  # seconds in which a product of several threads would have used them


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
    global _requested
    if int < 1:
        raise RuntimeError("set_num_threads expects a positive integer")
    _set_blas_threads(int)
    _requested = int


def _set_blas_threads(n: int) -> None:
    found = _functions()
    _changes[0] += 1
    if found is not None and not set_number_of_threads(n):
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
    return _requested or processor_count()


def blas_threads_changes() -> int:
    """How often the number of threads of products was set: whether it stayed the same.

    Example:
        >>> before = blas_threads_changes()
        >>> with blas_threads(1):
        ...     blas_threads_changes() > before
        True
    """
    return _changes[0]


@contextmanager
def blas_threads(n: int) -> Iterator[None]:
    """Use at most `n` threads for matrix products inside the block.

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
            if n in _limits:  # not in a process that was forked inside the block
                _limits.remove(n)
                _set_blas_threads(min(_limits) if _limits else _before.pop())


@contextmanager
def before_fork() -> Iterator[bool]:
    """Inside, the process can be forked although other threads multiply matrices.

    OpenBLAS stops its threads before a fork; with a product under way in several of
    them, parent and child would wait for ever. So new products use one thread, and
    running ones are waited for, at most 10 seconds. The block gets whether all have
    ended.

    Example:
        >>> with before_fork() as ended:
        ...     get_num_threads(), ended
        (1, True)
    """
    with blas_threads(1):
        alone = threading.active_count() == 1 or not TASKS.is_dir()
        yield alone or _wait_for_products()


def sleep_between_products() -> None:
    """Let OpenBLAS's threads sleep soon after a product.

    That needs a moment in which no product runs: if none comes within 10 seconds, the
    threads are left as they are.

    Example:
        >>> sleep_between_products()
    """
    with before_fork() as ended:
        if ended:
            sleep_soon()


TASKS = Path("/proc/self/task")  # where Linux lists threads
FUTEX_CALLS = ("202", "98")  # the system call that waits, on x86-64 and AArch64
FUTEX_WAIT = 0  # its operation for a mutex; conditions and locks of Python have others


def _wait_for_products() -> bool:
    """Wait until no product that began on several threads is under way.

    A Python thread has left its product once it runs other code, or sleeps. Then only
    OpenBLAS's own threads can still be computing it. If these do nothing for a while,
    what keeps Python threads busy are products of one thread.
    """
    now = idle_since = time.monotonic()
    until = now + PATIENCE
    python = {t.native_id: t.ident for t in threading.enumerate()}
    first = _positions()
    at_product = python.keys() - {threading.get_native_id()}
    while now < until:
        python_has_left = not at_product  # looked at before OpenBLAS's threads
        computing = {int(task.name) for task in TASKS.iterdir() if _computes(task)}
        here = _positions()
        at_product = {
            n for n in at_product & computing
            if here.get(python[n]) == first.get(python[n])
        }  # fmt: skip
        now = time.monotonic()
        blas_computes = bool(computing - python.keys())
        if blas_computes:
            idle_since = now
        elif python_has_left or now - idle_since > IDLE:
            return True
        if at_product or blas_computes:  # else look once more, at OpenBLAS's threads
            time.sleep(0.002)
    return False


def _positions() -> dict[int | None, tuple[FrameType, int]]:
    """The frame that each Python thread runs, and its instruction."""
    frames = sys._current_frames().items()
    return {thread: (frame, frame.f_lasti) for thread, frame in frames}


def _computes(task: Path) -> bool:
    """Whether a thread runs, or waits for a lock as OpenBLAS's products do."""
    with suppress(OSError):
        state = (task / "stat").read_text().rpartition(")")[2].split()[0]
        if state == "R":
            return True
        call = (task / "syscall").read_text().split()
        return call[0] in FUTEX_CALLS and int(call[2], 16) & 0x7F == FUTEX_WAIT
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
        >>> torch.get_num_interop_threads()
        1
    """
    return 1


def _after_fork() -> None:
    """Replace the lock, and end all blocks: a forked process lacks their threads."""
    global _limits_lock
    _limits_lock = threading.Lock()
    _limits.clear()
    _before.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
