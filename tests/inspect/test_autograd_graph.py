"""The graph that autograd remembers."""

from __future__ import annotations

import edutorch as torch
from edutorch.inspect.autograd_graph import MOST, autograd_graph
from edutorch.inspect.view_schemas import check_view


def test_history_lists_leaves_and_operations_in_the_order_they_ran():
    w = torch.ones(2, requires_grad=True)
    x = w.exp()
    graph = autograd_graph("add", "sizes differ", [x, x * w])
    check_view("graph", graph)
    assert [n["name"] for n in graph["nodes"]] == ["parameter", "exp", "mul", "add"]
    assert sorted(map(tuple, graph["edges"])) == [
        ("op0", "op1"),
        ("op0", "op2"),
        ("op1", "failed"),
        ("op1", "op2"),
        ("op2", "failed"),
    ]
    assert graph["nodes"][1]["shape"] == [2]


def test_history_of_tensors_without_one_is_none():
    assert autograd_graph("add", "", [torch.ones(2)]) is None


def test_history_of_a_failed_backward_ends_at_its_node():
    w = torch.ones(2, requires_grad=True)
    y = w.exp()
    graph = autograd_graph("exp", "changed", [y.grad_fn], {id(w): "w"})
    assert [n["name"] for n in graph["nodes"]] == ["w", "exp"]
    assert graph["nodes"][-1]["error"] == "changed"


def test_long_history_is_cut_and_says_so():
    x = torch.ones(1, requires_grad=True)
    for _ in range(2 * MOST):
        x = x * 2
    graph = autograd_graph("add", "", [x])
    check_view("graph", graph)
    assert len(graph["nodes"]) == MOST + 1
    assert graph["dropped"] > 0
