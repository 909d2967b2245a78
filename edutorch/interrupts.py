"""Defer Ctrl-C during updates that belong together; exit together with the parent."""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

__all__ = ["end_with_parent", "finish", "uninterrupted"]


class uninterrupted:  # noqa: N801 (a context manager reads like a keyword)
    """Inside, Ctrl-C is only noted; its handler runs at the end of the block.

    Only the main thread is interrupted, so elsewhere this does nothing. The block ends
    with KeyboardInterrupt after its last line, not in its middle: what it began must be
    undone by the caller.

    Example:
        >>> import signal
        >>> done = []
        >>> try:
        ...     with uninterrupted():
        ...         signal.raise_signal(signal.SIGINT)
        ...         done.append("all")
        ... except KeyboardInterrupt:
        ...     done
        ['all']
    """

    def __enter__(self) -> uninterrupted:
        self._noted: list[tuple[int, FrameType | None]] = []
        self._before: Any = None
        if threading.current_thread() is threading.main_thread():
            before = signal.getsignal(signal.SIGINT)
            if callable(before):
                self._before = before
                signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._noted.append((number, frame))

    def __exit__(self, *exception: object) -> None:
        if self._before is None:
            return
        signal.signal(signal.SIGINT, self._before)
        if self._noted:
            self._before(*self._noted[-1])


def finish(action: Callable[[], object]) -> None:
    """Call what ends a block, wholly, also when Ctrl-C comes just before.

    Example:
        >>> finish(lambda: print("restored"))
        restored
    """
    begun = False
    try:
        with uninterrupted():
            begun = True
            action()
    except KeyboardInterrupt:
        if not begun:
            action()
        raise


def end_with_parent(number: int = 9) -> None:
    """Ask Linux to send this process a signal when its parent dies, however it does.

    Other systems have nothing like it.

    Example:
        >>> end_with_parent(0)  # no signal
    """
    if sys.platform == "linux":
        libc: Any = ctypes.CDLL(None)
        libc.prctl(1, number)  # PR_SET_PDEATHSIG
