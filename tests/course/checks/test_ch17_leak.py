from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks.ch17_leak import (
    LEAK_MISTAKES,
    _fresh,
    _right,
    hold,
    mean_and_worst,
)
from edutorch.course.random_cases import draws
from tests.course.solutions import ch17

DRAWN = [_fresh(draw)[0] for draw in draws(40, ("float32",))]
DRAWN += [[0.25, 0.5], [0.125, 0.25, 0.75]]


def test_token_is_alive_as_long_as_its_graph():
    loss, token = hold(torch.ones(1, requires_grad=True))
    kept = loss.detach()
    assert token() is not None
    del loss
    assert token() is None
    assert kept.item() == 1


def test_token_of_what_records_no_graph_is_gone_at_once():
    with torch.no_grad():
        _, token = hold(torch.ones(1, requires_grad=True))
    assert token() is None


def all_kept(losses):
    return ch17.mean_and_worst(iter([*losses]))


def one_kept(losses):
    values, largest = [], None
    for loss in losses:
        values.append(loss.item())
        if largest is None or loss > largest:
            largest = loss
    return sum(values) / len(values), values.index(largest.item())


def summed(losses):
    values = []
    total = 0
    for loss in losses:
        total = total + loss
        values.append(loss.item())
    return total / len(values), values.index(max(values))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (all_kept, "a list of losses holds them all"),
        (one_kept, "the largest so far"),
        (summed, "ONE graph"),
    ],
)
def test_each_way_to_leak_is_called_by_its_name(answer, words):
    with pytest.raises(CheckFailed) as failure:
        mean_and_worst(answer)
    assert words in str(failure.value)


@pytest.mark.parametrize("words", LEAK_MISTAKES)
def test_mistake_about_losses_differs_on_two_cases(words):
    made = LEAK_MISTAKES[words]
    several = [values for values in DRAWN if len(values) > 1]
    for one in made if isinstance(made, tuple) else (made,):
        assert sum(one(values) != _right(values) for values in several) >= 2
