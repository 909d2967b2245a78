"""Views are updated as often as their cost allows."""

from __future__ import annotations

import gc

import pytest

from edutorch.widgets.update_schedule import (
    BYTES_PER_SECOND,
    INTERVAL,
    LONGEST,
    SHARE,
    STARVED,
    UpdateSchedule,
)


class View:
    """A view whose update takes so many seconds, and so many bytes."""

    def __init__(self, cost=0.0, sent=0.0):
        self.cost, self.sent, self.updates = cost, sent, []


class Run:
    """Seconds of a training that has a part of the processor, with views open."""

    def __init__(self, *views, part=1.0, training=True):
        self.wall = self.processor = 0.0
        self.views, self.part, self.training = views, part, training
        self.schedule = UpdateSchedule(lambda: self.wall, lambda: self.processor)

    def go_on(self, seconds):
        end = self.wall + seconds
        while self.wall < end - 1e-9:
            self.wall += 0.05
            self.processor += 0.05 * self.part
            self.schedule.advance(self.training)
            for view in self.schedule.due(self.views):
                view.updates.append(self.wall)
                self.schedule.note(view, view.cost, view.sent)

    def share(self):
        """What part of the computing updates take."""
        spent = sum(view.cost * len(view.updates) for view in self.views)
        return spent / self.processor


def test_updates_that_cost_nothing_come_ten_times_a_second():
    view = View()
    Run(view).go_on(10)
    assert 8 / INTERVAL <= len(view.updates) <= 10 / INTERVAL


def test_costly_updates_of_many_views_take_their_share_together():
    views = [View(cost) for cost in (0.2, 0.1, 0.02, 0.02, 0.005, 0.001, 0.0002)]
    run = Run(*views)
    run.go_on(300)
    assert 0.7 * SHARE < run.share() <= SHARE * 1.05


def test_cheap_view_beside_a_costly_one_is_updated_more_often():
    cheap, costly = View(0.001), View(0.1)
    run = Run(cheap, costly)
    run.go_on(100)
    assert len(cheap.updates) == pytest.approx(10 * len(costly.updates), rel=0.2)
    assert run.share() <= SHARE * 1.05


def test_share_is_of_what_the_process_computes_on_a_busy_machine():
    view = View(0.01)
    run = Run(view, part=0.2)
    run.go_on(300)
    assert run.share() <= SHARE * 1.05


def test_view_of_a_process_that_hardly_runs_is_still_updated():
    view = View(0.01)
    run = Run(view, part=0.0)
    run.go_on(300)
    assert len(view.updates) == pytest.approx(300 * STARVED * SHARE / 0.01, rel=0.1)


def test_time_without_a_training_counts_although_nothing_is_computed():
    view = View(0.01)
    Run(view, part=0.0, training=False).go_on(300)
    assert len(view.updates) == pytest.approx(300 * SHARE / 0.01, rel=0.1)


def test_large_messages_stay_below_their_rate_together():
    views = [View(sent=BYTES_PER_SECOND), View(sent=BYTES_PER_SECOND / 100)]
    Run(*views).go_on(100)
    sent = sum(view.sent * len(view.updates) for view in views)
    assert 0.7 < sent / (100 * BYTES_PER_SECOND) <= 1.05


def test_update_that_once_was_costly_is_soon_as_frequent_as_before():
    view = View(0.3)
    run = Run(view)
    run.go_on(1)
    view.cost = 0.0
    run.go_on(60)
    before = len(view.updates)
    run.go_on(10)
    assert 8 / INTERVAL <= len(view.updates) - before <= 10 / INTERVAL


def test_pause_lasts_until_a_view_is_due_but_not_long():
    schedule = UpdateSchedule(lambda: 0.0, lambda: 0.0)
    view = View()
    schedule.note(view, 0.3 * SHARE, 0)
    assert schedule.pause([view]) == pytest.approx(0.3)
    schedule.note(view, 30 * SHARE, 0)
    assert schedule.pause([view]) == LONGEST
    assert schedule.pause([]) == INTERVAL


def test_view_that_is_gone_is_forgotten():
    schedule = UpdateSchedule()
    cheap, costly = View(), View()
    schedule.note(cheap, 0.01, 0)
    schedule.note(costly, 1.0, 0)
    slow = schedule.period(cheap)
    del costly
    gc.collect()
    assert schedule.period(cheap) < slow / 5
