"""The C library is asked to keep memory, unless somebody objects."""

import os
import subprocess
import sys

import pytest

from edutorch import process_memory

PROGRAM = """
import resource
import numpy as np
from edutorch.process_memory import keep_memory

def faults_of_a_step():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    made = [np.ones(2**20) for _ in range(4)]  # 8 MB each
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

keep_memory()
faults_of_a_step()
print(faults_of_a_step())
"""


def test_keep_memory_can_be_declined(monkeypatch):
    monkeypatch.setenv("EDUTORCH_KEEP_MEMORY", "0")
    assert not process_memory.keep_memory()


def test_keep_memory_elsewhere_does_nothing(monkeypatch):
    monkeypatch.setattr(process_memory.sys, "platform", "darwin")
    assert not process_memory.keep_memory()


@pytest.mark.skipif(sys.platform != "linux", reason="needs the GNU C library")
def test_keep_memory_saves_page_faults():
    out = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    ).stdout
    assert int(out) < 1000  # of 8192 pages


def test_is_kept_says_what_was_asked_for():
    for wanted in "10":
        program = "from edutorch.process_memory import is_kept; print(is_kept())"
        out = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True, text=True, check=True,
            env={**os.environ, "EDUTORCH_KEEP_MEMORY": wanted},
        ).stdout  # fmt: skip
        assert out.strip() == str(wanted == "1" and sys.platform == "linux")
