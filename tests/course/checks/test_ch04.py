from __future__ import annotations

import pytest

from edutorch.course import check, exercises
from tests.course.solutions import ch04

SOLUTIONS = {
    "04.1": ch04.first_bad_step,
    "04.2": ch04.clip_hook,
    "04.3": ch04.where_cut,
    "04.4": (ch04.standardize, ch04.loss_of, ch04.step),
    "04.5": ch04.safe_length,
}


@pytest.mark.parametrize("number", SOLUTIONS)
def test_check_of_the_solution_passes(number):
    assert check(number, SOLUTIONS[number]).points > 0


def test_exercises_have_three_hints_each():
    hints = [e.hints for e in exercises() if e.id.startswith("04")]
    assert [len(h) for h in hints] == [3] * 5
