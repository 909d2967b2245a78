"""The line of the user's program that is running: the nearest frame outside edutorch.

While there are listeners, every operation needs its line, so lines are cached by code
object and instruction.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final, NamedTuple

__all__ = [
    "HOME", "Source", "caller", "caller_frame", "is_library", "source", "stack_level",
]  # fmt: skip

HOME: Final = str(Path(__file__).absolute().parent) + os.sep
_lock = threading.Lock()


class Source(NamedTuple):
    """A place in a program: file, line and function."""

    file: str
    line: int
    func: str


_library: dict[str, bool] = {}  # by file name: hashing a code object is slow
_source_ids: dict[tuple[str, int], int] = {}
_sources: list[Source] = []


def is_library(code: CodeType) -> bool:
    """Whether code belongs to this package (frames of which are never "the caller")."""
    known = _library.get(code.co_filename)
    if known is None:
        known = _library[code.co_filename] = code.co_filename.startswith(HOME)
    return known


def caller_frame(skip: int = 1) -> Any:
    """The nearest frame outside the library, `skip` frames up or more."""
    frame = sys._getframe(skip)
    known = _library.get
    while (up := frame.f_back) is not None:
        ours = known(frame.f_code.co_filename)
        if not (is_library(frame.f_code) if ours is None else ours):
            break
        frame = up
    return frame


def stack_level() -> int:
    """The `stacklevel` with which a warning of the caller names the program's line.

    Fixed numbers would count the decorators around a function.

    Example:
        >>> stack_level()
        1
    """
    level, frame = 1, sys._getframe(1)
    while is_library(frame.f_code) and frame.f_back is not None:
        level, frame = level + 1, frame.f_back
    return level


_Lines = dict[int, int]  # from an instruction of a code object to its place's id
_lines: dict[int, _Lines] = {}  # by a code's id
_ours: set[int] = set()  # ids of the library's codes
_codes: list[CodeType] = []  # keeps codes alive, so that their ids are not used again
CODES: Final = 4096


def caller(define: Callable[[int, Source], None]) -> int:
    """The id of the line outside the library that is running; see `source`.

    For a new line, `define(ident, place)` is called.
    """
    # The search begins above this function, that of `events` and that of dispatch,
    # which are the library's; it ends at the first frame that is not, at any depth.
    frame: Any = sys._getframe(3)
    ours = _ours
    while True:
        key = id(frame.f_code)
        if key not in ours:
            lines = _lines.get(key) or _learn(frame.f_code)
            if lines is not None:
                break
        if frame.f_back is None:
            lines = {}
            break
        frame = frame.f_back
    found = lines.get(frame.f_lasti)
    return _locate(frame, lines, define) if found is None else found


def _learn(code: CodeType) -> _Lines | None:
    """Remember a code object; its lines, or None for one of the library's."""
    with _lock:
        if len(_codes) >= CODES:
            _lines.clear()
            _ours.clear()
            _codes.clear()
        _codes.append(code)
        if not is_library(code):
            return _lines.setdefault(id(code), {})
        _ours.add(id(code))
    return None


def _locate(
    frame: FrameType, lines: _Lines, define: Callable[[int, Source], None]
) -> int:
    """The id of the line that a frame runs, created on first use."""
    code = frame.f_code
    key = (code.co_filename, frame.f_lineno)
    found = _source_ids.get(key)
    if found is None:
        place = Source(*key, code.co_qualname)
        with _lock:
            found = _source_ids[key] = len(_sources)
            _sources.append(place)
        define(found, place)
    lines[frame.f_lasti] = found
    return found


def source(ident: int) -> Source:
    """The place behind a record's `src`."""
    return _sources[ident]


def _after_fork() -> None:
    """Replace the lock: a forked process lacks the thread that held it."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
