"""Rows and columns; the whole layout is tested against fixtures."""

from __future__ import annotations

from edutorch.widgets.scope_layout import Item, Link, arrange


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


def test_arrange_when_many_long_links_meet_merges_them():
    n = 40
    row = [link(i, i + 1) for i in range(n - 1)]
    grid = arrange(
        [box() for _ in range(n)], [*row, *(link(i, n - 1) for i in (0, 3, 9, 20))]
    )
    trunk, *others = grid.chains[-4:]
    assert len(trunk) == n - 2
    assert others == [trunk[3:], trunk[9:], trunk[20:]]
    assert len(grid.x) == n + len(trunk)
    assert len({grid.x[d] for d in trunk}) == 1  # upright beside the boxes


def test_arrange_when_few_long_links_meet_keeps_them_apart():
    row = [link(i, i + 1) for i in range(9)]
    grid = arrange([box() for _ in range(10)], [*row, *(link(i, 9) for i in (0, 3, 6))])
    first, second, third = map(set, grid.chains[-3:])
    assert not first & second | first & third | second & third


def test_arrange_when_a_weight_is_used_late_sinks_to_its_reader():
    items = [box(), box(), box(), Item(100, 50, "leaf", 0.0)]
    grid = arrange(items, [link(0, 1), link(1, 2), link(3, 2)])
    assert grid.rank[3] == 1


def test_arrange_when_empty_is_empty():
    assert arrange([], []).x == []
