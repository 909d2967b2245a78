from __future__ import annotations

import pytest

from edutorch.course import check
from tests.course.solutions import ch17

SOLUTIONS = {
    "17.1": ch17.step_peak,
    "17.2": ch17.best_fit,
    "17.3": ch17.mean_and_worst,
    "17.4": ch17.recompute,
    "17.5": ch17.train_on,
    "17.6": ch17.block_sum,
    "17.7": ch17.program_bytes,
    "17.8": ch17.accumulate,
}


@pytest.mark.parametrize("number", SOLUTIONS)
def test_check_of_the_solution_passes(number):
    assert check(number, SOLUTIONS[number]).points > 0
