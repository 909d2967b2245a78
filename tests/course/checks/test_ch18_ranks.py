from __future__ import annotations

import pytest

from edutorch.course import CheckFailed
from edutorch.course.checks.ch18_ranks import (
    BUTTERFLY,
    ROWS,
    _butterfly,
    _fresh_lists,
    _fresh_rows,
    _rows,
    butterfly_all_reduce,
    rank_rows,
)
from edutorch.course.checks.ch18_ring import _ring
from edutorch.course.random_cases import draws
from edutorch.utils.data import DistributedSampler
from tests.course.solutions import ch18

DRAWN = [_fresh_rows(draw) for draw in draws(80, ("float32",))]
LISTS = [_fresh_lists(draw)[0] for draw in draws(20, ("float32",))]
SMALL = [(2, 5, 4, None, False), (1, 4, 3, None, False)]


@pytest.mark.parametrize(("n", "count", "rank", "epoch", "drop_last"), DRAWN[:30])
def test_rows_of_a_rank_are_those_of_the_sampler(n, count, rank, epoch, drop_last):
    sampler = DistributedSampler(
        range(n), count, rank, shuffle=epoch is not None, drop_last=drop_last
    )
    sampler.set_epoch(epoch or 0)
    assert _rows(n, count, rank, epoch, drop_last) == list(sampler)


def test_example_of_the_statement_is_computed_by_the_solution():
    assert ch18.rank_rows(10, 4, 1, None, False) == [1, 5, 9]
    assert ch18.rank_rows(10, 4, 3, None, False) == [3, 7, 1]
    assert ch18.rank_rows(10, 4, 3, None, True) == [3, 7]


@pytest.mark.parametrize("words", ROWS)
def test_mistake_about_rows_differs_on_two_cases(words):
    made = ROWS[words]
    for one in made if isinstance(made, tuple) else (made,):
        assert sum(one(*case) != _rows(*case) for case in DRAWN + SMALL) >= 2


def test_orders_that_differ_between_ranks_are_refused():
    def own_seed(n, count, rank, epoch, drop_last):
        own = None if epoch is None else epoch + rank
        return ch18.rank_rows(n, count, rank, own, drop_last)

    with pytest.raises(CheckFailed, match="must not depend on the rank"):
        rank_rows(own_seed)


@pytest.mark.parametrize("values", LISTS)
def test_butterfly_ends_with_the_sum_at_every_rank(values):
    sums = [sum(column) for column in zip(*values, strict=True)]
    tables = _butterfly(values)
    assert tables[-1] == [sums] * len(values)
    assert len(values) == 2 ** len(tables)
    assert ch18.butterfly_all_reduce(values) == tables


def test_butterfly_and_ring_end_with_the_same_table():
    values = [[r * 10 + c for c in range(8)] for r in range(8)]
    assert _butterfly(values)[-1] == _ring(values)[-1]
    assert (len(_butterfly(values)), len(_ring(values))) == (3, 14)


@pytest.mark.parametrize("words", BUTTERFLY)
def test_mistake_about_the_butterfly_differs_on_two_cases(words):
    made = BUTTERFLY[words]
    for one in made if isinstance(made, tuple) else (made,):
        assert sum(one(values) != _butterfly(values) for values in LISTS) >= 2


def test_partner_in_one_direction_is_refused():
    def around(values):
        n, tables, now = len(values), [], values
        for step in range(n.bit_length() - 1):
            now = [
                [a + b for a, b in zip(now[r], now[(r + 2**step) % n], strict=True)]
                for r in range(n)
            ]
            tables.append(now)
        return tables

    with pytest.raises(CheckFailed, match="two ranks exchange"):
        butterfly_all_reduce(around)
