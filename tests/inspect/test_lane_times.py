"""Busy and waiting time from intervals."""

from __future__ import annotations

import random

import pytest

from edutorch.inspect.lane_times import NOWHERE, Bar, LaneTimes, common_module, rows_of


def bar(start, end, source=""):
    return Bar(start, end, "cuda:0", "op", NOWHERE, "forward", 1, source)


@pytest.mark.parametrize("seed", range(20))
def test_busy_time_is_the_number_of_moments_in_some_interval(seed):
    draw = random.Random(seed)
    spans = [(s, s + draw.randrange(1, 30)) for s in draw.sample(range(300), 40)]
    times = LaneTimes(end=0)
    times.add(bar(*span) for span in sorted(spans))
    assert times.busy == len({t for s, e in spans for t in range(s, e)})
    assert times.ops == 40 and times.end == max(e for _, e in spans)


def test_waiting_is_the_stretch_before_what_came_from_another_device():
    times = LaneTimes(end=100)
    times.add([bar(150, 160, "cuda:1"), bar(170, 180), bar(200, 210, "cuda:1")])
    assert times.waited == {"cuda:1": 70}
    times.add([bar(205, 215, "cpu")])  # it was busy anyway
    assert "cpu" not in times.waited


def test_copy_of_an_account_goes_its_own_way():
    times = LaneTimes(end=0)
    times.add([bar(5, 9, "cpu")])
    copy = times.copy()
    copy.add([bar(10, 12, "cpu")])
    assert (times.busy, times.ops, times.waited) == (4, 1, {"cpu": 5})
    assert (copy.busy, copy.ops, copy.waited) == (6, 2, {"cpu": 6})


@pytest.mark.parametrize("seed", range(10))
def test_rows_hold_no_two_that_overlap_unless_there_are_too_many(seed):
    draw = random.Random(seed)
    spans = sorted((s, s + draw.randrange(1, 20)) for s in draw.sample(range(90), 30))
    rows = rows_of(spans, most=100)
    for i, (a, b) in enumerate(spans):
        for j, (c, d) in enumerate(spans[:i]):
            if a < d and c < b:
                assert rows[i] != rows[j]
    assert max(rows_of(spans, most=2)) == 1


@pytest.mark.parametrize(
    ("a", "b", "both"),
    [("a.b.c", "a.b.d", "a.b"), ("a", "a", "a"), ("a.b", "a.bc", "a"), ("x", "", "")],
)
def test_common_module_is_the_innermost_that_holds_both(a, b, both):
    assert common_module(a, b) == both
