"""Rows and columns; the whole layout is tested against fixtures."""

from __future__ import annotations

from edutorch.widgets.ranks import Item, Link, arrange


def box():
    return Item(100, 50, "box", 0.0)


def link(a, b):
    return Link(a, b, 0.0, 0.0)


def test_arrange_when_a_chain_stands_upright():
    grid = arrange([box() for _ in range(5)], [link(i, i + 1) for i in range(4)])
    assert grid.rank[:5] == [0, 1, 2, 3, 4]
    assert len(set(grid.x)) == 1


def test_arrange_when_there_is_a_cycle_draws_one_link_straight():
    grid = arrange([box(), box()], [link(0, 1), link(1, 0)])
    assert grid.chains == [[], None]


def test_arrange_when_a_link_is_very_long_draws_it_straight():
    n = 40
    links = [*(link(i, i + 1) for i in range(n - 1)), link(0, n - 1)]
    assert arrange([box() for _ in range(n)], links).chains[-1] is None


def test_arrange_when_a_weight_is_used_late_sinks_to_its_reader():
    items = [box(), box(), box(), Item(100, 50, "leaf", 0.0)]
    grid = arrange(items, [link(0, 1), link(1, 2), link(3, 2)])
    assert grid.rank[3] == 1


def test_arrange_when_empty_is_empty():
    assert arrange([], []).x == []
