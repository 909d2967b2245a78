from __future__ import annotations

import pytest

from edutorch.course import check, exercises
from tests.course.solutions import ch05

SOLUTIONS = {
    "05.1": ch05.Linear,
    "05.2": ch05.named,
    "05.3": ch05.kaiming_,
    "05.4": ch05.count,
    "05.5": ch05.watch,
    "05.6": ch05.Dropout,
}


@pytest.mark.parametrize("number", SOLUTIONS)
def test_check_of_the_solution_passes(number):
    assert check(number, SOLUTIONS[number]).points > 0


def test_exercises_have_three_hints_each():
    hints = [e.hints for e in exercises() if e.id.startswith("05")]
    assert [len(h) for h in hints] == [3] * 6
