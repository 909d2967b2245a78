from __future__ import annotations

import pytest

from edutorch.course import check
from tests.course.solutions import ch18

SOLUTIONS = {
    "18.1": ch18.scatter,
    "18.2": ch18.reduce_gradients,
    "18.3": ch18.ring_all_reduce,
    "18.4": ch18.batch_statistics,
    "18.5": ch18.Correlate,
    "18.6": ch18.buckets,
    "18.7": ch18.rank_rows,
    "18.8": ch18.butterfly_all_reduce,
}


@pytest.mark.parametrize("number", SOLUTIONS)
def test_check_of_the_solution_passes(number):
    assert check(number, SOLUTIONS[number]).points > 0
