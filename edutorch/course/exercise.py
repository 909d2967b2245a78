"""The definition of an exercise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["Exercise"]


@dataclass(frozen=True)
class Exercise:
    """One exercise of a chapter.

    `grade` takes the learner's answer and returns, or raises `CheckFailed`.
    """

    id: str
    title: str
    points: int
    hints: tuple[str, ...]
    grade: Callable[[Any], None]
