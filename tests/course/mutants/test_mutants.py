"""Wrong answers are refused with their cause, and right ones are accepted."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from edutorch.course import exercises
from tests.course.mutants.answers import Answer, edit, graded, source_of
from tests.notebooks.chapters import NAMES, solutions

WRONG, RIGHT, NAMED = 15, 5, 0.9  # at least, for each exercise; causes over a chapter
CHAPTERS = sorted(
    name for name in NAMES if Path(__file__).with_name(f"ch{name[:2]}.py").exists()
)


def answers(chapter: str) -> dict[str, tuple[Answer, ...]]:
    return importlib.import_module(f"tests.course.mutants.ch{chapter[:2]}").ANSWERS


def every() -> Iterator[object]:
    for chapter in CHAPTERS:
        for number, given in answers(chapter).items():
            for i, answer in enumerate(given):
                kind = "right" if answer.accepted else "wrong"
                yield pytest.param(chapter, number, answer, id=f"{number}-{i}-{kind}")


@pytest.mark.parametrize(("chapter", "number", "answer"), list(every()))
def test_check_accepts_what_is_right_and_names_what_is_wrong(chapter, number, answer):
    source = source_of(answer, solutions(chapter)[number])
    said = graded(chapter, number, source)
    assert bool(said) is not answer.accepted, said or f"accepted:\n{source}"
    assert answer.told.lower() in said.lower(), said


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_chapter_has_enough_answers_and_causes(chapter):
    given = answers(chapter)
    assert set(given) == {e.id for e in exercises() if e.id[:2] == chapter[:2]}
    for number, some in given.items():
        accepted = sum(answer.accepted for answer in some)
        assert accepted >= RIGHT, number
        assert len(some) - accepted >= WRONG, number
    refused = [a for some in given.values() for a in some if not a.accepted]
    assert sum(bool(a.told) for a in refused) >= NAMED * len(refused)


def test_edit_of_what_is_not_in_the_solution_is_refused():
    with pytest.raises(ValueError, match="is not in the solution"):
        source_of(edit("a", "b"), "c")
