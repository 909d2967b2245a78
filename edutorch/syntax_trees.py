"""The syntax trees of programs' files, and of the expression that a frame computes."""

from __future__ import annotations

import ast
import linecache
from functools import lru_cache
from itertools import islice
from types import CodeType
from typing import Any

__all__ = ["expression_at", "tree_of"]


def tree_of(file: str, module_globals: Any = None) -> ast.Module | None:
    """The tree of a file or notebook cell; None if its text is unknown or no Python.

    Args:
        file: as in `code.co_filename`.
        module_globals: of its module, for one that is not loaded from a file.

    Example:
        >>> tree_of("no file of this name") is None
        True
    """
    text = "".join(linecache.getlines(file, module_globals))
    return _parsed(text) if text else None


@lru_cache(maxsize=64)
def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):  # a cell with a magic command
        return None


def expression_at(
    code: CodeType, instruction: int, module_globals: Any = None
) -> ast.stmt | None:
    """The source of the expression that an instruction computes; None if unknown.

    Args:
        code: of a function or module.
        instruction: as in `frame.f_lasti`.
        module_globals: as for `tree_of`.

    Example:
        >>> expression_at(compile("x + 1", "no file of this name", "eval"), 0) is None
        True
    """
    position = next(islice(code.co_positions(), instruction // 2, None), None)
    first, last, start, end = position or (None,) * 4
    if first is None or last is None or end is None:
        return None
    lines = linecache.getlines(code.co_filename, module_globals)[first - 1 : last]
    if len(lines) <= last - first:
        return None
    text = "".join(lines).encode()
    skip = len(lines[-1].encode()) - end
    expression = text[start : len(text) - skip].decode(errors="replace").strip()
    for source in (f"({expression})", expression):  # `x += y` is not an expression
        try:
            return ast.parse(source).body[0]
        except (SyntaxError, ValueError):
            continue
    return None
