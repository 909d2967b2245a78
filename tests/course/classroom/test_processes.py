"""All processes started by a program are ended."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from edutorch.course.classroom.processes import adopt_orphans, descendants, end

pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
CHILD = (
    "import subprocess, sys, time\n"
    "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)'],"
    " start_new_session=True)\nprint(p.pid, flush=True)\n"
)


def test_children_of_children_are_found_and_ended():
    adopt_orphans()
    before = descendants(os.getpid())
    with subprocess.Popen(
        [sys.executable, "-c", CHILD + "time.sleep(1000)"], stdout=subprocess.PIPE
    ) as first:
        second = int(first.stdout.readline())
        assert {first.pid, second} <= descendants(os.getpid())
        assert end(first.pid, before)
    assert descendants(os.getpid()) <= before


def test_orphans_are_ended_too():
    adopt_orphans()
    before = descendants(os.getpid())
    with subprocess.Popen(
        [sys.executable, "-c", CHILD], stdout=subprocess.PIPE
    ) as first:
        second = int(first.stdout.readline())
        first.wait()
    assert second in descendants(os.getpid())
    assert end(first.pid, before)
    assert second not in descendants(os.getpid())


def test_family_of_many_leaves_nothing_behind_not_even_a_status():
    adopt_orphans()
    before = descendants(os.getpid())
    sleeper = "[sys.executable, '-c', 'import time; time.sleep(1000)']"
    family = (
        "import subprocess, sys, time\n"
        f"all = [subprocess.Popen({sleeper}) for _ in range(9)]\n"
        "print(len(all), flush=True)\ntime.sleep(1000)"
    )
    for _ in range(9):
        with subprocess.Popen(
            [sys.executable, "-c", family], stdout=subprocess.PIPE
        ) as first:
            assert first.stdout.readline() == b"9\n"
            assert end(first.pid, before)
        assert descendants(os.getpid()) <= before
