"""How many threads compute, with a clock and times that the tests move."""

from __future__ import annotations

import os
import threading
from itertools import pairwise
from pathlib import Path

import pytest

from edutorch.free_cores import (
    FIRST_PAUSE,
    LONGEST_PAUSE,
    TRIAL,
    WINDOW,
    FreeCores,
    cores,
    thread_times,
)


class Machine:
    """A clock, and threads that run and wait."""

    def __init__(self, threads=2, **options):
        self.now, self.wanted = 100.0, threads
        self.spent = {str(i): (0, 0) for i in range(threads)}
        self.looks = 0
        self.cores = FreeCores(lambda: self.now, self.times, **options)

    def times(self):
        self.looks += 1
        return dict(self.spent)

    def work(self, seconds, waiting=0.0, step=0.001):
        """Let threads run, and the last of them wait, together for that much time.

        Returns how many threads computed, step for step.
        """
        used = []
        for _ in range(round(seconds / step)):
            used.append(self.cores.threads(self.wanted))
            self.now += step
            for i in range(used[-1]):
                waits = min(max(waiting - (used[-1] - 1 - i), 0.0), 1.0) if i else 0.0
                ran, waited = self.spent[str(i)]
                self.spent[str(i)] = (
                    ran + round(1e9 * step * (1 - waits)),
                    waited + round(1e9 * step * waits),
                )
        return used


def test_free_cores_are_all_used():
    machine = Machine()
    assert set(machine.work(3, waiting=0.2)) == {2}
    assert machine.looks <= 2 * 3 / WINDOW + 1


def test_taken_core_is_left_to_others():
    machine = Machine()
    used = machine.work(7, waiting=0.5)
    assert 2 in used[: round(WINDOW * 1000)]
    assert used[-1500:].count(2) <= 2 * TRIAL * 1000
    trials = sum(a < b for a, b in pairwise(used))
    assert trials == 5  # after 1/4, 1/2, 1, 2 and 2 seconds
    assert "1 fewer" in machine.cores.describe()


def test_threads_come_back_when_the_core_is_free():
    machine = Machine()
    machine.work(10, waiting=0.5)
    used = machine.work(LONGEST_PAUSE + 2 * TRIAL + WINDOW, waiting=0.02)
    assert set(used[-round(WINDOW * 1000) :]) == {2}
    machine.work(2 * WINDOW)
    assert machine.cores.pause == FIRST_PAUSE  # the next time begins as the first


def test_as_many_threads_fewer_as_cores_are_missing():
    machine = Machine(threads=8)
    used = machine.work(0.2, waiting=0.5)
    assert next(n for n in used if n < 8) == 7
    machine = Machine(threads=8)
    assert next(n for n in machine.work(0.2, waiting=2.5) if n < 8) < 7


def test_time_without_work_tells_nothing():
    machine = Machine()
    machine.work(0.02, waiting=0.1)
    machine.now += 100
    assert set(machine.work(0.02, waiting=0.0)) == {2}
    machine = Machine()
    machine.cores.threads(2)
    for _ in range(100):
        machine.now += 1
        assert machine.cores.threads(2) == 2


def test_one_thread_is_not_watched():
    machine = Machine(threads=1)
    assert set(machine.work(1)) == {1}
    assert machine.looks == 0


def test_system_without_counts_uses_all_threads():
    machine = Machine()
    machine.spent = {}
    cores = FreeCores(lambda: machine.now, dict)
    for _ in range(100):
        machine.now += 1
        assert cores.threads(4) == 4
    assert cores.settled()
    assert "does not tell" in cores.describe()


def test_reduction_can_be_switched_off():
    machine = Machine(enabled=False)
    assert set(machine.work(1, waiting=0.9)) == {2}
    assert machine.looks == 0


def test_threads_that_end_and_begin_do_not_disturb_the_counts():
    machine = Machine()
    machine.spent["old"] = (10**12, 10**12)
    machine.work(0.02)
    del machine.spent["old"]
    machine.spent["new"] = (0, 0)
    assert set(machine.work(1)) == {2}


def test_only_one_thread_reads_the_counts():
    machine = Machine()
    machine.cores.looking.acquire()
    assert machine.cores.threads(2) == 2
    assert machine.looks == 0


def test_error_while_counting_leaves_the_lock_free():
    def fail():
        raise KeyboardInterrupt

    cores = FreeCores(times=fail)
    with pytest.raises(KeyboardInterrupt):
        cores.threads(2)
    assert not cores.looking.locked()


@pytest.mark.skipif(
    not Path("/proc/self/schedstat").exists(), reason="the system does not count"
)
def test_times_grow_with_work():
    thread = str(threading.get_native_id())
    before = thread_times()[thread]
    sum(range(10**6))
    after = thread_times()[thread]
    assert after[0] > before[0]
    assert after[1] >= before[1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
def test_forked_process_starts_again():
    cores.missing = 1
    try:
        with cores.looking:
            child = os.fork()
            if child == 0:
                os._exit(cores.missing + cores.looking.locked())
    finally:
        cores.restart()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
