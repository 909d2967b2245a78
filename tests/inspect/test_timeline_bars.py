"""Bars made from handwritten records."""

from __future__ import annotations

from edutorch.inspect.timeline_bars import KINDS, Bars

MAIN, OTHER = 7, 9


def mark(ns, name, what, thread=MAIN, step=0):
    control = name if name in ("step", "pause", "idle", "skip") else ""
    return ("mark", ns, ns, 0, thread, step, name, what, control)


def span(ns, duration, what="optim", thread=MAIN, step=0):
    return ("span", ns, ns, duration, thread, step, "a#b", what, "")


def bars_of(*records):
    bars = Bars()
    bars.add(records)
    return [(KINDS[b.kind], b.name, b.start, b.end) for b in bars.nested()]


def test_step_takes_all_time_since_the_one_before():
    found = bars_of(
        span(100, 50), mark(200, "step", "end"), span(300, 50), mark(400, "step", "end")
    )
    steps = [bar for bar in found if bar[0] == "step"]
    assert steps == [("step", "step 0", 100, 200), ("step", "step 0", 200, 400)]


def test_step_that_goes_on_ends_with_the_newest_bar():
    found = bars_of(span(100, 50), mark(200, "step", "end"), span(300, 50, step=1))
    assert ("step", "step 1", 200, 350) in found


def test_time_of_another_thread_is_no_part_of_a_step():
    found = bars_of(
        span(100, 50), span(120, 400, thread=OTHER), mark(200, "step", "end")
    )
    assert [bar for bar in found if bar[0] == "step"] == [("step", "step 0", 100, 200)]


def test_span_that_goes_on_over_a_pause_is_shorter_by_it():
    found = bars_of(
        mark(150, "pause", "begin"), mark(1150, "pause", "end"), span(100, 1100)
    )
    assert ("optim", "b", 100, 200) in found


def test_what_begins_during_a_pause_does_not_end_before_it_began():
    pause = mark(150, "pause", "begin"), mark(1150, "pause", "end")
    block = mark(900, "mine", "begin"), mark(1200, "mine", "end")
    found = bars_of(pause[0], block[0], pause[1], block[1], span(1000, 160))
    assert len(found) == 3 and all(start <= end for *_, start, end in found)


def test_pause_that_has_no_beginning_cuts_nothing():
    found = bars_of(mark(150, "idle", "end"), span(200, 100))
    assert ("optim", "b", 200, 300) in found


def test_end_of_a_block_that_never_began_makes_no_bar():
    assert bars_of(mark(100, "lost", "end")) == []


def test_step_within_a_block_begins_with_it():
    found = bars_of(
        span(100, 10), mark(200, "step", "end"),
        mark(300, "block", "begin"), span(310, 10), mark(400, "step", "end"),
        mark(410, "block", "end"), span(420, 30, step=1),
    )  # fmt: skip
    assert ("step", "step 0", 300, 400) in found
    assert ("range", "block", 300, 410) in found
    assert ("step", "step 1", 410, 450) in found
