from __future__ import annotations

import random
import traceback

import pytest

from edutorch.course import thread_blocks
from edutorch.course.thread_blocks import RaceError, launch
from edutorch.course.time_limits import TimeLimitExceeded


def test_threads_know_their_place():
    def place(thread, out):
        i = thread.block * thread.size + thread.number
        out[i] = (thread.block, thread.number, thread.blocks)

    out = [None] * 6
    launch(place, 2, 3, out)
    assert out == [(b, n, 2) for b in range(2) for n in range(3)]


def test_shared_memory_is_one_for_each_block():
    def turned(thread, x, out):
        i = thread.block * thread.size + thread.number
        thread.shared[thread.number] = x[i]
        yield
        out[i] = thread.shared[thread.size - 1 - thread.number]

    out = [0] * 6
    done = launch(turned, 2, 3, [1, 2, 3, 4, 5, 6], out)
    assert out == [3, 2, 1, 6, 5, 4]
    assert (done.reads, done.writes, done.shared) == (6, 6, 12)
    assert (done.barriers, done.longest) == (1, 4)


@pytest.mark.parametrize("seed", range(5))
def test_missing_barrier_is_a_race_in_every_order(seed):
    def turned(thread, out):
        thread.shared[thread.number] = thread.number
        out[thread.number] = thread.shared[thread.size - 1 - thread.number]

    with pytest.raises(RaceError, match=r"shared\[\d\].* no barrier between"):
        launch(turned, 1, 4, [0] * 4, seed=seed)


def test_two_threads_that_add_to_one_number_race_also_across_blocks():
    def add(thread, out):
        out[0] = out[0] + thread.block
        yield

    with pytest.raises(RaceError, match=r"out\[0\]"):
        launch(add, 2, 1, [0])


def test_barrier_that_not_all_threads_reach_is_refused():
    def some(thread, out):
        if thread.number < 2:
            yield
        out[thread.number] = 1

    with pytest.raises(RaceError, match="never comes"):
        launch(some, 1, 4, [0] * 4)


@pytest.mark.parametrize("at", [-1, 3, 0.0])
def test_index_outside_is_refused(at):
    def read(thread, x):
        x[at] = 1

    with pytest.raises(IndexError, match="x has 3 numbers"):
        launch(read, 1, 1, [1, 2, 3])


@pytest.mark.parametrize("stop", [TimeLimitExceeded, KeyboardInterrupt])
def test_stop_between_two_steps_is_raised_where_the_kernel_waits(monkeypatch, stop):
    class Interrupted(random.Random):
        calls = 0

        def sample(self, *args):
            self.calls += 1
            if self.calls == 5:
                raise stop
            return super().sample(*args)

    def endless(thread, x):
        while True:
            x[thread.number] += 1
            yield

    monkeypatch.setattr(thread_blocks.random, "Random", Interrupted)
    x = [0, 0]
    with pytest.raises(stop) as error:
        launch(endless, 1, 2, x)
    lines = [frame.line for frame in traceback.extract_tb(error.value.__traceback__)]
    assert "yield" in lines
    assert x == [2, 2]


def test_stop_is_raised_at_a_thread_that_waits_not_at_one_that_has_ended(monkeypatch):
    class Ordered(random.Random):
        def sample(self, values, count):
            if isinstance(values, range):
                return list(values)
            made = isinstance(values[0], thread_blocks.Thread)
            return sorted(values, key=number, reverse=not made)  # the last runs first

    def number(thread):
        return (
            thread if isinstance(thread, thread_blocks.Thread) else thread[0]
        ).number

    def kernel(thread, x):
        if thread.number:
            yield

    def next_or_stop(steps):
        for _ in steps:
            return
        raise TimeLimitExceeded

    monkeypatch.setattr(thread_blocks.random, "Random", Ordered)
    monkeypatch.setattr(thread_blocks, "next", next_or_stop, raising=False)
    with pytest.raises(TimeLimitExceeded) as error:
        launch(kernel, 1, 2, [0])
    lines = [frame.line for frame in traceback.extract_tb(error.value.__traceback__)]
    assert "yield" in lines
