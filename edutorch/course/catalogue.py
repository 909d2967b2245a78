"""All exercises of the course, by id."""

from __future__ import annotations

from typing import Final

from .checks import ch01, ch02, ch03, ch04, ch05, ch06, ch07, ch08, ch09, ch11
from .exercise import Exercise

__all__ = ["exercises", "find"]

_CHAPTERS: Final = (ch01, ch02, ch03, ch04, ch05, ch06, ch07, ch08, ch09, ch11)
_EXERCISES: Final = {e.id: e for chapter in _CHAPTERS for e in chapter.EXERCISES}


def exercises() -> tuple[Exercise, ...]:
    """Every exercise of the course, in the order of the chapters.

    Example:
        >>> from edutorch.course import exercises
        >>> [e.id for e in exercises() if e.id.startswith("01")]
        ['01.1', '01.2', '01.3', '01.4', '01.5']
    """
    return tuple(_EXERCISES.values())


def find(id: str) -> Exercise:
    """The exercise of this id.

    Raises:
        KeyError: no exercise has this id; the message lists those there are.
    """
    if id not in _EXERCISES:
        raise KeyError(f"no exercise {id!r}; there are {', '.join(_EXERCISES)}")
    return _EXERCISES[id]
