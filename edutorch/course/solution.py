"""`solution`: shows the solution of an exercise after an honest attempt."""

from __future__ import annotations

import html
import os
from dataclasses import dataclass
from typing import Final

from . import progress_file
from .catalogue import find
from .course_files import cells_of, solutions_folder

__all__ = ["NotYet", "Solution", "solution"]

ATTEMPTS: Final = 2


class NotYet(Exception):  # noqa: N818  # an answer, not a failure
    """The reason why a solution is not shown."""


@dataclass(frozen=True)
class Solution:
    """The official answer to an exercise, as code."""

    exercise: str
    source: str

    def __repr__(self) -> str:
        return self.source

    def _repr_html_(self) -> str:
        return (
            f"<p>One way to do {html.escape(self.exercise)}:</p>"
            f"<pre><code>{html.escape(self.source)}</code></pre>"
        )


def solution(exercise: str) -> Solution:
    """The official answer, once you have passed the exercise or tried it twice.

    A teacher switches this off for a class: EDUTORCH_SOLUTIONS=off.

    Args:
        exercise: the id, chapter and number: "02.3".

    Raises:
        NotYet: there was no attempt with an answer of your own, or solutions are
            switched off.
        KeyError: no exercise has this id.

    Example:
        >>> from edutorch.course import solution
        >>> solution("01.1")  # doctest: +SKIP
        def strides_of(shape):
            ...
    """
    entry = find(exercise)
    if os.environ.get("EDUTORCH_SOLUTIONS", "").lower() in ("off", "0"):
        raise NotYet(f"{entry.id}: solutions are switched off in this class")
    if not progress_file.passed(entry.id):
        left = ATTEMPTS - progress_file.attempts(entry.id)
        if left > 0:
            count = "once more" if left < ATTEMPTS else "first; two checked answers"
            raise NotYet(
                f'{entry.id}: try it {count}; hint("{entry.id}") costs nothing'
            )
    file = solutions_folder() / f"ch{entry.id[:2]}.py"
    cells = cells_of(file.read_text(encoding="utf-8")) if file.exists() else {}
    if entry.id not in cells:
        raise NotYet(f"{entry.id} has no official solution")
    source = cells[entry.id]
    lines = [line for line in source.split("\n") if not line.strip().startswith("###")]
    return Solution(entry.id, "\n".join(lines).strip())
