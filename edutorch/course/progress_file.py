"""Stores attempted and passed exercises in a small local JSON file.

The file is `~/.edutorch/progress.json`, or the one given by EDUTORCH_PROGRESS. It is
replaced atomically, so a kernel that dies while writing leaves the old one.
"""

from __future__ import annotations

import html
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ..serialization.atomic import replacing
from .catalogue import exercises
from .exercise import Exercise
from .progress_map import advice, map_of

__all__ = [
    "Progress",
    "attempts",
    "passed",
    "path",
    "progress",
    "record",
    "tries",
]

VERSION: Final = 1
Entries = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Progress:
    """Each exercise with its tries and points, as text and as a map.

    The tries of a passed exercise are those up to the first pass.
    """

    rows: tuple[tuple[Exercise, int, bool], ...]
    note: str = ""

    @property
    def points(self) -> int:
        """The points of the passed exercises."""
        return sum(exercise.points for exercise, _, passed in self.rows if passed)

    @property
    def total(self) -> int:
        """The points of all exercises."""
        return sum(exercise.points for exercise, _, _ in self.rows)

    def __repr__(self) -> str:
        lines = [f"{self.points} of {self.total} points"]
        width = max((len(exercise.title) for exercise, _, _ in self.rows), default=0)
        for exercise, tries, passed in self.rows:
            mark = "✓" if passed else "·"
            tried = f"{tries} tries" if tries != 1 else "1 try"
            lines.append(f"{mark} {exercise.id}  {exercise.title:<{width}}  {tried}")
        lines += advice(self.rows)
        return "\n".join(lines + ([self.note] if self.note else []))

    def _repr_html_(self) -> str:
        sentences = " ".join([*advice(self.rows), self.note]).strip()
        return (
            f"<p><b>{self.points} of {self.total} points</b></p>{map_of(self.rows)}"
            f"<p>{html.escape(sentences)}</p>"
        )


def progress(chapter: str = "") -> Progress:
    """The exercises attempted and passed on this machine.

    Args:
        chapter: "02" for the exercises of chapter 2; "" for all.

    Example:
        >>> from edutorch.course import progress
        >>> progress("02").total
        8
    """
    entries, note = _read()
    chosen = [e for e in exercises() if e.id.startswith(chapter)]
    rows = tuple(_row(exercise, entries) for exercise in chosen)
    return Progress(rows, note)


def path() -> Path:
    """The path of the progress file."""
    chosen = os.environ.get("EDUTORCH_PROGRESS")
    return Path(chosen) if chosen else Path.home() / ".edutorch" / "progress.json"


def record(id: str, *, passed: bool, points: int, written: bool = True) -> str:
    """Record one attempt. Return "", or why that failed: grading continues.

    Args:
        written: there was an answer to check, not the empty one.
    """
    entries, _ = _read()
    entry = entries.setdefault(id, {"tries": 0, "passed": False, "points": points})
    entry["tries"] += 1
    entry["attempts"] = entry.get("attempts", 0) + written
    if passed and not entry["passed"]:
        entry["needed"] = entry["tries"]
    entry["passed"] = entry["passed"] or passed
    try:
        _write({"v": VERSION, "exercises": entries})
    except OSError as error:
        return f"progress was not saved: {error}"
    return ""


def tries(id: str) -> int:
    """The number of attempts at an exercise."""
    entry = _read()[0].get(id)
    return entry["tries"] if entry else 0


def attempts(id: str) -> int:
    """The number of attempts with an answer of the learner's own."""
    entry = _read()[0].get(id)
    return entry["attempts"] if entry else 0


def passed(id: str) -> bool:
    """Whether an exercise was passed."""
    entry = _read()[0].get(id)
    return bool(entry and entry["passed"])


def _row(exercise: Exercise, entries: Entries) -> tuple[Exercise, int, bool]:
    entry: dict[str, Any] = entries.get(exercise.id, {"tries": 0, "passed": False})
    return exercise, entry.get("needed", entry["tries"]), entry["passed"]


def _read() -> tuple[Entries, str]:
    """The entries, and a note if the file exists but could not be used."""
    try:
        text = path().read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}, ""
    except (OSError, UnicodeDecodeError) as error:
        return {}, f"{path()} cannot be read: {error}"
    try:
        entries = {
            id: _valid(entry) for id, entry in json.loads(text)["exercises"].items()
        }
    except (ValueError, TypeError, KeyError, AttributeError):
        return {}, f"{path()} is damaged; the next check starts a new one"
    return entries, ""


def _valid(entry: dict[str, Any]) -> dict[str, Any]:
    needed = {"needed": int(entry["needed"])} if "needed" in entry else {}
    return {
        **needed,
        "tries": int(entry["tries"]),
        "attempts": int(entry.get("attempts", entry["tries"])),
        "passed": entry["passed"] is True,
        "points": int(entry["points"]),
    }


def _write(value: dict[str, Any]) -> None:
    """Write atomically: readers see either the old text or the new."""
    target = path()
    target.parent.mkdir(parents=True, exist_ok=True)
    with replacing(target) as file:
        file.write(json.dumps(value, indent=1, sort_keys=True).encode())
