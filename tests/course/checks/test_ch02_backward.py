from __future__ import annotations

import types

import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks.ch02_backward import grade_backward
from edutorch.course.checks.ch02_graphs import graphs_of_one_try
from edutorch.course.random_cases import seeded
from tests.course.solutions import ch02


def with_order(order):
    """The solution's backward, which calls another `order`."""
    names = {**vars(ch02), "order": order}
    return types.FunctionType(ch02.backward.__code__, names, "backward")


@pytest.mark.parametrize("seed", range(3))
def test_gradients_of_the_solution_are_those_of_the_library(seed):
    with seeded(seed):
        for graph in graphs_of_one_try():
            values = {}
            for node in graph.nodes:
                shares = [
                    s * values[x] for x, s in zip(node.inputs, node.local, strict=True)
                ]
                values[node] = (
                    sum(shares)
                    if shares
                    else torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
                )
                values[node].retain_grad()
            values[graph.root].backward()
            ch02.backward(graph.root)
            for node in graph.nodes:
                assert node.grad == pytest.approx(values[node].grad.item(), abs=1e-12)


def test_wrong_order_beside_a_right_backward_is_blamed():
    answer = with_order(lambda root: ch02.order(root)[::-1])
    with pytest.raises(CheckFailed, match="but the order that it calls is not") as said:
        grade_backward(answer)
    assert "check 02.2" in said.value.mistake
    assert "order" in answer.__globals__


def test_order_that_is_not_written_is_named():
    def order(root):
        raise NotImplementedError("your turn")

    with pytest.raises(CheckFailed, match="order that backward calls is not written"):
        grade_backward(with_order(order))


def test_backward_that_is_not_written_is_not_blamed_on_order():
    def backward(root):
        raise NotImplementedError("your turn")

    with pytest.raises(CheckFailed, match="^not written yet"):
        grade_backward(backward)


def test_zero_gradients_of_all_nodes_are_not_taken_for_a_missing_slope():
    with pytest.raises(CheckFailed) as failure:
        grade_backward(lambda root: None)
    assert "every grad is 0 afterwards" in failure.value.mistake
