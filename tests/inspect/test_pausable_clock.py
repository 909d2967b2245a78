"""A clock that stops in pauses."""

from __future__ import annotations

from edutorch.inspect.pausable_clock import PausableClock


def test_clock_when_paused_leaves_the_pause_out():
    clock = PausableClock()
    assert clock.read(1000) == 1000
    assert clock.pause("begin", 1200) == 0
    assert clock.now(running=True) == 1200
    assert clock.pause("end", 9200) == 8000
    assert clock.read(9300) == 1300


def test_clock_when_work_goes_on_in_a_pause_counts_it():
    clock = PausableClock()
    clock.pause("begin", 100)
    assert clock.read(700) == 700
    assert clock.pause("end", 1000) == 300
