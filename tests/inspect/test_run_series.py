"""Samples within a bound, and alerts that state their rule."""

from __future__ import annotations

import math

import pytest

from edutorch.inspect.run_series import (
    ALERTS,
    APART,
    MOST,
    WINDOW,
    RunRules,
    Series,
    Speed,
    as_json,
)


def judged(values, name="loss", **limits):
    rules = RunRules(**limits)
    for step, value in enumerate(values):
        rules.judge(step, name, value)
    return [(alert["step"], alert["kind"]) for alert in rules.alerts], rules


@pytest.mark.parametrize("count", [1, 999, 1000, 1001, 5000])
def test_samples_are_kept_evenly_and_within_the_bound(count):
    series = Series("loss")
    for step in range(count):
        series.add(step, step * 0.5)
    every = 1
    while -(-count // every) > MOST:
        every *= 2
    assert series.stride == every
    assert series.samples == [(s, s * 0.5) for s in range(0, count, every)]
    assert series.last == (count - 1) * 0.5


def test_value_logged_twice_for_a_step_is_the_later_one():
    series = Series("accuracy")
    for value in (0.1, 0.2):
        series.add(3, value)
    assert series.samples == [(3, 0.2)]


def test_values_that_json_has_not_are_strings():
    assert [as_json(x) for x in (math.nan, math.inf, -math.inf)] == [
        "nan",
        "inf",
        "-inf",
    ]


def test_loss_above_ten_times_its_best_is_an_alert_once():
    found, rules = judged([0.5] * 10 + [10.0] * 20 + [0.5] * 20 + [10.0] * 20)
    # five of ten are 10: their mean is 5.25, the first above 5
    assert found == [(14, "rising"), (54, "rising")]
    assert rules.alerts[0]["rule"] == "mean loss 5.25 > 10 x its best 0.5"


def test_one_noisy_loss_among_small_ones_is_no_alert():
    assert judged(([0.01] * 9 + [0.5]) * 10)[0] == []


def test_loss_of_nan_is_an_alert():
    assert judged([1.0, math.nan, math.nan])[0] == [(1, "nonfinite")]


def test_updates_outside_their_limits_are_alerts():
    found, rules = judged([1e-3, 1e-5, 0.5, 1e-2], "update/weight")
    assert found == [(1, "small"), (2, "large")]
    assert rules.alerts[0]["rule"] == "update/weight 1e-05 < 0.0001"


def test_update_just_above_its_limit_is_told_with_the_digits_that_differ():
    _, rules = judged([0.100021], "update/weight")
    assert rules.alerts[0]["rule"] == "update/weight 0.10002 > 0.1"


def test_loss_that_does_not_fall_for_long_is_an_alert_once():
    course = [2.0] * 10 + [1.0] * 30 + [0.5] * 10
    found, rules = judged(course, stalled=10)
    assert found == [(29, "stalled")]
    assert rules.alerts[0]["rule"] == "mean loss 1 of 10 steps, 1 before"


def test_loss_that_falls_slowly_is_no_alert():
    assert judged([1 / (1 + s) for s in range(100)], stalled=10)[0] == []


def test_alerts_are_bounded():
    found, _ = judged([1.0, math.nan] * (ALERTS + 50))
    assert len(found) == ALERTS


def test_speed_is_that_of_the_last_seconds():
    speed = Speed()
    speed.begin(0.0)
    assert speed.rates() is None
    for i in range(1, 101):
        speed.add(i / 2, i, 8 * i)  # two batches a second
    for i in range(1, 101):
        speed.add(50 + i, 100 + i, 800 + 8 * i)  # then one
    assert speed.rates() == pytest.approx((1.0, 8.0))
    assert speed.points[-1][0] - speed.points[0][0] <= WINDOW + 1


def test_speed_is_measured_at_intervals():
    speed = Speed()
    speed.begin(0.0)
    assert not speed.add(APART / 4, 1, 8)  # the first batch makes a point all the same
    assert speed.rates() is not None
    assert not speed.add(APART / 2, 2, 16)
    assert speed.add(2 * APART, 3, 24)
    assert len(speed.points) == 3


def test_speed_of_a_short_loop_counts_all_its_batches_not_the_first_alone():
    speed = Speed()
    speed.begin(now=1.0)
    for i in range(1, 11):
        speed.add(now=1.0 + 0.004 + 0.001 * i, batches=i, samples=8 * i)
    assert speed.rates() == pytest.approx((10 / 0.014, 80 / 0.014))
