"""Finds the source line that called an op and the line that implements it."""

from __future__ import annotations

import linecache
from functools import lru_cache
from typing import Any

from ..autograd.dispatch import Op
from ..callers import source
from ..errors import shown_file

__all__ = ["called_at", "defined_at", "op_class"]

LONGEST = 120  # characters of a source line


def called_at(src: int) -> dict[str, Any] | None:
    """The nearest line outside the library, for a record's `src`.

    Example:
        >>> called_at(-1) is None
        True
    """
    if src < 0:
        return None
    place = source(src)
    return _place(place.file, place.line, place.func)


def defined_at(cls: str) -> dict[str, Any] | None:
    """The first line of `forward` of the op class with this name.

    Its "backward" is the first line of `backward` in the same file, 0 for none.

    Example:
        >>> defined_at("Add")["func"]
        'Add.forward'
    """
    return _forward_of(cls, _count())


def _place(file: str, line: int, func: str) -> dict[str, Any]:
    text = linecache.getline(file, line).strip()[:LONGEST]
    return {"file": shown_file(file), "line": line, "func": func, "text": text}


def _count() -> int:
    return len(Op.__subclasses__())


@lru_cache(maxsize=1024)
def _forward_of(cls: str, _ops_known: int) -> dict[str, Any] | None:
    op = op_class(cls)
    if op is None:
        return None
    code = op.forward.__code__
    place = _place(code.co_filename, _first_line(code), code.co_qualname)
    return place | {"backward": _backward_line(op, code.co_filename)}


def _backward_line(op: type[Op], file: str) -> int:
    """The first line of `backward`; 0 if it is not in this file."""
    code = getattr(op.backward, "__code__", None)
    return _first_line(code) if code and code.co_filename == file else 0


def op_class(cls: str) -> type[Op] | None:
    """The op class with this name.

    Example:
        >>> op_class("Add").public
        'add'
    """
    return next((op for op in _family(Op) if op.__name__ == cls), None)


def _family(op: type[Op]) -> list[type[Op]]:
    found = op.__subclasses__()
    return found + [deep for sub in found for deep in _family(sub)]


def _first_line(code: Any) -> int:
    """The line of the first real statement, after `def` and `try`."""
    lines = {line for _, _, line in code.co_lines() if line}
    for line in sorted(lines):
        text = linecache.getline(code.co_filename, line).strip()
        if line > code.co_firstlineno and text != "try:":
            return line
    return int(code.co_firstlineno)
