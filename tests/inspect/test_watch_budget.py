"""The common budget of all views."""

from __future__ import annotations

import pytest

from edutorch.inspect.watch_budget import LEAST, SHARE, WatchBudget

SECOND = 1_000_000_000


def test_budget_that_nothing_is_charged_to_is_left_to_listeners():
    budget = WatchBudget()
    budget.advance(SECOND)
    assert budget.left == SHARE


def test_charges_reduce_what_is_left_by_their_share_of_the_time():
    budget = WatchBudget(share=0.1, window=10 * SECOND)
    for _ in range(100):
        budget.charge(SECOND // 25)  # 4 % of each second
        budget.advance(SECOND)
    assert budget.left == pytest.approx(0.06, abs=0.003)


def test_charge_is_forgotten_as_the_training_goes_on():
    budget = WatchBudget(share=0.1, window=10 * SECOND)
    budget.charge(SECOND // 2)
    budget.advance(0)
    assert budget.left == pytest.approx(0.05)
    budget.advance(100 * SECOND)
    assert budget.left == pytest.approx(0.1, abs=1e-4)


def test_listeners_keep_a_part_however_much_is_charged():
    budget = WatchBudget(share=0.1)
    budget.charge(100 * SECOND)
    budget.advance(SECOND)
    assert budget.left == pytest.approx(0.1 * LEAST)


def test_budget_that_is_cleared_knows_of_no_charge():
    budget = WatchBudget()
    budget.charge(100 * SECOND)
    budget.advance(SECOND)
    budget.charge(100 * SECOND)
    budget.clear()
    budget.advance(SECOND)
    assert budget.left == SHARE


def test_clock_that_goes_back_is_taken_for_one_that_stands():
    budget = WatchBudget(share=0.1, window=10 * SECOND)
    budget.charge(SECOND // 2)
    budget.advance(-SECOND)
    assert budget.left == pytest.approx(0.05)
