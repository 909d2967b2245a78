"""Threads avoid processors in use by others, and are released afterwards."""

from __future__ import annotations

import os
import threading

import pytest

from edutorch.backends import processors
from edutorch.backends.processors import current_processor, move_off

linux = pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity"), reason="threads are moved on Linux only"
)


def in_new_thread(work):
    """The result of `work` in a thread whose processors nobody else chooses."""
    found = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found[0]


@linux
def test_current_processor_is_one_of_those_allowed():
    assert current_processor() in os.sched_getaffinity(0)


def test_a_thread_alone_on_its_processor_stays(monkeypatch):
    monkeypatch.setattr(processors, "current_processor", lambda: 3)
    used = {2}
    move_off(used)
    assert used == {2, 3}


@linux
def test_a_thread_moves_off_a_processor_in_use(monkeypatch):
    masks = []
    places = iter([0, 1])
    monkeypatch.setattr(processors, "current_processor", lambda: next(places))
    monkeypatch.setattr(os, "sched_getaffinity", lambda thread: {0, 1})
    monkeypatch.setattr(os, "sched_setaffinity", lambda thread, to: masks.append(to))
    used = {0}
    move_off(used)
    assert masks == [{1}, {0, 1}]
    assert used == {0, 1}


@linux
def test_a_thread_may_run_on_all_processors_afterwards():
    def work():
        before = os.sched_getaffinity(0)
        move_off({current_processor()})
        return before == os.sched_getaffinity(0)

    assert in_new_thread(work)


@linux
def test_a_thread_stays_where_all_processors_are_in_use():
    used = os.sched_getaffinity(0)
    move_off(used)
    assert used == os.sched_getaffinity(0)


@linux
def test_a_system_that_refuses_to_move_a_thread_is_obeyed(monkeypatch):
    def refuse(*arguments):
        raise PermissionError

    monkeypatch.setattr(os, "sched_setaffinity", refuse)
    used = {current_processor()}
    move_off(used)
    assert used <= os.sched_getaffinity(0)


def test_where_the_system_does_not_tell_nothing_is_moved(monkeypatch):
    monkeypatch.setattr(processors, "_sched_getcpu", None)
    used = {current_processor()}
    move_off(used)
    assert used == {-1}
