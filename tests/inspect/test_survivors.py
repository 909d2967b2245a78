"""Survivors by line, and how they grow."""

from __future__ import annotations

from edutorch.inspect.survivors import (
    GREW,
    OTHER_LINES,
    Growth,
    Survivors,
    TrackedObject,
)


def test_things_survive_once_they_have_seen_two_step_ends():
    kept = Survivors()
    kept.add(1, TrackedObject(7, 100))
    kept.end_step()
    assert not kept.old
    kept.end_step()
    assert kept.counts == {7: 1}
    assert kept.nbytes == {7: 100}
    kept.drop(1)
    assert kept.counts[7] == kept.nbytes[7] == 0


def test_what_goes_before_the_next_step_ends_does_not_survive():
    kept = Survivors()
    for key in range(5):
        kept.add(key, TrackedObject(7, 100))
        kept.drop(key - 1)
        kept.end_step()
    assert not kept.old


def test_things_move_to_another_line_at_any_age():
    kept = Survivors()
    for key in range(3):
        kept.add(key, TrackedObject(7, 10))
        kept.end_step()
    for key in range(3):
        kept.move(key, -1)
    kept.end_step()
    assert +kept.counts == {-1: 3}
    assert +kept.nbytes == {-1: 30}


def test_lines_beyond_the_limit_are_counted_together():
    kept = Survivors()
    for line in range(1000):
        kept.add(line, TrackedObject(line, 1))
    kept.end_step()
    kept.end_step()
    assert len(kept.counts) < 300
    assert sum(kept.counts.values()) == 1000
    for line in range(1000):
        kept.drop(line)
    assert sum(kept.counts.values()) == 0
    assert OTHER_LINES in kept.counts


def test_newest_survivors_of_a_line_come_first():
    kept = Survivors()
    for key in range(4):
        kept.add(key, TrackedObject(key % 2, 1))
    kept.end_step()
    kept.end_step()
    assert [key for key, _ in kept.of_line(1)] == [3, 1]


def test_growth_is_certain_only_after_eight_steps_in_a_row():
    growth = Growth()
    for n in range(1, GREW):
        growth.note(n)
    assert not growth.always
    growth.note(GREW)
    assert growth.always
    growth.note(GREW)
    assert not growth.always
    assert growth.grew == GREW - 1
