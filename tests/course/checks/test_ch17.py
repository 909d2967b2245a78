from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import check
from tests.course.mistakes import each_is_named
from tests.course.solutions import ch17

SOLUTIONS = {
    "17.1": ch17.step_peak,
    "17.2": ch17.best_fit,
    "17.3": ch17.epoch_losses,
    "17.4": ch17.recompute,
    "17.5": ch17.train_on,
}


@pytest.mark.parametrize("number", SOLUTIONS)
def test_check_of_the_solution_passes(number):
    assert check(number, SOLUTIONS[number]).points > 0


def test_examples_of_the_statements_hold():
    x = torch.tensor([[1.0, 2.0, 6.0], [0.0, 0.0, 3.0]])
    for answer in SOLUTIONS.values():
        assert answer(x).tolist() == [[-2, -1, 3], [-1, -1, 2]]


test_mistakes = each_is_named(
    [(number, lambda x: x - x.mean(), "one mean of all") for number in SOLUTIONS]
)
