"""How many steps are watched."""

from __future__ import annotations

import math
import threading
import time

import pytest

import edutorch as torch
from edutorch import events
from edutorch.inspect import (
    GradientRecorder,
    GraphRecorder,
    MemoryRecorder,
    NanTrailRecorder,
    Recorder,
    RunRecorder,
    TimelineRecorder,
    record,
)
from edutorch.inspect.step_throttle import (
    FIRST,
    LONG,
    NAMES,
    TRIAL,
    StepThrottle,
    throttle_note,
)
from edutorch.inspect.watch_budget import SHARE
from tests.inspect.models import Gan, Training


class Clock:
    """Time that a test makes go by."""

    def __init__(self):
        self.ns = 1000

    def __call__(self):
        return self.ns


class Work:
    """Steps that take so long, and so long when they are watched."""

    def __init__(self, plain, watched):
        self.plain, self.cost = plain, watched
        self.clock = Clock()
        self.throttle = StepThrottle(self.clock)
        self.seen = []

    def step(self, number=1):
        for _ in range(number):
            watched = not self.throttle.skipping
            self.clock.ns += self.cost if watched else self.plain
            self.seen.append(watched)
            torch.ones(2) + 1
            events.next_step()


class Ops:
    def __init__(self):
        self.steps = []

    def handle(self, record):
        if record[0] == "op":
            self.steps.append(record[5])


class Counting(Recorder):
    kinds = ("op", "mark")

    def __init__(self, name="test.pace"):
        super().__init__(name, Ops())
        self.steps = self._collector.steps


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch):
    monkeypatch.setattr("edutorch.inspect.step_throttle.FREE", 0)
    yield
    assert events.active == () and not events.paused


def test_steps_that_are_cheap_to_watch_are_all_watched():
    work = Work(plain=100_000, watched=int(100_000 * (1 + SHARE)))
    with Counting() as recorder:
        work.throttle.join(recorder)
        work.step(100)
        work.throttle.leave(recorder)
    assert work.seen.count(False) == TRIAL  # to learn what they take
    assert len(recorder.steps) == 100 - TRIAL


def test_steps_that_cost_much_are_watched_within_the_budget():
    work = Work(plain=100_000, watched=800_000)
    with Counting() as recorder:
        work.throttle.join(recorder)
        work.step(FIRST)
        assert all(work.seen)
        work.step(100)  # the stretch gets longer
        before, began = len(work.seen), work.clock.ns
        work.step(2000)
        spent = (work.clock.ns - began) / (len(work.seen) - before)
        every = work.throttle.every
        work.throttle.leave(recorder)
    assert 1 < spent / 100_000 <= 1 + SHARE + 0.02
    assert every == math.ceil(7 / SHARE)
    assert recorder.steps == [
        step + recorder.steps[0] for step, watched in enumerate(work.seen) if watched
    ]


def test_time_that_drawing_takes_is_not_left_for_watching_steps():
    plain = 4_000_000
    work = Work(plain, watched=4 * plain)
    everything, drawn = work.throttle.budget.share, 0.02 * plain
    with Counting() as recorder:
        work.throttle.join(recorder)
        for _ in range(8_000):  # 32 s: the average of the last 10 settles
            work.step()
            work.throttle.budget.charge(drawn)
        before, began = len(work.seen), work.clock.ns
        for _ in range(2_000):
            work.step()
            work.throttle.budget.charge(drawn)
        spent = (work.clock.ns - began) / (len(work.seen) - before) + drawn
        work.throttle.leave(recorder)
    assert 1 + everything / 2 < spent / plain <= 1 + everything + 0.02


def test_long_steps_are_watched_though_they_cost_more():
    work = Work(plain=LONG + 1, watched=int(1.9 * LONG))
    with Counting() as recorder:
        work.throttle.join(recorder)
        work.step(60)
        work.throttle.leave(recorder)
    assert work.seen.count(False) == 1


def test_skipping_never_lasts_longer_than_half_a_second():
    work = Work(plain=10_000_000, watched=1_000_000_000)
    with Counting() as recorder:
        work.throttle.join(recorder)
        work.step(500)
        work.throttle.leave(recorder)
    assert work.throttle.every == 1
    longest = max(map(len, "".join("w" if w else "r" for w in work.seen).split("w")))
    assert longest == 50


def test_no_step_is_lost_to_who_counts_them():
    work = Work(plain=100_000, watched=800_000)
    with Counting() as recorder, RunRecorder() as run:
        work.throttle.join(recorder)
        work.throttle.join(run)  # does not skip
        work.step(300)
        work.throttle.leave(recorder)
    assert run.series()["step"] == 300
    assert (work.throttle.watched, work.throttle.missed) == (
        work.seen.count(True),
        work.seen.count(False),
    )


def test_cell_that_begins_is_watched_from_its_first_step_on():
    work = Work(plain=100_000, watched=800_000)
    with Counting() as recorder:
        work.throttle.join(recorder)
        work.step(FIRST + 1)
        assert work.throttle.skipping
        events.control("idle", "begin")
        assert not work.throttle.skipping
        events.control("idle", "end")
        work.step(FIRST)
        assert all(work.seen[-FIRST:])
        work.throttle.leave(recorder)


def test_moment_that_the_program_marks_is_watched_unless_it_marks_all():
    work = Work(plain=100_000, watched=8_000_000)
    with MemoryRecorder() as memory:
        work.throttle.join(memory)
        work.step(FIRST + 3)
        events.mark("epoch 1")
        names = [mark["name"] for mark in memory.series()["marks"]]
        assert "epoch 1" in names
        for _ in range(3 * NAMES):
            work.step(8)
            events.mark("batch")
        marked = [mark["name"] for mark in memory.series()["marks"]].count("batch")
        work.throttle.leave(memory)
    assert NAMES <= marked < 3 * NAMES


def test_recorder_that_a_program_opens_hears_every_step():
    work = Work(plain=100_000, watched=800_000)
    with record() as recording, Counting() as recorder:
        work.throttle.join(recorder)
        work.step(60)
        work.throttle.leave(recorder)
    assert recording.counts.ops["add"].count == 60
    assert len(recorder.steps) < 60


def test_pause_waits_for_the_end_of_a_step_and_then_nothing_is_skipped():
    work = Work(plain=100_000, watched=800_000)
    with Counting() as recorder:
        work.throttle.join(recorder)
        work.step(FIRST + 1)
        work.throttle.hold()
        assert work.throttle.skipping
        work.step(1)
        assert not work.throttle.skipping
        work.step(30)
        assert all(work.seen[-30:])
        work.throttle.release()
        work.step(30)
        assert not all(work.seen[-30:])
        work.throttle.leave(recorder)


def test_pause_while_no_step_ends_is_heard_soon():
    work = Work(plain=100_000, watched=800_000)
    with Counting() as recorder:
        work.throttle.join(recorder)
        work.step(FIRST + 1)
        work.throttle.hold()
        woken = threading.Event()
        for _ in range(200):
            if not work.throttle.skipping:
                woken.set()
                break
            woken.wait(0.02)
        work.throttle.release()
        work.throttle.leave(recorder)
    assert woken.is_set()


def test_look_once_no_step_ends_any_more_watches_what_comes(monkeypatch):
    work = Work(plain=100_000, watched=800_000)
    with Counting() as recorder:
        work.throttle.join(recorder)
        work.step(FIRST + 1)
        work.throttle.check_idle()
        assert work.throttle.skipping
        monkeypatch.setattr("edutorch.inspect.step_throttle.ENDED", 0.0)
        time.sleep(0.005)  # longer than two steps
        work.throttle.check_idle()
        assert not work.throttle.skipping
        work.throttle.leave(recorder)


def test_look_in_a_long_step_waits_for_its_end(monkeypatch):
    work = Work(plain=10**11, watched=10**11)
    with Counting() as recorder:
        work.throttle.join(recorder)
        work.step(FIRST)
        assert work.throttle.skipping  # the next step, to measure it
        monkeypatch.setattr("edutorch.inspect.step_throttle.ENDED", 0.0)
        work.throttle.check_idle()
        assert work.throttle.skipping
        work.step()
        assert not work.throttle.skipping
        work.throttle.leave(recorder)


def test_steps_of_two_threads_are_all_watched():
    work = Work(plain=100_000, watched=800_000)
    with Counting() as recorder:
        work.throttle.join(recorder)
        for _ in range(FIRST + 10):
            work.step()
            thread = threading.Thread(target=work.step)
            thread.start()
            thread.join()
        work.throttle.leave(recorder)
    assert all(work.seen)


def test_throttle_that_fails_watches_everything(monkeypatch):
    work = Work(plain=100_000, watched=800_000)
    with MemoryRecorder() as memory:
        work.throttle.join(memory)
        work.step(FIRST + 1)

        def fails():
            raise MemoryError

        monkeypatch.setattr(work.throttle._allocations, "announce_new", fails)
        work.step(50)
        assert all(work.seen[-40:])
        assert memory.is_open
        work.throttle.leave(memory)


def test_recorder_that_closes_while_it_skips_leaves_the_others_skipping():
    work = Work(plain=100_000, watched=800_000)
    with Counting() as recorder:
        with Counting("test.second") as second:
            work.throttle.join(recorder)
            work.throttle.join(second)
            work.step(FIRST + 1)
        assert work.throttle.skipping and not second.is_open
        work.step(100)
        assert not all(work.seen[-100:])
        work.throttle.leave(recorder)


def test_loss_that_is_nan_in_a_skipped_step_is_told_and_the_next_steps_are_watched():
    work = Work(plain=100_000, watched=800_000)
    w = torch.ones(2, requires_grad=True)
    with NanTrailRecorder() as trail:
        work.throttle.join(trail)
        work.step(FIRST + 2)
        assert work.throttle.skipping and not trail.series()["noticed"]
        (w.sum() * float("nan")).backward()
        noticed = trail.series()["noticed"]
        assert noticed == f"the loss of step {FIRST + 2}, not watched, was nan"
        work.step(FIRST)
        assert all(work.seen[1 - FIRST :])
        (w * float("nan")).sum().backward()
        assert trail.series()["finding"]["rule"].startswith("mul made 2 nan")
        work.throttle.leave(trail)


def test_trail_that_is_to_stop_the_training_never_skips():
    work = Work(plain=100_000, watched=800_000)
    with NanTrailRecorder(stop=True) as trail:
        work.throttle.join(trail)
        work.step(FIRST + 50)
    assert all(work.seen)


def test_gpus_have_every_step_watched():
    work = Work(plain=100_000, watched=800_000)
    with torch.cuda.simulate(), MemoryRecorder() as memory:
        x = torch.ones(3).to("cuda") + 1
        work.throttle.join(memory)
        work.step(FIRST + 50)
        work.throttle.leave(memory)
    assert x.device.type == "cuda" and all(work.seen)


def test_timeline_shows_whole_steps_without_the_time_between():
    work = Work(plain=100_000, watched=800_000)
    with TimelineRecorder(steps=5) as timeline:
        work.throttle.join(timeline)
        work.step(150)
        work.throttle.leave(timeline)
    series = timeline.series()
    bars, names = series["bars"], series["names"]
    numbers = [i for i, watched in enumerate(work.seen) if watched][-5:]
    steps = [i for i, kind in enumerate(bars["kind"]) if kind == 0]
    shown = [int(names[bars["name"][i]].removeprefix("step ")) for i in steps]
    assert shown == numbers
    assert series["pauses"] == []
    ends = [bars["start"][i] + bars["dur"][i] for i in steps]
    assert [bars["start"][i] for i in steps[1:]] == ends[:-1]


def test_gradients_of_watched_steps_are_kept_whatever_their_numbers(monkeypatch):
    monkeypatch.setattr("edutorch.inspect.gradients.ROWS", 8)
    clock = Clock()
    throttle = StepThrottle(clock)
    monkeypatch.setattr(throttle, "_steps_to_skip", lambda cost: 3)
    training = Training(torch.nn.Linear(2, 1), lambda m: m(torch.ones(1, 2)).sum())
    with GradientRecorder(training.model) as gradients:
        throttle.join(gradients)
        for _ in range(FIRST + 200):
            training.step()
        throttle.leave(gradients)
    steps = gradients.series()["steps"]
    assert 4 <= len(steps) <= 8
    assert steps[-1] > 150


def test_graph_of_a_gan_is_that_of_a_whole_step(monkeypatch):
    throttle = StepThrottle(Clock())
    monkeypatch.setattr(throttle, "_steps_to_skip", lambda cost: 3)
    gan = Gan()
    with GraphRecorder() as graph, GraphRecorder("test.all") as always:
        throttle.join(graph)
        for _ in range(FIRST + 4):
            gan.step()
        assert throttle.watched == FIRST + 1
        here, there = described(graph), described(always)
        throttle.leave(graph)
    assert here == there


def described(graph):
    data = graph.snapshot()
    nodes = [(n["id"], n["name"], n["module"], n["shape"]) for n in data["nodes"]]
    return data["step"], nodes, data["edges"]


def test_words_say_how_many_steps_are_watched():
    assert throttle_note(1, 5, 5, 4) == ""
    assert throttle_note(4, 30, 5000, 0) == "watching 1 of 4 steps"
    assert throttle_note(26, 30, 5000, 0) == "watching 1 of about 25 steps"
    assert throttle_note(1, 300, 5000, 4999) == "300 of 5,000 steps were watched"


def test_words_once_no_step_follows_name_the_latest_that_was_watched():
    words = throttle_note(1, 300, 5000, 4990)
    assert words == "300 of 5,000 steps were watched, the latest is step 4,990"


def test_nothing_is_skipped_before_watched_steps_have_taken_their_free_time(
    monkeypatch,
):
    monkeypatch.setattr("edutorch.inspect.step_throttle.FREE", 80_000_000)
    work = Work(plain=100_000, watched=800_000)
    with Counting() as recorder:
        work.throttle.join(recorder)
        work.step(100)  # of which the first is not timed
        assert all(work.seen)
        work.step(30)
        assert not all(work.seen)
        events.control("idle", "begin")
        events.control("idle", "end")
        work.step(100)  # another cell has as much
        assert all(work.seen[-100:])
        work.throttle.leave(recorder)


def test_end_of_a_cell_while_skipping_tells_the_latest_watched_step():
    work = Work(plain=100_000, watched=800_000)
    with Counting() as recorder:
        work.throttle.join(recorder)
        first = events.step
        work.step(FIRST + 2)
        assert work.throttle.every > 1
        events.control("idle", "begin")
        assert work.throttle.every == 1
        assert work.throttle.latest == first + FIRST - 1
        work.throttle.leave(recorder)
