from __future__ import annotations

import pytest

from edutorch.course import CheckFailed
from edutorch.course.checks.ch02_graphs import graphs_of_one_try
from edutorch.course.checks.ch02_order import grade_order, is_order
from edutorch.course.random_cases import seeded
from tests.course.solutions import ch02


@pytest.mark.parametrize("seed", range(10))
def test_solution_is_an_order_of_every_graph(seed):
    with seeded(seed):
        grade_order(ch02.order)
        assert all(is_order(ch02.order(g.root), g) for g in graphs_of_one_try())


def test_lists_that_are_no_orders_are_told_from_one():
    graph = graphs_of_one_try()[0]
    a, b, c, d = graph.nodes
    assert is_order([a, b, c, d], graph)
    assert is_order((b, a, c, d), graph)
    for wrong in ([a, c, b, d], [a, b, d], [a, b, c, d, d], [a, b, c, c], "abcd", None):
        assert not is_order(wrong, graph)


@pytest.mark.parametrize("seed", range(5))
def test_distance_from_the_root_is_called_by_name_in_every_try(seed):
    def by_distance(root):
        seen = [root]
        for node in seen:
            seen += [x for x in dict.fromkeys(node.inputs) if x not in seen]
        return seen[::-1]

    with seeded(seed), pytest.raises(CheckFailed) as failure:
        grade_order(by_distance)
    assert "distance from the root" in failure.value.mistake


def test_order_of_an_earlier_call_is_not_mixed_in():
    kept = []

    def order(root):
        kept.extend(node for node in ch02.order(root) if node not in kept)
        return list(kept)

    with pytest.raises(CheckFailed) as failure:
        grade_order(order)
    assert "empty set" in failure.value.mistake
