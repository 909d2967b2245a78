"""Memory that is kept, and refusals of more than there is."""

import os
import subprocess
import sys

import pytest

import edutorch as torch
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
        program = "from edutorch.process_memory import keeps_freed_memory; print(keeps_freed_memory())"
        out = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True, text=True, check=True,
            env={**os.environ, "EDUTORCH_KEEP_MEMORY": wanted},
        ).stdout  # fmt: skip
        assert out.strip() == str(wanted == "1" and sys.platform == "linux")


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.zeros((1,) * 65),
        lambda: torch.empty_strided((1,) * 65, (1,) * 65, device="meta"),
        lambda: torch.ones(1).reshape((1,) * 65),
    ],
)
def test_more_dimensions_than_arrays_have_are_refused(make):
    with pytest.raises(RuntimeError, match="Received a tensor with 65 dimensions"):
        make()


WORDS = r"DefaultCPUAllocator: can't allocate memory: you tried to allocate {} bytes\."


@pytest.mark.parametrize(
    ("make", "nbytes"),
    [
        (lambda: torch.zeros(1 << 45), 1 << 47),
        (lambda: torch.empty(1 << 22, 1 << 23, dtype=torch.float16), 1 << 46),
        (lambda: torch.ones(1 << 45, dtype=torch.int64), 1 << 48),
        (lambda: torch.full((1 << 45,), 2), 1 << 48),
        (lambda: torch.eye(1 << 23), 1 << 48),
        (lambda: torch.arange(1 << 45), 1 << 48),
        (lambda: torch.linspace(0, 1, 1 << 45), 1 << 47),
        (lambda: torch.rand(1 << 45), 1 << 47),
        (lambda: torch.rand_like(torch.zeros(1).expand(1 << 45)), 1 << 47),
        (lambda: torch.zeros_like(torch.zeros(1).expand(1 << 45)), 1 << 47),
        (lambda: torch.empty_strided((2,), (1 << 45,)), (1 << 47) + 4),
        (lambda: torch.zeros(3).resize_(1 << 45), 1 << 47),
        (lambda: torch.UntypedStorage(1 << 46), 1 << 46),
        (lambda: torch.FloatTensor(1 << 45), 1 << 47),
        (lambda: torch.zeros(1).expand(1 << 45) + 1, 1 << 47),
        (lambda: torch.hann_window(1 << 45), 1 << 47),
        (lambda: torch.nn.Linear(1 << 22, 1 << 23), 1 << 47),
    ],
)
def test_more_memory_than_there_is_is_refused_with_pytorchs_message(make, nbytes):
    with pytest.raises(RuntimeError, match=WORDS.format(nbytes)):
        make()


def test_more_bytes_than_can_be_counted_are_refused():
    with pytest.raises(RuntimeError, match="Storage size calculation overflowed"):
        torch.zeros((1 << 31, 1 << 31, 4))
    with pytest.raises(
        RuntimeError, match=r"overflowed with sizes=\[4611686018427387904"
    ):
        torch.empty(1 << 62)
