"""Limits on the time that a block of code may take.

One thread watches all of them. It is started with the first limit and not with each:
CPython gives an exception that is meant for a thread to a new one which that thread is
just starting (both have one id until the new one runs), and `Thread.start` would then
wait for ever.
"""

from __future__ import annotations

import ctypes
import math
import os
import sys
import threading
import time
from contextlib import AbstractContextManager
from contextvars import ContextVar
from types import CodeType, FrameType
from typing import Any, Final

__all__ = ["TimeLimitExceeded", "shortest_limit", "time_limit"]

PATIENCE: Final = 5  # the wall-clock limit, as a multiple, for busy machines
LEAST: Final = 1.0  # seconds on the wall clock, also of the shortest limit
SHORTEST_WAIT: Final = 0.001  # seconds between two checks of the time
AGAIN: Final = 1.0  # seconds until an exception that the block caught is raised again

_shortest: ContextVar[float] = ContextVar("shortest", default=math.inf)


class TimeLimitExceeded(
    BaseException
):  # `except Exception` in a loop must not catch it
    """Raised in the running code when its time limit is exceeded."""


def time_limit(seconds: float) -> AbstractContextManager[None]:
    """Raise `TimeLimitExceeded` in this thread if the block runs for too long.

    The limit is in processor time of this process, so other programs do not count; in
    wall-clock time it is `PATIENCE` times as long, and at least a second. The exception
    is raised between two bytecode instructions, so a call of a NumPy function is not
    interrupted. It is raised again each second while the block goes on: `__del__` and
    callbacks of weak references print exceptions instead of raising them, and an
    `except:` without a class catches all. The block is that of a `with` statement:
    nothing is raised after the function has ended in which that stands.
    """
    return _TimeLimit(seconds)


def shortest_limit() -> float:
    """The shortest time limit in effect; infinity without one.

    Example:
        >>> with time_limit(5.0):
        ...     shortest_limit()
        5.0
    """
    return _shortest.get()


class _TimeLimit(AbstractContextManager[None]):
    """The block of `time_limit`.

    The exception must not arrive between the block's end and the note of it: it would
    be raised again in whatever runs then. So this is no generator, and nothing is
    raised while `__enter__` or `__exit__` runs.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._block: FrameType | None = None

    def __enter__(self) -> None:
        self._shortest = _shortest.set(min(self._seconds, _shortest.get()))
        self._thread, self._block = threading.get_ident(), sys._getframe(1)
        self._limit = _watcher.time_of_others() + self._seconds
        self._last = time.monotonic() + max(PATIENCE * self._seconds, LEAST)
        _watcher.add(self, self._seconds)

    def __exit__(self, *_: object) -> None:
        try:
            _watcher.remove(self)
        finally:
            self._block = None
            _shortest.reset(self._shortest)

    def look(self, used: float) -> float:
        """Raise the exception if the time is up.

        Args:
            used: processor time of this process.

        Returns:
            Seconds until the next check; infinity if the block has ended without
            `__exit__`, because that was interrupted.
        """
        left = min(self._limit - used, self._last - time.monotonic())
        if left > 0:
            return max(left, SHORTEST_WAIT)
        frames = _frames_of(self._thread)
        while any(_starts_a_thread(frame) for frame in frames):
            time.sleep(0)  # the exception could end the new thread
            frames = _frames_of(self._thread)
        if self._block not in frames:
            return math.inf
        if _BOUNDARIES.isdisjoint(frame.f_code for frame in frames):
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(self._thread), ctypes.py_object(TimeLimitExceeded)
            )
        return AGAIN


_BOUNDARIES: Final[frozenset[CodeType]] = frozenset(
    (_TimeLimit.__enter__.__code__, _TimeLimit.__exit__.__code__)
)
_START: Final[CodeType] = threading.Thread.start.__code__


def _frames_of(thread: int) -> list[FrameType]:
    """The frames of the calls that a thread is in, the innermost first."""
    frames = []
    frame = sys._current_frames().get(thread)
    while frame is not None:
        frames.append(frame)
        frame = frame.f_back
    return frames


def _starts_a_thread(frame: FrameType) -> bool:
    """Whether this call is starting a thread that does not run yet."""
    if frame.f_code is not _START:
        return False
    thread: Any = frame.f_locals.get("self")
    # One whose class forgets `super().__init__()` is refused by `start`.
    return getattr(thread, "_initialized", False) and thread.ident is None


class _Watcher:
    """The thread that checks the limits, and the limits in effect."""

    def __init__(self) -> None:
        # Locked itself: an interrupt in `Condition.__enter__` would leave it locked.
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._looks: dict[_TimeLimit, float] = {}  # when to check each
        self._next = math.inf
        self._own_time = 0.0  # processor time of the thread, in seconds
        self._thread = self._new_thread()

    def time_of_others(self) -> float:
        """The processor time of the process without that of this thread."""
        return time.process_time() - self._own_time

    def add(self, limit: _TimeLimit, seconds: float) -> None:
        due = time.monotonic() + max(seconds, SHORTEST_WAIT)
        with self._lock:
            self._looks[limit] = due
            if not self._thread.is_alive():  # not yet, or an exception has ended it
                self._thread = self._new_thread()
                self._thread.start()
            elif due < self._next:
                self._changed.notify()

    def remove(self, limit: _TimeLimit) -> None:
        with self._lock:
            self._looks.pop(limit, None)

    def _new_thread(self) -> threading.Thread:
        return threading.Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        with self._lock:
            while True:
                self._look()
                self._next = min(self._looks.values(), default=math.inf)
                wait = self._next - time.monotonic()
                self._own_time = time.thread_time()
                self._changed.wait(min(wait, threading.TIMEOUT_MAX))

    def _look(self) -> None:
        now = time.monotonic()
        for limit in [limit for limit, due in self._looks.items() if due <= now]:
            self._own_time = time.thread_time()
            self._looks[limit] = now + limit.look(self.time_of_others())
            if self._looks[limit] == math.inf:
                del self._looks[limit]


_watcher = _Watcher()


def _watch_anew() -> None:
    """In a new process there is no thread but the one that called `fork`."""
    global _watcher
    _watcher = _Watcher()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_watch_anew)
