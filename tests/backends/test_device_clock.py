"""Simulated time, against timelines drawn by hand."""

from __future__ import annotations

import random
from itertools import pairwise

from edutorch.backends.device_clock import QUERY, DeviceClock, HostClock


def clock_of_a_new_host():
    return DeviceClock(HostClock())


def test_host_pays_launches_while_the_queue_runs_behind():
    clock = clock_of_a_new_host()
    ends = [clock.run("k", 5.0, launch=1.0) for _ in range(4)]
    assert ends == [6.0, 11.0, 16.0, 21.0] and clock.host.now == 4.0
    clock.finish()
    assert clock.host.now == 21.0 and clock.host.waited == 17.0


def test_device_is_idle_where_launches_take_longer_than_kernels():
    clock = clock_of_a_new_host()
    for _ in range(3):
        clock.run("k", 1.0, launch=4.0)
    assert [(job.begin, job.end) for job in clock.jobs] == [
        (4.0, 5.0),
        (8.0, 9.0),
        (12.0, 13.0),
    ]
    assert clock.busy() == 3.0


def test_copies_run_beside_kernels_and_kernels_do_not():
    clock = clock_of_a_new_host()
    clock.run("k", 10.0, stream=1)
    clock.run("in", 8.0, stream=2, unit="in")
    clock.run("out", 8.0, stream=3, unit="out")
    assert clock.run("k", 2.0, stream=2) == 12.0  # after the other stream's kernel
    assert clock.ready(1) == 10.0 and clock.ready(3) == 8.0


def test_kernel_goes_into_a_gap_that_another_stream_leaves():
    clock = clock_of_a_new_host()
    clock.hold(1, 10.0)
    assert clock.run("late", 5.0, stream=1) == 15.0
    assert clock.run("early", 4.0, stream=2) == 4.0
    assert clock.run("too long for the gap", 7.0, stream=3) == 22.0
    assert clock.run("fits", 6.0, stream=4) == 10.0


def test_question_costs_the_host_time_until_the_answer_is_yes():
    clock = clock_of_a_new_host()
    clock.run("k", 3.5 * QUERY)
    asked = 0
    while not clock.host.reached(clock.ready(0)):
        asked += 1
    assert asked == 4 and clock.host.now == 4 * QUERY


def test_no_unit_does_two_jobs_at_once_and_streams_keep_their_order():
    draw, clock = random.Random(5), clock_of_a_new_host()
    for _ in range(400):
        clock.run(
            "k",
            draw.random(),
            launch=0.1 * draw.random(),
            stream=draw.randrange(3),
            unit=draw.choice(("compute", "in", "out")),
        )
        if draw.random() < 0.1:
            clock.hold(draw.randrange(3), clock.ready(draw.randrange(3)))
        if draw.random() < 0.05:
            clock.host.wait_until(clock.ready(draw.randrange(3)))
    for key in ("unit", "stream"):
        for name in {getattr(job, key) for job in clock.jobs}:
            mine = [job for job in clock.jobs if getattr(job, key) == name]
            mine = sorted(mine, key=lambda job: job.begin) if key == "unit" else mine
            for before, after in pairwise(mine):
                assert before.end <= after.begin + 1e-9
    assert all(job.given <= job.begin < job.end for job in clock.jobs)
