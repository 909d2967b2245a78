"""Lines of the program that change a tensor in place, for errors of backward.

After a failure, they are found in the text of the functions that are still running.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from inspect import getattr_static
from types import CodeType, FrameType
from typing import Any

import numpy as np

from ..callers import Source, caller_frame, is_library
from ..errors import locals_of, shown_file
from ..syntax_trees import tree_of
from ..tensor.tensor import Tensor

__all__ = ["holders_of", "inplace_lines", "inplace_notes"]

MOST_LINES = 20_000  # the largest file searched
MOST = 4  # lines of a function
_Loop = ast.For | ast.AsyncFor | ast.While
# methods that change no values, unlike others whose names end with "_"
_KEEP_VALUES = frozenset(("detach_", "requires_grad_", "share_memory_"))


def inplace_notes(array: Any) -> Iterator[str]:
    """Notes on the running program's lines that may have changed a saved array.

    Which branches ran is not known.

    Args:
        array: of the saved tensor.
    """
    frame: FrameType | None = caller_frame()
    while frame is not None:
        if not is_library(frame.f_code):
            tensors, optimizers = holders_of(frame, array)
            for place in inplace_lines({*tensors, *optimizers}, frame):
                where = f"{shown_file(place.file)}:{place.line}, in {place.func}"
                text = linecache.getline(place.file, place.line).strip()
                yield f"  a line that may have changed it in place: {where}: {text}"
        frame = frame.f_back


def holders_of(frame: FrameType, array: Any) -> tuple[list[str], list[str]]:
    """The variables whose tensors share memory with an array, and optimizers of those.

    Global variables are among them if the function names them.
    """
    tensors: list[str] = []
    optimizers: list[str] = []
    named = frame.f_code.co_names
    globals_ = {
        name: frame.f_globals[name] for name in named if name in frame.f_globals
    }
    for name, value in (globals_ | locals_of(frame)).items():
        if issubclass(type(value), Tensor):  # a proxy may raise in isinstance
            if _shares(value, array):
                tensors.append(name)
        elif any(_shares(p, array) for p in _parameters(value)):
            optimizers.append(name)
    return tensors, optimizers


def _parameters(optimizer: Any) -> Iterator[Tensor]:
    groups = getattr_static(optimizer, "param_groups", ())
    for group in groups if isinstance(groups, list) else ():
        found = group.get("params", ()) if isinstance(group, dict) else ()
        yield from (p for p in found if isinstance(p, Tensor))


def _shares(tensor: Tensor, array: Any) -> bool:
    data = tensor._data
    arrays = isinstance(data, np.ndarray) and isinstance(array, np.ndarray)
    return data is array or (arrays and np.may_share_memory(data, array))


def inplace_lines(names: set[str], frame: FrameType) -> list[Source]:
    """The lines reached in a function or cell that change variables in place.

    Args:
        names: the variables; of optimizers, `step` changes their parameters.
        frame: of the function.
    """
    code = frame.f_code
    if not names or len(linecache.getlines(code.co_filename)) > MOST_LINES:
        return []
    tree = tree_of(code.co_filename)
    if tree is None:
        return []
    within = _lines_of(code, tree)
    last = _last_reached(frame.f_lineno, tree)
    found = {
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt | ast.expr)
        and node.lineno in within
        and node.lineno <= last
        and _changed(node) in names
    }
    return [Source(code.co_filename, n, code.co_qualname) for n in sorted(found)[:MOST]]


def _lines_of(code: CodeType, tree: ast.Module) -> set[int]:
    """The lines of a function, or all of a cell, which runs statement by statement."""
    if code.co_name != "<module>":
        return {line for _, _, line in code.co_lines() if line}
    spans = [
        range(node.lineno, (node.end_lineno or node.lineno) + 1)
        for node in tree.body
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    ]
    return {line for span in spans for line in span}


def _last_reached(line: int, tree: ast.Module) -> int:
    """The end of the statement that runs, or of the outermost loop around it."""
    ends = [
        node.end_lineno or line
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt)
        and node.lineno <= line <= (node.end_lineno or line)
        and (isinstance(node, _Loop) or not hasattr(node, "body"))
    ]
    return max(ends, default=line)


def _changed(node: ast.AST) -> str:
    """The variable that a statement or call changes in place, or ""."""
    target: ast.AST | None = None
    match node:
        case ast.Call(func=ast.Attribute(attr=name, value=value)):
            ends = name.endswith("_") and not name.endswith("__")
            if name == "step" or (ends and name not in _KEEP_VALUES):
                target = value
        case ast.AugAssign(target=written):
            target = written
        case ast.Assign(targets=[ast.Subscript() as written]):
            target = written
    while isinstance(target, ast.Subscript):
        target = target.value
    return ast.unparse(target) if isinstance(target, (ast.Name, ast.Attribute)) else ""
