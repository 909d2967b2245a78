"""The C library is asked to keep memory, unless somebody objects."""

import os
import subprocess
import sys

import pytest

from edutorch.backends import heap

PROGRAM = """
import resource
import numpy as np
from edutorch.backends.heap import keep_memory

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
    assert not heap.keep_memory()


def test_keep_memory_elsewhere_does_nothing(monkeypatch):
    monkeypatch.setattr(heap.sys, "platform", "darwin")
    assert not heap.keep_memory()


@pytest.mark.skipif(sys.platform != "linux", reason="needs the GNU C library")
def test_keep_memory_saves_page_faults():
    out = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    ).stdout
    assert int(out) < 1000  # of 8192 pages


@pytest.mark.parametrize(("wanted", "few"), [("1", False), ("0", True)])
def test_collector_is_spared_what_importing_made(wanted, few):
    program = "import gc, edutorch; print(gc.get_freeze_count())"
    environment = {**os.environ, "EDUTORCH_KEEP_MEMORY": wanted}
    out = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, text=True, check=True, env=environment,
    ).stdout  # fmt: skip
    assert (int(out) < 1000) is few
