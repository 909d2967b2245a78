"""Only a block that exceeds its time limit is interrupted."""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import suppress
from contextvars import copy_context

import pytest

from edutorch.course import time_limits
from edutorch.course.answer_calls import own_line
from edutorch.course.time_limits import (
    TimeLimitExceeded,
    shortest_limit,
    time_limit,
)


def endless():
    while True:
        pass


def spin(seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


def test_blocks_that_end_in_time_are_left_alone_by_one_thread():
    with time_limit(5.0):
        assert sum(range(10)) == 45
    before = threading.active_count()
    for _ in range(20):
        with time_limit(600.0):
            assert threading.active_count() == before
    assert time_limits._watcher._looks == {}


def test_endless_loop_ends_and_its_line_is_known():
    with pytest.raises(TimeLimitExceeded) as error, time_limit(0.2):
        endless()
    assert "test_time_limits.py" in own_line(error.value)


def test_block_that_had_no_processor_is_left_alone():
    with time_limit(0.1):
        time.sleep(0.3)


def test_block_that_waits_ends_at_last():
    with pytest.raises(TimeLimitExceeded), time_limit(0.05):
        for _ in range(1000):
            time.sleep(0.01)


def test_block_with_a_short_limit_has_time_on_a_busy_machine():
    with time_limit(0.01):
        time.sleep(0.5)


def test_exception_that_the_block_catches_is_raised_again():
    caught = []
    with pytest.raises(TimeLimitExceeded), time_limit(0.05):
        try:
            endless()
        except TimeLimitExceeded:
            caught.append(True)
        endless()
    assert caught == [True]


def test_time_is_limited_in_other_threads_too():
    ended = []

    def work():
        try:
            with time_limit(0.2):
                endless()
        except TimeLimitExceeded:
            ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(10)
    assert ended == [True]


def test_shortest_limit_is_that_of_the_blocks_around():
    assert shortest_limit() == float("inf")
    with time_limit(5.0):
        with time_limit(9.0):
            assert shortest_limit() == 5.0
        with time_limit(2.0):
            assert shortest_limit() == 2.0
        assert shortest_limit() == 5.0


def test_limits_that_end_out_of_order_are_all_watched():
    """The watching thread waits for the nearest end, whenever its limit came."""
    with time_limit(600.0):
        with pytest.raises(TimeLimitExceeded), time_limit(0.05):
            endless()
        with time_limit(60.0), pytest.raises(TimeLimitExceeded), time_limit(0.05):
            endless()


def slow(method, seconds=0.3):
    def late(self, *arguments):
        spin(seconds)
        method(self, *arguments)

    return late


@pytest.mark.parametrize("name", ["add", "remove"])
def test_nothing_is_raised_while_an_inner_block_begins_or_ends(monkeypatch, name):
    watcher = type(time_limits._watcher)
    monkeypatch.setattr(watcher, name, slow(getattr(watcher, name)))
    monkeypatch.setattr(time_limits, "AGAIN", 0.01)
    for _ in range(3):
        with pytest.raises(TimeLimitExceeded), time_limit(0.1):
            with time_limit(600.0):
                pass
            endless()
        assert shortest_limit() == float("inf")
        assert time_limits._watcher._looks == {}


def test_nothing_is_raised_while_the_end_of_a_block_is_noted(monkeypatch):
    watcher = type(time_limits._watcher)
    monkeypatch.setattr(watcher, "remove", slow(watcher.remove))
    monkeypatch.setattr(time_limits, "LEAST", 0.0)
    monkeypatch.setattr(time_limits, "AGAIN", 0.01)
    with time_limit(0.1):
        pass
    assert shortest_limit() == float("inf")
    spin(0.2)  # and nothing is raised here


def test_limit_whose_end_was_interrupted_is_dropped(monkeypatch):
    def interrupted(self, limit):
        raise TimeLimitExceeded

    watcher = type(time_limits._watcher)
    monkeypatch.setattr(time_limits, "AGAIN", 0.05)

    def answer():
        with time_limit(0.05):
            endless()

    with monkeypatch.context() as patch, pytest.raises(TimeLimitExceeded):
        patch.setattr(watcher, "remove", interrupted)
        answer()
    assert shortest_limit() == float("inf")
    spin(0.2)  # and nothing is raised here
    assert time_limits._watcher._looks == {}


def test_limit_whose_end_never_began_is_dropped_and_raises_nothing():
    """An interrupt of the kernel can arrive just before a block's end."""

    def answer():
        time_limit(0.05).__enter__()

    copy_context().run(answer)
    until = time.monotonic() + 30
    while time_limits._watcher._looks and time.monotonic() < until:
        spin(0.05)  # and nothing is raised here
    assert time_limits._watcher._looks == {}


def interrupt_at(count):
    """A trace function that raises at a call or a return of the limits' functions."""
    left = [count]

    def trace(frame, event, argument):
        if frame.f_code.co_filename not in (time_limits.__file__, threading.__file__):
            return None
        left[0] -= event in ("call", "return")
        if left[0] == 0:
            raise KeyboardInterrupt
        return trace

    return trace


def test_limits_are_watched_after_an_interrupt_wherever_it_came():
    def work():
        with time_limit(0.01):
            pass

    before, interrupts, at = sys.gettrace(), 0, 1
    while interrupts == at - 1:
        sys.settrace(interrupt_at(at))
        try:
            copy_context().run(work)
        except KeyboardInterrupt:
            interrupts += 1
        finally:
            sys.settrace(before)
        at += 1
    assert interrupts > 10
    with pytest.raises(TimeLimitExceeded), time_limit(0.1):
        spin(30)


def test_answer_that_starts_threads_ends_and_none_of_them_is_hit(monkeypatch):
    """CPython gives an exception to a thread that its creator is just starting."""

    def answer():
        while True:
            thread = threading.Thread(target=int, daemon=True)
            thread.start()  # would wait for ever
            thread.join()

    for _ in range(20):
        with pytest.raises(TimeLimitExceeded), time_limit(0.01):
            answer()


def test_thread_without_init_is_no_thread_that_starts():
    class Forgetful(threading.Thread):
        def __init__(self):
            pass

    def answer():
        while True:
            with suppress(RuntimeError):
                Forgetful().start()

    for _ in range(20):
        with pytest.raises(TimeLimitExceeded), time_limit(0.01):
            answer()
    with pytest.raises(TimeLimitExceeded), time_limit(0.01):
        spin(30)


def test_limits_are_watched_anew_after_an_exception_of_the_watching_thread(monkeypatch):
    def failing(thread):
        raise MemoryError

    with monkeypatch.context() as patch, time_limit(0.01):
        patch.setattr(time_limits, "_frames_of", failing)
        patch.setattr(threading, "excepthook", lambda arguments: None)
        watching = time_limits._watcher._thread
        spin(1.5)
        watching.join(10)
    assert not watching.is_alive()
    with pytest.raises(TimeLimitExceeded), time_limit(0.01):
        spin(30)
    assert time_limits._watcher._looks == {}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_blocks_are_watched_in_a_process_that_was_forked():
    with time_limit(600.0):
        child = os.fork()
        if child == 0:
            try:
                with time_limit(0.1):
                    endless()
            except TimeLimitExceeded:
                os._exit(7)
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 7
