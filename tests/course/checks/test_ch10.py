from __future__ import annotations

import pytest

from edutorch.course import check, exercises
from tests.course.solutions import ch10

SOLUTIONS = {
    "10.1": ch10.gradient_norms,
    "10.2": ch10.ResidualBlock,
    "10.3": ch10.saliency,
    "10.4": ch10.occlusion,
    "10.5": ch10.freeze,
    "10.6": ch10.groups,
}


@pytest.mark.parametrize("number", SOLUTIONS)
def test_check_of_the_solution_passes(number):
    assert check(number, SOLUTIONS[number]).points > 0


def test_exercises_have_three_hints_each():
    hints = [e.hints for e in exercises() if e.id.startswith("10")]
    assert [len(h) for h in hints] == [3] * 6
