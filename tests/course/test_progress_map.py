"""The map of the course shows progress, also without colours."""

from __future__ import annotations

import re

from edutorch.course import progress_map
from edutorch.course.catalogue import exercises
from edutorch.course.progress_map import advice, map_of, titles


def rows(**tried):
    """The first chapter: `_1=(3, True)` for 01.1 with three tries, passed."""
    chapter = [e for e in exercises() if e.id.startswith("01")]
    given = {f"01.{name[1:]}": state for name, state in tried.items()}
    return [(e, *given.get(e.id, (0, False))) for e in chapter]


def labels(page):
    return re.findall(r'aria-label="(01[^"]*)"', page)


def test_map_says_of_each_exercise_how_it_stands():
    page = map_of(rows(_1=(2, True), _2=(1, False)))
    first, second, third, *_ = labels(page)
    assert first.endswith(": passed, 2 tries")
    assert second.endswith(": tried, 1 try")
    assert third.endswith(": still to do")
    assert "<td style='white-space:nowrap'>1 of 5</td>" in page


def test_map_names_chapters_as_their_headings_do():
    assert ">1. Tensors" in map_of(rows())
    assert len(titles()) >= 9


def test_map_without_notebooks_has_numbers(monkeypatch):
    def none():
        raise FileNotFoundError

    monkeypatch.setattr(progress_map, "notebooks_folder", none)
    assert ">Chapter 01</th>" in map_of(rows())


def test_advice_names_the_next_exercise_and_those_to_repeat():
    first, second = advice(rows(_1=(7, True)))
    assert first.startswith("Next: 01.2, ")
    assert second == "Worth repeating: 01.1 (7 tries)."


def test_advice_when_all_is_passed_is_empty():
    assert advice([(e, 1, True) for e, _, _ in rows()]) == []
