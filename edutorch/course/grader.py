"""`check` and `hint`, the functions that a learner calls."""

from __future__ import annotations

import html
import warnings
from dataclasses import dataclass
from typing import Any, Final

from edutorch.inspect.flagged_tensors import flag

from . import progress_file
from .answer_calls import too_long
from .catalogue import find
from .exception_causes import cause_of
from .exercise import Exercise
from .failure import NOT_WRITTEN, CheckFailed
from .global_state import GlobalState
from .lint import lint
from .output_limit import limit_output, suppress_output
from .provenance import Provenance
from .random_cases import is_graded, seed_of, seeded
from .time_limits import TimeLimitExceeded, time_limit
from .unset_memory import UNSET, UnsetMemory

__all__ = ["Hint", "Result", "check", "hint"]

SECONDS: Final = 120.0  # seconds for a whole check; single calls have shorter limits
_SHOWN: Final[dict[str, int]] = {}


@dataclass(frozen=True)
class Result:
    """A passed check, as text and as HTML."""

    exercise: str
    title: str
    points: int
    note: str = ""

    def __repr__(self) -> str:
        points = "1 point" if self.points == 1 else f"{self.points} points"
        note = f"\n{self.note}" if self.note else ""
        return f"✓ {self.exercise} {self.title}: right, {points}{note}"

    def _repr_html_(self) -> str:
        first, *rest = repr(self).split("\n")
        note = "".join(f"<br>{html.escape(line)}" for line in rest)
        return f"<p><b>{html.escape(first)}</b>{note}</p>"


@dataclass(frozen=True)
class Hint:
    """One hint of an exercise, as text and as HTML."""

    exercise: str
    number: int
    count: int
    text: str

    def __repr__(self) -> str:
        return f"hint {self.number} of {self.count} for {self.exercise}: {self.text}"

    def _repr_html_(self) -> str:
        head = f"hint {self.number} of {self.count} for {self.exercise}"
        return f"<p><i>{html.escape(head)}</i><br>{html.escape(self.text)}</p>"


def check(exercise: str, answer: Any) -> Result:
    """Grade an answer: the learner's own function, class or value.

    An open GraphView marks the operation that made a wrong tensor.

    Args:
        exercise: the id, chapter and number: "02.3".
        answer: the live object, not its name in quotes.

    Raises:
        CheckFailed: the answer is not right; the message says where and why.
        KeyError: no exercise has this id.

    Example:
        >>> from edutorch.course import check
        >>> def strides_of(shape):
        ...     return tuple(shape)
        >>> check("01.1", strides_of)  # doctest: +IGNORE_EXCEPTION_DETAIL
        Traceback (most recent call last):
        ...
        CheckFailed: 01.1 strides of a contiguous tensor: the value is not right
    """
    entry = find(exercise)
    flag(0, "")
    seed = seed_of(entry.id, progress_file.tries(entry.id))
    unset, state = UnsetMemory(), GlobalState()
    try:
        # checks do not change the learner's random state
        with seeded(seed), Provenance() as provenance, unset:
            with state, limit_output():
                _grade(entry, answer)
            _need_same_state(state)
    except CheckFailed as failure:
        if state.changed:
            failure.mistake = state.changed[0].mistake
        if unset.shows_in(failure.got) and _got_otherwise(entry, answer, seed) != (
            failure.got
        ):
            failure.mistake = UNSET
        failure.exercise, failure.title = entry.id, entry.title
        failure.made = provenance.of(failure.culprit)
        failure.mistake = failure.mistake or _likely_cause(failure, answer)
        flag(failure.culprit, f"check {entry.id}: {failure.what}")
        _record(failure, entry)
        raise
    problem = progress_file.record(entry.id, passed=True, points=entry.points)
    return Result(entry.id, entry.title, entry.points, problem)


def _likely_cause(failure: CheckFailed, answer: Any) -> str:
    """The usual cause of the exception, or a suspicious line of the answer."""
    if failure.what == NOT_WRITTEN:
        return ""
    error = failure.__cause__
    return (cause_of(error) if error is not None else "") or lint(answer)


def _record(failure: CheckFailed, entry: Exercise) -> None:
    """Record a failed try, and whether it is the learner's first.

    If tries are not saved, none counts as the first: no later one would show more.
    """
    first = progress_file.attempts(entry.id) == 0
    written = failure.what != NOT_WRITTEN
    problem = progress_file.record(
        entry.id, passed=False, points=entry.points, written=written
    )
    failure.first = first and not problem and not is_graded()


def _grade(entry: Exercise, answer: Any) -> None:
    """Grade within a time limit that every right answer meets.

    Warnings are shown, and do not end it, even if a program turns them into errors.
    """
    try:
        with warnings.catch_warnings(), time_limit(SECONDS):
            warnings.simplefilter("default")
            entry.grade(answer)
    except TimeLimitExceeded as error:
        raise too_long(error, SECONDS) from None


def _need_same_state(state: GlobalState) -> None:
    """Check that an answer leaves the library's modes unchanged."""
    for change in state.changed:
        raise CheckFailed(
            f"the answer changes {change.words} for all that follows",
            got=f"afterwards {change.after}",
            expected=f"still {change.before}",
            rule="what a function switches on or off, it switches back",
        )


def _got_otherwise(entry: Exercise, answer: Any, seed: int) -> str:
    """The `got` of a failed check if uninitialised memory holds another value."""
    try:
        with seeded(seed), UnsetMemory(0.5), suppress_output():
            entry.grade(answer)
    except CheckFailed as failure:
        return failure.got
    return ""


def hint(exercise: str, number: int | None = None) -> Hint:
    """Show the next hint of an exercise, or the requested one. Hints cost nothing.

    Args:
        exercise: the id, chapter and number: "02.3".
        number: 1 for the first; None for the one after the last one shown.

    Raises:
        IndexError: the exercise has no hint of this number.

    Example:
        >>> from edutorch.course import hint
        >>> hint("01.1", 1)
        hint 1 of 3 for 01.1: Begin with the last dimension: its stride is 1.
    """
    entry = find(exercise)
    count = len(entry.hints)
    if number is None:
        number = min(_SHOWN.get(exercise, 0) + 1, count)
    if not 1 <= number <= count:
        raise IndexError(f"{exercise} has hints 1 to {count}, got {number}")
    _SHOWN[exercise] = number
    return Hint(exercise, number, count, entry.hints[number - 1])
