"""All exercises by id, including those registered by teachers."""

from __future__ import annotations

import os
import re
import runpy
from collections.abc import Iterable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final

from .checks import (
    ch01,
    ch02,
    ch03,
    ch04,
    ch05,
    ch06,
    ch07,
    ch08,
    ch09,
    ch10,
    ch11,
    ch17,
    ch18,
)
from .exercise import Exercise

__all__ = ["exercises", "find", "register"]

GROUP: Final = "edutorch.exercises"  # of entry points
_CHAPTERS: Final = (
    ch01,
    ch02,
    ch03,
    ch04,
    ch05,
    ch06,
    ch07,
    ch08,
    ch09,
    ch10,
    ch11,
    ch17,
    ch18,
)
_EXERCISES: Final = {e.id: e for chapter in _CHAPTERS for e in chapter.EXERCISES}
_OWN: Final = frozenset(_EXERCISES)
_loaded: Final[set[str]] = set()  # folders, and entry points by name


def exercises() -> tuple[Exercise, ...]:
    """Every exercise of the course, in the order of the chapters.

    Example:
        >>> from edutorch.course import exercises
        >>> [e.id for e in exercises() if e.id.startswith("01")]
        ['01.1', '01.2', '01.3', '01.4', '01.5']
    """
    return tuple(_EXERCISES[id] for id in _EXERCISES if id in _OWN)


def find(id: str) -> Exercise:
    """The exercise with this id, which may be a registered one.

    Raises:
        KeyError: no exercise has this id; the message names the one that was
            probably meant, or lists those there are.
    """
    if id not in _EXERCISES:
        _load_additions()
    if id not in _EXERCISES:
        if near := _near(id):
            raise KeyError(f"no exercise {id!r}; did you mean {near}?")
        raise KeyError(f"no exercise {id!r}; there are {', '.join(_EXERCISES)}")
    return _EXERCISES[id]


def _near(id: Any) -> str:
    """The exercise whose chapter and number an id has, written differently, or "".

    Example:
        >>> _near("1.1"), _near("01-1"), _near("99.9")
        ('01.1', '01.1', '')
    """
    numbers = re.fullmatch(r"\D*([0-9]+)\D+([0-9]+)\s*", str(id))
    if not numbers:
        return ""
    chapter, number = map(int, numbers.groups())
    likely = f"{chapter:02}.{number}"
    return likely if likely in _EXERCISES else ""


def register(*added: Exercise) -> None:
    """Register your own exercises, so that `check` and `hint` find them.

    When an id is not known, Python files of the folder that EDUTORCH_EXERCISES names
    are loaded, and modules that entry points of the group "edutorch.exercises" name:
    their `EXERCISES` are registered. An id that is registered again is replaced.

    Raises:
        ValueError: the id is one of the course's own.

    Example:
        >>> from edutorch.course import Exercise, compare_functions, check, register
        >>> def grade(answer):
        ...     right = lambda x: 2 * x
        ...     compare_functions(answer, "double", right=right, shown=[(3,), (0,)])
        >>> register(Exercise("mine.1", "twice", 1, ("Multiply.",), grade))
        >>> check("mine.1", lambda x: x + x)
        ✓ mine.1 twice: right, 1 point
    """
    for exercise in added:
        if exercise.id in _OWN:
            raise ValueError(
                f"{exercise.id} is an exercise of the course; take another id, "
                f'such as "mine.1"'
            )
        _EXERCISES[exercise.id] = exercise


def _load_additions() -> None:
    """Register the exercises in folders and entry points, each once."""
    folder = os.environ.get("EDUTORCH_EXERCISES", "")
    if folder and folder not in _loaded:
        _loaded.add(folder)
        for path in sorted(Path(folder).glob("*.py")):
            _register_from(runpy.run_path(str(path)).get("EXERCISES"), str(path))
    for entry in entry_points(group=GROUP):
        if entry.name not in _loaded:
            _loaded.add(entry.name)
            _register_from(getattr(entry.load(), "EXERCISES", None), entry.value)


def _register_from(found: Iterable[Exercise] | None, place: str) -> None:
    if found is None:
        raise ValueError(f"{place} has no EXERCISES")
    register(*found)
