"""Finds the source text of a failed call's operands, without running anything again."""

from __future__ import annotations

import ast
import builtins
import linecache
import re
from collections.abc import Iterator, Sequence
from types import FrameType, ModuleType
from typing import Any

from ..callers import Source
from ..errors import locals_of, shown_file, value_of
from ..syntax_trees import expression_at

__all__ = ["line_of", "operator_tensors", "place_of", "source_names"]

LONGEST = 60  # characters of a name


def source_names(
    caller: FrameType, at: int, callee: FrameType | None
) -> dict[int, str]:
    """The program's expressions for values, by the `id` of the value.

    Variables are matched by identity; other expressions (`f(x)` in `f(x) @ w`), by
    their place among the arguments; parameters of a called module, by its name.

    Args:
        caller: the program's frame.
        at: the instruction that it runs.
        callee: the library's frame that it called.
    """
    tree = expression_at(caller.f_code, at)
    if tree is None:
        return {}
    node = tree.value if isinstance(tree, ast.Expr) else tree
    scope = {**caller.f_globals, **locals_of(caller)}
    names: dict[int, str] = {}
    for inner in ast.walk(node):
        if isinstance(inner, (ast.Name, ast.Attribute)):
            for text, value in value_of(inner, scope):
                names.setdefault(id(value), text)
                for path, parameter in _parameters(value):
                    names.setdefault(id(parameter), text + path)
    if callee is not None:
        for argument, value in _bound(node, scope, callee):
            names.setdefault(id(value), _clipped(ast.unparse(argument)))
    return names


def operator_tensors(caller: FrameType, at: int) -> tuple[str, list[Any]]:
    """The operator that was running, and the values of its variables."""
    tree = expression_at(caller.f_code, at)
    node = tree.value if isinstance(tree, ast.Expr) else tree
    if not isinstance(node, (ast.BinOp, ast.AugAssign)):
        return "", []
    scope = {**caller.f_globals, **locals_of(caller)}
    found = [
        value
        for side in _positional(node, scope, False)
        if isinstance(side, (ast.Name, ast.Attribute))
        for _, value in value_of(side, scope)
    ]
    return type(node.op).__name__.lower(), found


def _clipped(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _parameters(module: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The parameters and buffers of a module and its submodules: `[0].weight`."""
    own = getattr(module, "__dict__", {})
    if not isinstance(own.get("_modules"), dict):
        return
    for kind in ("_parameters", "_buffers"):
        for name, value in own.get(kind, {}).items():
            yield f"{prefix}.{name}", value
    for name, inner in own["_modules"].items():
        step = f"[{name}]" if re.fullmatch(r"\d+", name) else f".{name}"
        yield from _parameters(inner, prefix + step)


def _bound(
    node: ast.AST, scope: dict[str, Any], callee: FrameType
) -> Iterator[tuple[ast.AST, Any]]:
    """Arguments as written, with the values that the function received."""
    code, local = callee.f_code, locals_of(callee)
    count = code.co_argcount
    values = [local.get(name) for name in code.co_varnames[:count]]
    given = list(_positional(node, scope, bool(count) and values[:1] != [None]))
    rest = code.co_varnames[count + code.co_kwonlyargcount :]
    if code.co_flags & 0x04:  # the function takes *args
        values += local.get(rest[0]) or ()
    for argument, value in zip(given, values, strict=False):
        if isinstance(argument, ast.Starred):
            return
        yield from _inner(argument, value)
    for keyword in getattr(node, "keywords", ()):
        if keyword.arg in local:
            yield from _inner(keyword.value, local[keyword.arg])


def _inner(argument: ast.AST, value: Any) -> Iterator[tuple[ast.AST, Any]]:
    """An argument, or each element of a list that is one."""
    if isinstance(argument, (ast.List, ast.Tuple)) and isinstance(value, (list, tuple)):
        if len(argument.elts) == len(value):
            yield from zip(argument.elts, value, strict=True)
    else:
        yield argument, value


def _positional(
    node: ast.AST, scope: dict[str, Any], has_self: bool
) -> Sequence[ast.AST]:
    """The syntax nodes of the positional arguments."""
    match node:
        case ast.BinOp():
            return [node.left, node.right]
        case ast.AugAssign():
            return [node.target, node.value]
        case ast.Compare():
            return [node.left, *node.comparators[:1]]
        case ast.UnaryOp():
            return [node.operand]
        case ast.Subscript():
            return [node.value, node.slice]
        case ast.Call(func=ast.Attribute() as function) if has_self:
            owner = [value for _, value in value_of(function.value, scope)]
            called = [value for _, value in value_of(function, scope)]
            if any(hasattr(value, "_modules") for value in called):
                return [function, *node.args]
            is_function = owner and isinstance(owner[0], ModuleType)
            return node.args if is_function else [function.value, *node.args]
        case ast.Call(func=ast.Name() as function) if _is_foreign(function, scope):
            return []
        case ast.Call(func=ast.Name() as function):
            called = [value for _, value in value_of(function, scope)]
            is_module = any(hasattr(value, "_modules") for value in called)
            return [function, *node.args] if is_module else node.args
    return []


CONVERSIONS = ("abs", "bool", "float", "int", "len", "round")


def _is_foreign(function: ast.Name, scope: dict[str, Any]) -> bool:
    """Whether a name is Python's own, such as `sum`, and not that of an op."""
    own = function.id not in scope and hasattr(builtins, function.id)
    return own and function.id not in CONVERSIONS


def line_of(frame: FrameType, line: int) -> dict[str, Any]:
    """A line of the program, as views show it."""
    code = frame.f_code
    return place_of(Source(code.co_filename, line, code.co_qualname))


def place_of(source: Source) -> dict[str, Any]:
    """A line of the program, given its location."""
    file, line, function = source
    text = linecache.getline(file, line).strip()[:120]
    return {"file": shown_file(file), "line": line, "func": function, "text": text}
