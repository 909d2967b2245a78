"""Signatures as the source has them: short annotations, defaults that are Python."""

from __future__ import annotations

import inspect
import re
from typing import Any

__all__ = ["signature", "wrapped"]

WIDTH = 76


class _Written(str):
    """An annotation or a default as the source has it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def wrapped(call: str) -> str:
    """A name with its signature; too long for a line, it has one argument a line."""
    if len(call) <= WIDTH or "(" not in call:
        return call
    start = call.index("(") + 1
    depth, lines = 0, [call[:start], "    "]
    for i, sign in enumerate(call[start:], start):
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0:
            return "\n".join([*lines[:-1], f"{lines[-1]},", call[i:]])
        lines[-1] += sign
        if sign == "," and depth == 0:
            lines.append("   ")
    return call


def signature(thing: Any, drop: bool = False) -> str:
    """Arguments and result as in the source; `drop` leaves out the first, `self`."""
    try:
        told = inspect.signature(thing)
    except (TypeError, ValueError):  # Python's own, in C
        return "(*args, **kwargs)"
    parameters = [
        p.replace(annotation=_annotation(p.annotation), default=_default(p.default))
        for p in told.parameters.values()
    ][drop:]
    result = _annotation(told.return_annotation)
    none = inspect.isclass(thing) or result == "None"
    return str(
        inspect.Signature(
            parameters,
            return_annotation=inspect.Signature.empty if none else result,
            __validate_parameters__=False,
        )
    )


def _annotation(annotation: Any) -> Any:
    if annotation is inspect.Parameter.empty or isinstance(annotation, str):
        return annotation if not isinstance(annotation, str) else _Written(annotation)
    return _Written(inspect.formatannotation(annotation))


def _default(value: Any) -> Any:
    """A default, or `...` for one whose text is no Python."""
    if value is inspect.Parameter.empty:
        return value
    text = repr(value)
    return _Written("...") if re.search(r"[<>]| at 0x|\n", text) else value
