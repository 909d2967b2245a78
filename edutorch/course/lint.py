"""Suspicious lines of an answer, which probably do not do what was meant."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from types import CodeType
from typing import Any, Final

from ..syntax_trees import tree_of

__all__ = ["lint", "why_changed"]

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
# Methods of tensors, but not of modules, that return a result and change nothing.
UNCHANGING: Final = (
    "abs", "clamp", "clone", "detach", "exp", "flatten", "item", "log",
    "masked_fill", "mean", "numpy", "permute", "relu", "reshape", "sigmoid",
    "softmax", "sqrt", "squeeze", "sum", "t", "tanh", "transpose", "unsqueeze",
    "view",
)  # fmt: skip


def lint(answer: Any) -> str:
    """The first suspicious line of an answer, and what it does; "" if there is none.

    Args:
        answer: a function, a class, or several of them in a tuple.
    """
    for functions, text in _functions(answer):
        found = [
            (line, words)
            for node in functions
            for part in ast.walk(node)
            for line, words in _reported(part, text)
        ]
        if found:
            line, words = min(found)
            return f"line {line}: {words}"
    return ""


def why_changed(answer: Any) -> str:
    """The line meant to copy a tensor that an answer then changes; "" if unknown.

    Args:
        answer: a function, a class, or several of them in a tuple.
    """
    for functions, _ in _functions(answer):
        for node in functions:
            used = {
                part.id
                for part in ast.walk(node)
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)
            }
            for part in ast.walk(node):
                said = _no_copy(part, used) if isinstance(part, ast.Assign) else ""
                if said:
                    return f"line {part.lineno}: {said}"
    return ""


def _no_copy(part: ast.Assign, used: set[str]) -> str:
    """Why an assignment makes no copy, or one that is never used."""
    shown = ast.unparse(part.value)
    target = part.targets[0]
    if isinstance(part.value, ast.Subscript) and shown.endswith("[:]"):
        whole = ast.unparse(part.value.value)
        return (
            f"`{shown}` copies a list, but of a tensor every slice is a view: "
            f"{whole}.clone() copies"
        )
    if (
        isinstance(target, ast.Name)
        and target.id not in used
        and shown.endswith(".clone()")
    ):
        whole = shown.removesuffix(".clone()")
        return f"the copy is {target.id}, which is not used; {whole} itself is changed"
    return ""


def _functions(answer: Any) -> Iterator[tuple[list[Function], str]]:
    """The functions and methods that the learner wrote, each with its file's text."""
    for code in _codes(answer):
        tree = tree_of(code.co_filename)
        if tree is not None:
            yield (
                [
                    node
                    for node in ast.walk(tree)
                    if isinstance(node, Function)
                    and _begins(node) == code.co_firstlineno
                ],
                "".join(linecache.getlines(code.co_filename)),
            )


def _codes(answer: Any) -> Iterator[CodeType]:
    """The code of the functions and methods that the learner wrote."""
    if isinstance(answer, (tuple, list)):
        for part in answer:
            yield from _codes(part)
    elif isinstance(answer, type):
        for method in vars(answer).values():
            yield from _codes(getattr(method, "__func__", method))
    elif isinstance(code := getattr(answer, "__code__", None), CodeType):
        yield code


def _begins(node: Function) -> int:
    """The line that Python calls a function's first: that of its first decorator."""
    decorators = getattr(node, "decorator_list", ())
    return min([node.lineno, *(d.lineno for d in decorators)])


def _reported(part: ast.AST, text: str) -> Iterator[tuple[int, str]]:
    """Lines and what is suspicious there."""
    if isinstance(part, (ast.For, ast.While)):
        yield from _first_turn(part)
    elif isinstance(part, ast.Assign) and _is_unary_plus(part, text):
        name = ast.unparse(part.targets[0])
        yield part.lineno, f"`=+` sets {name} anew; `+=` adds to it"
    elif isinstance(part, ast.Expr):
        said = _without_effect(part.value)
        if said:
            yield part.lineno, said


def _first_turn(loop: ast.For | ast.While) -> Iterator[tuple[int, str]]:
    for statement in loop.body:
        if any(isinstance(node, ast.Continue) for node in ast.walk(statement)):
            return
        if isinstance(statement, ast.Return):
            yield (
                statement.lineno,
                f"this return ends the loop of line {loop.lineno} in its first turn",
            )


def _is_unary_plus(part: ast.Assign, text: str) -> bool:
    """Whether it is written `x =+ y`."""
    value = part.value
    if not (isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.UAdd)):
        return False
    line = text.splitlines()[value.lineno - 1].encode()
    return line[value.col_offset - 1 : value.col_offset] == b"="


def _without_effect(value: ast.expr) -> str:
    """Why an expression that is a statement of its own does nothing."""
    shown = ast.unparse(value)
    if isinstance(value, ast.Compare):
        return f"`{shown}` compares, and nothing keeps the result; `=` sets"
    if isinstance(value, ast.Attribute):
        return f"`{shown}` does nothing: to call it, write `{shown}()`"
    if isinstance(value, ast.BinOp):
        return f"nothing keeps the result of `{shown}`"
    if (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and value.func.attr in UNCHANGING
    ):
        return f"`{shown}` returns a new tensor, and nothing keeps it"
    return ""
