"""The exercises of the course, and those that teachers add."""

from __future__ import annotations

import inspect

import pytest

from edutorch.course import catalogue, check, hint, solution
from edutorch.course.catalogue import exercises, find, register
from edutorch.course.exercise import Exercise
from edutorch.course.solution import NotYet

ALL = exercises()
FILE = '''
from edutorch.course import Exercise, compare_functions


def grade(answer):
    """mine.2: three times."""
    compare_functions(answer, "triple", right=lambda x: 3 * x, shown=[(2,), (0,)])


EXERCISES = (Exercise("mine.2", "three times", 1, ("Multiply.",), grade),)
'''


@pytest.fixture(autouse=True)
def unchanged(monkeypatch, tmp_path):
    """The catalogue as it was, and a progress file of this test's own."""
    monkeypatch.setenv("EDUTORCH_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.setattr(catalogue, "_EXERCISES", dict(catalogue._EXERCISES))
    monkeypatch.setattr(catalogue, "_loaded", set())


def test_exercises_ids_are_in_order_and_unlike():
    ids = [exercise.id for exercise in ALL]
    assert ids == sorted(set(ids))


@pytest.mark.parametrize("exercise", ALL, ids=lambda e: e.id)
def test_exercise_is_complete(exercise):
    assert find(exercise.id) is exercise
    assert exercise.points in {1, 2}
    assert 2 <= len(exercise.hints) <= 3
    assert inspect.getdoc(exercise.grade).startswith(f"{exercise.id}: ")


def test_chapters_have_three_to_ten_exercises():
    chapters = [exercise.id[:2] for exercise in ALL]
    assert all(3 <= chapters.count(chapter) <= 10 for chapter in chapters)


def added(id, grade=lambda answer: None):
    return Exercise(id, "added", 1, ("Try.",), grade)


def test_registered_exercise_is_checked_and_hinted():
    register(added("mine.1"))
    assert repr(check("mine.1", None)) == "✓ mine.1 added: right, 1 point"
    assert hint("mine.1").text == "Try."
    assert "mine.1" not in [e.id for e in exercises()]


def test_registered_exercise_has_no_official_solution():
    register(added("mine.1"))
    check("mine.1", None)
    with pytest.raises(NotYet, match="has no official solution"):
        solution("mine.1")


def test_exercise_of_the_course_is_not_replaced():
    with pytest.raises(ValueError, match="01.1 is an exercise of the course"):
        register(added("01.1"))
    assert find("01.1") in ALL


def test_file_in_the_named_folder_is_loaded_once(monkeypatch, tmp_path):
    (tmp_path / "mine.py").write_text(FILE, encoding="utf-8")
    monkeypatch.setenv("EDUTORCH_EXERCISES", str(tmp_path))
    assert check("mine.2", lambda x: x + x + x).points == 1
    assert find("mine.2") is find("mine.2")


def test_file_without_exercises_is_named(monkeypatch, tmp_path):
    (tmp_path / "empty.py").write_text("x = 1\n", encoding="utf-8")
    monkeypatch.setenv("EDUTORCH_EXERCISES", str(tmp_path))
    with pytest.raises(ValueError, match=r"empty\.py has no EXERCISES"):
        find("mine.3")


def test_entry_point_is_loaded(monkeypatch):
    class Entry:
        name, value = "mine", "package.module"

        def load(self):
            return type("module", (), {"EXERCISES": (added("mine.4"),)})

    monkeypatch.setattr(catalogue, "entry_points", lambda group: [Entry()])
    assert find("mine.4").title == "added"


def test_unknown_id_lists_those_there_are():
    with pytest.raises(KeyError, match=r"no exercise '99\.9'; there are 01\.1"):
        find("99.9")


@pytest.mark.parametrize("id", ["1.1", "01.01", "01-1", "1,1", " 01.1 ", "ex 1.1", 1.1])
def test_id_that_is_written_differently_is_suggested(id):
    with pytest.raises(KeyError, match=rf"no exercise '?{id}'?; did you mean 01\.1\?"):
        find(id)


def test_id_of_no_chapter_is_not_guessed():
    for id in ("1.99", "1", "one.1", "1.1.1"):
        with pytest.raises(KeyError, match="there are 01"):
            find(id)
