"""Answers as students write them, and the verdict expected of each check."""

from __future__ import annotations

import linecache
from dataclasses import dataclass
from typing import Any

from edutorch.course import CheckFailed
from tests.notebooks.chapters import marks, released, solutions

__all__ = ["Answer", "edit", "graded", "right", "source_of", "wrong"]


@dataclass(frozen=True)
class Answer:
    """One answer to an exercise.

    Attributes:
        source: the answer's cell, or the text that replaces `old` in the solution.
        told: words of the check's message, or "" where no cause can be named.
        accepted: whether the check must accept it.
        old: a piece of the official solution, for edits.
    """

    source: str
    told: str = ""
    accepted: bool = False
    old: str = ""


def wrong(source: str, *, told: str = "") -> Answer:
    """A wrong answer, as a whole cell; the check must say `told`."""
    return Answer(source, told)


def right(source: str) -> Answer:
    """A right answer that is not the official one."""
    return Answer(source, accepted=True)


def edit(old: str, new: str, *, told: str = "") -> Answer:
    """The official solution with one piece of text replaced: a wrong answer."""
    return Answer(new, told, old=old)


def source_of(answer: Answer, solution: str) -> str:
    """The cell of an answer.

    Raises:
        ValueError: the text to replace is not in the solution.

    Example:
        >>> source_of(edit("+", "-"), "def f(a, b): return a + b")
        'def f(a, b): return a - b'
    """
    if not answer.old:
        return answer.source
    if answer.old not in solution:
        raise ValueError(f"{answer.old!r} is not in the solution:\n{solution}")
    return solution.replace(answer.old, answer.source)


def graded(chapter: str, number: str, source: str) -> str:
    """Run an answer as the notebook would: "" if it is accepted, else what is said.

    Args:
        chapter: the name of the notebook, such as "02-autograd".
        number: of the exercise, such as "02.3".
        source: the answer's cell.
    """
    cells = solutions(chapter)
    names: dict[str, Any] = {"__name__": "answer"}
    exec("from edutorch.course import check, hint, progress", names)
    exec(cells["imports"], names)
    for name, cell in cells.items():
        if name == number:
            break
        if name != "imports":
            exec(cell, names)
    file = f"<answer {number}>"
    lines = source.splitlines(keepends=True)  # as IPython keeps those of a cell
    linecache.cache[file] = (len(source), None, lines, file)
    exec(compile(source, file, "exec"), names)
    try:
        exec(check_of(chapter, number), names)
    except CheckFailed as failure:
        return str(failure)
    return ""


def check_of(chapter: str, number: str) -> str:
    """The cell of the notebook that checks an exercise."""
    grade_id = f"check-{number.replace('.', '-')}"
    for cell in released(chapter)["cells"]:
        if marks(cell).get("grade_id") == grade_id:
            return "".join(cell["source"])
    raise KeyError(f"{chapter} has no cell {grade_id!r}")
