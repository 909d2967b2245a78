"""Runs a learner's function with a time limit, and records its calls."""

from __future__ import annotations

import ctypes
import math
import sys
import sysconfig
import threading
import time
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import FrameType
from typing import Any, Final

from ..errors import shown_file
from ..overrides import Overridable
from .endless_loops import why_endless
from .failure import CheckFailed

__all__ = [
    "RecordedCalls",
    "TimeLimitExceeded",
    "endless_loop",
    "record_calls",
    "own_line",
    "run_answer",
    "shortest_limit",
    "time_limit",
    "too_long",
]

PATIENCE: Final = 5  # the wall-clock limit, as a multiple, for busy machines
LEAST: Final = 1.0  # seconds on the wall clock, also of the shortest limit
SHORTEST_WAIT: Final = 0.001  # seconds between two looks at the time
AGAIN: Final = 1.0  # seconds until what the block has caught is raised again
PACKAGE: Final = str(Path(__file__).resolve().parents[1])
COURSE: Final = str(Path(__file__).resolve().parent)
INSTALLED: Final = (
    "<frozen ",  # modules that are part of the interpreter
    *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")),
)


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
    `except:` without a class catches all.
    """
    return _TimeLimit(seconds)


class _TimeLimit(AbstractContextManager[None]):
    """The block of `time_limit`, and the thread that watches it.

    The exception must not arrive between the block's end and the note of it: it would
    be raised again in whatever runs then. So this is no generator, and nothing is
    raised while `__exit__` runs.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._wake, self._lock, self._ended = threading.Event(), threading.Lock(), False

    def __enter__(self) -> None:
        seconds = self._seconds
        self._shortest = _shortest.set(min(seconds, _shortest.get()))
        self._thread = threading.get_ident()
        self._limit = time.process_time() + seconds
        self._last = time.monotonic() + max(PATIENCE * seconds, LEAST)
        threading.Thread(target=self._watch, daemon=True).start()

    def __exit__(self, *_: object) -> None:
        self._ended = True
        try:
            with self._lock:
                self._wake.set()
        finally:
            _shortest.reset(self._shortest)

    def _watch(self) -> None:
        left = self._seconds
        while left > 0 and not self._wake.wait(max(left, SHORTEST_WAIT)):
            # The time of looking at the clock is not the block's.
            used = time.process_time() - time.thread_time()
            left = min(self._limit - used, self._last - time.monotonic())
        while True:
            with self._lock:
                if self._ended:
                    return
                if not _runs(self._thread, _TimeLimit.__exit__):
                    _raise_in(self._thread, TimeLimitExceeded)
            self._wake.wait(AGAIN)


def _runs(thread: int, function: Callable[..., Any]) -> bool:
    """Whether a thread is in a call of a function."""
    frame = sys._current_frames().get(thread)
    while frame is not None and frame.f_code is not function.__code__:
        frame = frame.f_back
    return frame is not None


def shortest_limit() -> float:
    """The shortest time limit in effect; infinity without one.

    Example:
        >>> with time_limit(5.0):
        ...     shortest_limit()
        5.0
    """
    return _shortest.get()


def _raise_in(thread: int, kind: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), ctypes.py_object(kind)
    )


def run_answer(
    answer: Callable[..., Any], args: Iterable[Any], kwargs: Mapping[str, Any]
) -> Any:
    """Call the learner's function.

    `RecordedCalls` recognizes an answer that is itself a function of the library by its
    call from here.

    Example:
        >>> run_answer(max, (1, 2), {})
        2
    """
    return answer(*args, **kwargs)


class RecordedCalls:
    """The names of the library's functions that were called from outside it.

    Attributes:
        lines: for each name, the line of the first call; "" if the answer itself is
            the library's function.
        copies: the name of the check's own right function, if that was called.
    """

    def __init__(self, right: Callable[..., Any] | None = None) -> None:
        self.lines: dict[str, str] = {}
        self.copies = ""
        code = getattr(right, "__code__", None)
        self._right = code if code and code.co_filename.startswith(COURSE) else None

    def __contains__(self, name: str) -> bool:
        return name in self.lines

    def any_of(self, names: Collection[str]) -> str:
        """The first of these names that was called, or ""."""
        return next((name for name in names if name in self.lines), "")

    def note(self, frame: FrameType) -> None:
        """Handle a function call."""
        caller = frame.f_back
        if caller is None or not _is_ours(frame):
            return
        is_answer = caller.f_code is run_answer.__code__
        if is_answer or not _is_ours(caller):
            name = _name_of(frame)
            self.lines.setdefault(name, "" if is_answer else f"line {caller.f_lineno}")
            if not is_answer and frame.f_code is self._right:
                self.copies = name


def _name_of(frame: FrameType) -> str:
    """The library's name for a frame's function, or for the function it wraps."""
    code, local = frame.f_code, frame.f_locals
    called = local.get("self")
    if isinstance(called, Overridable):  # functions are wrapped once a subclass exists
        return called.function.__name__.removeprefix("_tensor_")
    if "function" in code.co_freevars:  # of a decorator
        return str(local["function"].__name__).removeprefix("_tensor_")
    if code.co_name == "__init__":  # of a layer or a loss: its class is the callable
        return type(called).__name__
    return code.co_name.removeprefix("_tensor_")


def _is_ours(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(PACKAGE)


@contextmanager
def record_calls(right: Callable[..., Any] | None = None) -> Iterator[RecordedCalls]:
    """A context that records which of the library's functions are called.

    Args:
        right: a check's own right function, which an answer must not call.

    Example:
        >>> import edutorch as torch
        >>> with record_calls() as recorded:
        ...     y = torch.nn.functional.relu(torch.ones(2))
        >>> "relu" in recorded, "conv2d" in recorded
        (True, False)
    """
    recorded, before = RecordedCalls(right), sys.getprofile()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            recorded.note(frame)

    sys.setprofile(note)
    try:
        yield recorded
    finally:
        sys.setprofile(before)


def own_line(error: BaseException) -> str:
    """The last line of the learner's own code in an exception's traceback."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if not f.filename.startswith((PACKAGE, *INSTALLED))]
    if not own:
        return ""
    # Methods that dataclasses and named tuples generate have no source.
    last = ([f for f in own if f.line] or own)[-1]
    place = f"{shown_file(last.filename)}, line {last.lineno}"
    return f"{place}: {last.line}" if last.line else place


def endless_loop(error: BaseException) -> str:
    """The learner's loop that was interrupted, and why it does not end; or ""."""
    return why_endless(error, (PACKAGE, *INSTALLED))


def too_long(
    error: TimeLimitExceeded, seconds: float, called: str = "", *,
    rule: str = "every loop must end", mistake: str = "",
) -> CheckFailed:  # fmt: skip
    """The failure of an answer that exceeded its time limit.

    Args:
        error: raised in the answer.
        seconds: the limit.
        called: the call that was made, written as code.
        rule: the rule that right answers follow.
        mistake: the known mistake of such an answer; otherwise, its loop is named.
    """
    line = own_line(error)
    return CheckFailed(
        f"did not end within {seconds:g} seconds",
        called=called,
        got=f"it was in {line}" if line else "",
        rule=rule,
        mistake=mistake or endless_loop(error),
    )
