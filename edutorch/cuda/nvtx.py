"""Names for parts of a program, which recordings show beside the work of the GPUs.

Like marks of `record_function`, the ranges appear in `edutorch.inspect` and in its
views of devices and time. NVIDIA's own profilers do not get them.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from .. import events
from ..backends import gpus

__all__ = ["mark", "range", "range_end", "range_pop", "range_push", "range_start"]


class _Nested(threading.local):
    """The names of the ranges that are open in a thread."""

    def __init__(self) -> None:
        self.names: list[str] = []


_nested = _Nested()
_started: dict[int, str] = {}  # the names of ranges begun by `range_start`
_next_id = count(1).__next__


def _check_gpus() -> None:
    if gpus.gpus() is None:
        raise RuntimeError(
            "NVTX functions not installed. Are you sure you have a CUDA build?"
        )


def range_push(msg: str) -> int:
    """Begin a range inside those that this thread has begun; returns how deep it is.

    Raises:
        RuntimeError: without GPUs.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=1):
        ...     torch.cuda.nvtx.range_push("step"), torch.cuda.nvtx.range_push("loss")
        ...     torch.cuda.nvtx.range_pop(), torch.cuda.nvtx.range_pop()
        (0, 1)
        (1, 0)
    """
    _check_gpus()
    events.mark(msg, "begin")
    _nested.names.append(msg)
    return len(_nested.names) - 1


def range_pop() -> int:
    """End the range that this thread has begun last; returns how deep it was.

    Raises:
        RuntimeError: without GPUs.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=1):
        ...     torch.cuda.nvtx.range_pop()  # none has begun
        -1
    """
    _check_gpus()
    if not _nested.names:
        return -1
    events.mark(_nested.names.pop(), "end")
    return len(_nested.names)


def range_start(msg: str) -> int:
    """Begin a range that any thread may end; returns its number for `range_end`.

    Raises:
        RuntimeError: without GPUs.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=1):
        ...     number = torch.cuda.nvtx.range_start("loading")
        ...     torch.cuda.nvtx.range_end(number)
    """
    _check_gpus()
    events.mark(msg, "begin")
    number = _next_id()
    _started[number] = msg
    return number


def range_end(range_id: int) -> None:
    """End a range begun by `range_start`.

    Raises:
        RuntimeError: without GPUs.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=1):
        ...     torch.cuda.nvtx.range_end(torch.cuda.nvtx.range_start("loading"))
    """
    _check_gpus()
    name = _started.pop(range_id, None)
    if name is not None:
        events.mark(name, "end")


def mark(msg: str) -> None:
    """Name a moment.

    Raises:
        RuntimeError: without GPUs.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=1):
        ...     torch.cuda.nvtx.mark("epoch 1")
    """
    _check_gpus()
    events.mark(msg)


@contextmanager
def range(msg: str, *args: Any, **kwargs: Any) -> Iterator[None]:
    """A block, or a function, with a name: `msg.format(*args, **kwargs)`.

    Raises:
        RuntimeError: without GPUs.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=1), torch.cuda.nvtx.range("step {}", 3):
        ...     x = torch.ones(2, device="cuda") + 1
    """
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()
