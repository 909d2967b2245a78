"""One training step in full."""

from __future__ import annotations

from edutorch.inspect.memory import CATEGORIES
from edutorch.inspect.memory_step import ACTIVATION, SAMPLES, StepDetail


def detail(changes, before=(0, 0)):
    ended = changes[-1][0] + 1
    return StepDetail(1, 0, ended, list(before), changes).data("latest")


def test_step_when_short_keeps_every_moment():
    changes = [(10**6 * k, 0, 1, "forward") for k in range(1, 9)]
    assert [row[0] for row in detail(changes)["bytes"]] == list(range(9))


def test_step_when_long_keeps_the_peak_in_a_bounded_number_of_samples():
    changes = [(k, 0, 5 if k % 2 else -5, "forward") for k in range(1, 20_001)]
    changes.insert(7777, (7778, 0, 1000, "forward"))
    changes.insert(7778, (7778, 0, 0, "forward"))
    changes.insert(7779, (7779, 0, -1000, "forward"))
    step = detail(changes)
    assert len(step["t"]) <= SAMPLES + 2
    assert max(row[0] for row in step["bytes"]) >= 1000


def test_step_when_a_category_changes_never_shows_half_of_it():
    changes = [(5, 0, 8, "forward"), (9, 0, -8, "backward"), (9, 1, 8, "backward")]
    assert detail(changes)["bytes"] == [[0, 0], [8, 0], [0, 8]]


def test_phases_when_memory_is_only_freed_go_on():
    changes = [
        (1, 0, 8, "data"), (2, 0, 8, "forward"), (3, 0, 8, "backward"),
        (4, 0, 8, "optim"), (5, 0, -8, "forward"),
    ]  # fmt: skip
    names = [phase["name"] for phase in detail(changes)["phases"]]
    assert names == ["data", "forward", "backward", "update"]


def test_what_keeps_nothing_for_a_backward_is_no_forward():
    assert CATEGORIES[ACTIVATION] == "activation"
    before = (0,) * len(CATEGORIES)
    changes = [
        (1, 2, 8, "forward"), (2, 1, 8, "backward"),
        (3, 4, 8, "forward"), (4, 4, -8, "forward"),  # a gradient's norm
        (5, 1, 8, "backward"), (6, 2, 8, "forward"), (7, 3, 8, "optim"),
    ]  # fmt: skip
    names = [phase["name"] for phase in detail(changes, before)["phases"]]
    assert names == [
        "forward", "backward", "other code", "backward", "forward", "update"
    ]  # fmt: skip


def test_step_when_it_begins_with_what_the_last_one_left_starts_with_its_own():
    changes = [
        (5, 0, -8, "forward"), (10**6, 0, 4, "forward"), (10**6 + 9, 0, 2, "forward")
    ]  # fmt: skip
    step = detail(changes, before=(8, 0))
    assert step["bytes"] == [[0, 0], [4, 0], [6, 0]]
    assert step["t"][1] == 0
    assert step["ms"] < 0.1
