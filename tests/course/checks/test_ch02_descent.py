from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks.ch02_descent import grade_descend
from edutorch.course.random_cases import seeded
from tests.course.solutions import ch02


def by_hand(w, steps, lr):
    with torch.no_grad():
        for _ in range(steps):
            w -= lr * 8 * (w - 4)


def leaves_a_gradient(w, steps, lr):
    ch02.descend(w, steps, lr)
    ((2 * w - 8) ** 2 + w).backward()


@pytest.mark.parametrize("seed", range(10))
def test_solution_ends_where_every_try_expects_it(seed):
    with seeded(seed):
        grade_descend(ch02.descend)


def test_example_of_the_statement_is_right():
    w = torch.tensor(1.0, requires_grad=True)
    ch02.descend(w, 1, 0.1)
    assert w.item() == pytest.approx(3.4)
    ch02.descend(w, 1, 0.1)
    assert w.item() == pytest.approx(3.88)


def test_slopes_by_hand_are_refused():
    with pytest.raises(CheckFailed, match="slope does not come from autograd"):
        grade_descend(by_hand)


def test_gradient_that_is_left_behind_is_refused():
    with pytest.raises(CheckFailed, match="a gradient is left behind"):
        grade_descend(leaves_a_gradient)


def test_values_that_ran_away_do_not_hide_the_mistake():
    def uphill(w, steps, lr):
        ch02.descend(w, steps, -lr)

    with pytest.raises(CheckFailed) as failure:
        grade_descend(uphill)
    assert "uphill" in failure.value.mistake
