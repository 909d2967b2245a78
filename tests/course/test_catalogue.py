from __future__ import annotations

import inspect

import pytest

from edutorch.course.catalogue import exercises, find

ALL = exercises()


def test_exercises_ids_are_in_order_and_unlike():
    ids = [exercise.id for exercise in ALL]
    assert ids == sorted(set(ids))


@pytest.mark.parametrize("exercise", ALL, ids=lambda e: e.id)
def test_exercise_is_complete(exercise):
    assert find(exercise.id) is exercise
    assert exercise.points in {1, 2}
    assert 2 <= len(exercise.hints) <= 3
    assert inspect.getdoc(exercise.grade).startswith(f"{exercise.id}: ")


def test_chapters_have_three_to_seven_exercises():
    chapters = [exercise.id[:2] for exercise in ALL]
    assert all(3 <= chapters.count(chapter) <= 7 for chapter in chapters)
