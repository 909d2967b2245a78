"""Finds the loop in which an answer timed out, and why it does not end."""

from __future__ import annotations

import ast
import traceback
from collections import Counter
from collections.abc import Iterator
from types import FrameType
from typing import Final

from ..syntax_trees import tree_of

__all__ = ["why_endless"]

Loop = ast.While | ast.For
GROWING: Final = ("append", "extend", "insert", "add", "update")
MANY_CALLS: Final = 5  # nested calls of one function


def why_endless(error: BaseException, ignored: tuple[str, ...]) -> str:
    """The loop that an exception interrupted, and why it does not end.

    Args:
        error: raised in the running code.
        ignored: beginnings of the paths of files that are not the learner's.

    Returns:
        One sentence; "" if no loop of the learner's was interrupted.
    """
    frames = [
        (frame, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if not frame.f_code.co_filename.startswith(ignored)
    ]
    loops = [loop for frame, line in frames for loop in _loops_around(frame, line)]
    # A `while` is the usual cause, inside a `for` or around one: look at it first.
    for loop in loops:
        if isinstance(loop, ast.While) and (cause := _stays_true(loop)):
            return f"the loop of line {loop.lineno}: {cause}"
    for loop in loops:
        if isinstance(loop, ast.For) and (name := _grows(loop)):
            return (
                f"the loop of line {loop.lineno} goes through {name}, "
                f"which each turn makes longer: loop over list({name})"
            )
    if called := _calls_itself(frames):
        return (
            f"{called} calls itself again and again: "
            "come to each place once, or remember what was computed"
        )
    whiles = [loop for loop in loops if isinstance(loop, ast.While)]
    if whiles:
        loop = whiles[-1]
        return (
            f"the loop of line {loop.lineno}: `while {ast.unparse(loop.test)}` stays "
            "true: what makes it false?"
        )
    if loops:
        lines = " and ".join(sorted({str(loop.lineno) for loop in loops}, key=int))
        plural = "s of lines" if " and " in lines else " of line"
        return f"the loop{plural} {lines}: too many turns, or too much work in each"
    return ""


def _loops_around(frame: FrameType, line: int) -> Iterator[Loop]:
    """The loops of the frame's function around the current line, outermost first."""
    tree = tree_of(frame.f_code.co_filename, frame.f_globals)
    if tree is None:
        return
    first = frame.f_code.co_firstlineno
    for node in ast.walk(tree):
        if isinstance(node, Loop) and first <= node.lineno <= line <= (
            node.end_lineno or node.lineno
        ):
            yield node


def _stays_true(loop: ast.While) -> str:
    """Why the condition of a loop cannot become false; "" if it may."""
    test = ast.unparse(loop.test)
    if isinstance(loop.test, ast.Constant):
        if _leaves(loop):
            return (
                f"`while {test}` ends only with its break or return: it is not reached"
            )
        return f"`while {test}` has no break and no return"
    names = sorted(_variables(loop.test))
    if (
        not names
        or _leaves(loop)
        or any(isinstance(n, ast.Call) for n in ast.walk(loop.test))
    ):
        return ""
    changed = {name for node in loop.body for name in _changed(node)}
    if changed & set(names):
        return ""
    return (
        f"`while {test}` stays true, because nothing in the loop changes "
        f"{_listed(names)}"
    )


def _leaves(loop: ast.While) -> bool:
    """Whether a statement in the loop can end it."""
    inner = [node for part in loop.body for node in ast.walk(part)]
    return any(isinstance(node, (ast.Break, ast.Return, ast.Raise)) for node in inner)


def _variables(test: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}


def _changed(part: ast.stmt) -> Iterator[str]:
    """Names that a statement binds, or whose values it may modify."""
    for node in ast.walk(part):
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            yield node.id
        elif isinstance(node, (ast.Attribute, ast.Subscript)):
            if isinstance(node.ctx, (ast.Store, ast.Del)):
                yield from _variables(node.value)
        elif isinstance(node, ast.Call):
            for value in (node.func, *node.args, *(k.value for k in node.keywords)):
                yield from _variables(value)


def _grows(loop: ast.For) -> str:
    """The name of the list that a loop iterates over and extends, or ""."""
    if not isinstance(loop.iter, ast.Name):
        return ""
    name = loop.iter.id
    for part in loop.body:
        for node in ast.walk(part):
            if (
                isinstance(node, ast.Attribute)
                and node.attr in GROWING
                and isinstance(node.value, ast.Name)
                and node.value.id == name
            ):
                return name
            if isinstance(node, ast.AugAssign) and ast.unparse(node.target) == name:
                return name
    return ""


def _calls_itself(frames: list[tuple[FrameType, int]]) -> str:
    """The name of a function that is active several times, or ""."""
    counts = Counter(frame.f_code for frame, _ in frames)
    for code, count in counts.most_common(1):
        if count >= MANY_CALLS:
            return code.co_name
    return ""


def _listed(names: list[str]) -> str:
    """Names as a list in a sentence: a, b or c."""
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
