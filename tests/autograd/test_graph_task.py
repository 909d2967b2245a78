"""The roots of a backward pass, its order, and accumulated gradients."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.autograd.graph import get_gradient_edge
from edutorch.autograd.graph_task import (
    Task,
    backward_task,
    root_gradients,
    sequence_of,
)


def task_of(y, **options):
    settings = {"create_graph": False, "retain": False, **options}
    return Task([y], [torch.ones(()).numpy()], **settings)


def test_newest_node_comes_first_and_a_leaf_after_its_last_use():
    a = torch.ones(1, requires_grad=True)
    b = torch.ones(1, requires_grad=True)
    first = a * b
    second = first * b
    y = second.sum()
    assert task_of(y).order == [y.grad_fn, second.grad_fn, first.grad_fn]
    visited = [step.node for step in y.backward_steps()]
    assert visited[:2] == [y.grad_fn, second.grad_fn]
    assert [id(t) for t in visited[2:]] == [id(first.grad_fn), id(a), id(b)]


def test_a_leaf_is_visited_as_soon_as_all_has_arrived():
    a = torch.ones(1, requires_grad=True)
    b = torch.ones(1, requires_grad=True)
    steps = [step.name for step in ((a * b) * b * 2).sum().backward_steps()]
    assert steps == [
        "SumBackward0", "MulBackward0", "MulBackward0", "MulBackward0",
        "AccumulateGrad", "AccumulateGrad",
    ]  # fmt: skip
    steps = [step.name for step in (a * 2 + b).sum().backward_steps()]
    assert steps[1:4] == ["AddBackward0", "AccumulateGrad", "MulBackward0"]


class Half(torch.autograd.Function):
    """Gives its first input no gradient."""

    @staticmethod
    def forward(ctx, x, y):
        return x + y

    @staticmethod
    def backward(ctx, g):
        return None, g


def test_leaf_below_a_node_without_gradient_is_visited_all_the_same():
    a = torch.ones(2, requires_grad=True)
    b = torch.ones(2, requires_grad=True)
    (Half.apply(a * 2, b) + a).sum().backward()
    assert a.grad.tolist() == [1.0, 1.0] and b.grad.tolist() == [1.0, 1.0]


def test_leaf_that_is_a_root_too_gets_both_gradients():
    a = torch.ones(2, requires_grad=True)
    torch.autograd.backward([a, a * 3], [torch.ones(2), torch.ones(2)])
    assert a.grad.tolist() == [4.0, 4.0]
    b = torch.ones(2, requires_grad=True)
    torch.autograd.backward([b, (a * 3).sum()], [torch.ones(2), None])
    assert b.grad.tolist() == [1.0, 1.0] and a.grad.tolist() == [7.0, 7.0]


def test_leaf_that_is_no_target_gets_nothing():
    a = torch.ones(2, requires_grad=True)
    b = torch.ones(2, requires_grad=True)
    (a * b).sum().backward(inputs=[a])
    assert a.grad.tolist() == [1.0, 1.0] and b.grad is None


def test_only_what_leads_to_a_target_is_visited():
    a = torch.ones(1, requires_grad=True)
    b = torch.ones(1, requires_grad=True)
    left, right = a * 2, b * 2
    y = (left + right).sum()
    order = task_of(y, targets=[a]).order
    assert left.grad_fn in order and right.grad_fn not in order
    assert all(node is not b for node in order)


def test_second_gradient_is_added_without_touching_the_first():
    a = torch.ones(2, requires_grad=True)
    task = task_of((a * 2).sum())
    first, second = torch.ones(2).numpy(), torch.ones(2).numpy()
    task.add(a, 0, first)
    task.add(a, 0, second)
    task.add(a, 0, second)
    assert task.buffers[a].tolist() == [3.0, 3.0]
    assert first.tolist() == second.tolist() == [1.0, 1.0]


def test_a_place_in_the_graph_stands_for_the_tensor_there():
    y = torch.ones(2, 3, requires_grad=True) * 2
    (at,) = sequence_of(get_gradient_edge(y))
    assert at.shape == y.shape and at.grad_fn is y.grad_fn
    assert sequence_of([y]) == [y]


def test_a_single_number_starts_with_one_in_its_dtype():
    y = torch.ones(2, dtype=torch.float64, requires_grad=True).sum()
    (one,) = root_gradients([y], None, False)
    assert one.tolist() == 1.0 and one.dtype == "float64"
    (one,) = root_gradients([y], None, True)
    assert type(one) is torch.Tensor


@pytest.mark.parametrize(
    ("gradients", "said"),
    [
        (None, "implicitly created only for scalar"),
        ([torch.ones(3)], "Mismatch in shape"),
        ([], "got 1 tensors and 0 gradients"),
    ],
)
def test_gradients_that_do_not_fit_their_roots_are_refused(gradients, said):
    y = torch.ones(2, requires_grad=True) * 2
    with pytest.raises(RuntimeError, match=said):
        root_gradients([y], gradients, False)


def test_a_task_without_inputs_to_differentiate_is_refused():
    y = torch.ones((), requires_grad=True) * 2
    with pytest.raises(RuntimeError, match="cannot be empty"):
        backward_task(y, None, None, False, [])
    assert backward_task(y, None, None, True, None).retain
