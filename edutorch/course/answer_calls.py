"""Runs a learner's function, records its calls, and names what took too long."""

from __future__ import annotations

import sys
import sysconfig
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final

from ..errors import shown_file
from ..overrides import Overridable
from .endless_loops import why_endless
from .failure import CheckFailed
from .time_limits import TimeLimitExceeded

__all__ = [
    "INSTALLED",
    "PACKAGE",
    "RecordedCalls",
    "endless_loop",
    "record_calls",
    "own_line",
    "run_answer",
    "too_long",
]

PACKAGE: Final = str(Path(__file__).resolve().parents[1])
COURSE: Final = str(Path(__file__).resolve().parent)
INSTALLED: Final = (
    "<frozen ",  # modules that are part of the interpreter
    *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")),
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
    if code.co_name == "__init__":  # of a layer or a loss, which is called by its class
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
