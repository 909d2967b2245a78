from __future__ import annotations

import pytest

from edutorch.course import CheckFailed
from edutorch.course.checks.ch02_graphs import (
    Graph,
    Node,
    graphs_of_one_try,
    ladder,
    run_on,
)
from edutorch.course.random_cases import seeded


def asked(answer, graph):
    return run_on(answer, graph, "answer", rule="a rule", slow="too slow")


@pytest.mark.parametrize("seed", range(20))
def test_graphs_are_in_order_and_have_what_the_root_needs(seed):
    with seeded(seed):
        graphs = graphs_of_one_try()
    for graph in graphs:
        place = {node: i for i, node in enumerate(graph.nodes)}
        assert len(place) == len(graph.nodes)
        needed = {graph.root}
        for node in reversed(graph.nodes):
            assert node in needed
            assert len(node.local) == len(node.inputs)
            assert all(place[x] < place[node] for x in node.inputs)
            needed.update(node.inputs)
        assert not needed & set(graph.others)


def test_another_try_draws_other_graphs():
    with seeded(1):
        first = [graph.words() for graph in graphs_of_one_try()]
    with seeded(2):
        second = [graph.words() for graph in graphs_of_one_try()]
    assert first[:7] == second[:7]
    assert first[7:] != second[7:]


def test_words_of_a_graph_name_the_inputs_of_each_node():
    a = Node("a", 1.0)
    b = Node("b", 2.0, (a,), (2.0,))
    assert Graph([a, b]).words() == "b = f(a)"
    assert Graph([a]).words() == "a is a leaf"
    assert ladder().words().startswith("60 nodes; the last are")


def test_answer_that_changes_a_node_is_refused():
    def halve(root):
        root.value /= 2

    with pytest.raises(CheckFailed, match="the graph itself was changed"):
        asked(halve, ladder(3))


def test_answer_that_does_not_end_is_told_the_likely_mistake():
    def forever(root):
        while True:
            root.grad = 0.0

    with pytest.raises(CheckFailed, match="did not end") as failure:
        asked(forever, ladder(30))
    assert failure.value.mistake == "too slow"


def test_answer_that_does_not_end_on_a_few_nodes_is_not_slow():
    def forever(root):
        while True:
            root.grad = 0.0

    with pytest.raises(CheckFailed, match="did not end") as failure:
        asked(forever, ladder(3))
    assert "`while True` has no break and no return" in failure.value.mistake
