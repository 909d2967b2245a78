"""OpenBLAS's threads sleep soon, however NumPy was loaded."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from edutorch.backends import openblas

LOOK = """
import {first}
import edutorch, os
from edutorch.backends.openblas import log2_spin_cycles
x = edutorch.ones(600, 600)
print(log2_spin_cycles(), os.environ.get("OPENBLAS_THREAD_TIMEOUT"), (x @ x).sum().item())
"""
BUSY = """
import threading, numpy as np
x = np.ones((700, 700), np.float32)
over = threading.Event()
def multiply():
    while not over.is_set():
        assert (x @ x)[0, 0] == 700
thread = threading.Thread(target=multiply)
thread.start()
import edutorch
from edutorch.backends.openblas import log2_spin_cycles
over.set(); thread.join()
print(log2_spin_cycles())
"""

known = pytest.mark.skipif(
    not all(hasattr(openblas.library(), name) for name in openblas.TIMEOUT_SYMBOLS),
    reason="NumPy was built with another BLAS",
)


def said(text: str, **more: str) -> list[str]:
    kept = {k: v for k, v in os.environ.items() if k != openblas.TIMEOUT}
    done = subprocess.run(
        [sys.executable, "-c", text], env=kept | more, capture_output=True, text=True,
        timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@known
@pytest.mark.parametrize("first", ["sys", "numpy"])
def test_threads_sleep_soon_whoever_loads_numpy(first):
    assert said(LOOK.format(first=first)) == ["22", "None", "216000000.0"]


@known
def test_choice_of_the_user_stays():
    found = said(LOOK.format(first="sys"), OPENBLAS_THREAD_TIMEOUT="25")
    assert found == ["25", "25", "216000000.0"]


@known
def test_product_of_another_thread_is_waited_for():
    assert said(BUSY) == ["22"]


FORK = """
import os
import edutorch as torch
from edutorch.backends import openblas
from edutorch.backends.threads import before_fork, blas_threads

running = openblas._counts()[0]
x = torch.ones(512, 512)

def product():
    before = running.value
    assert (x @ x)[3, 5].item() == 512
    return before, running.value, torch.get_num_threads()

torch.set_num_threads(2)
product()
with before_fork():
    child = os.fork()
if child == 0:
    torch.set_num_threads(1)
    found = product()
    torch.set_num_threads(2)
    with blas_threads(1):  # the fork's block is over in this process
        pass
else:
    os.waitpid(child, 0)
    found = ()
print(*found, *product(), flush=True)
os._exit(0)
"""


@pytest.mark.skipif(
    openblas._counts() is None or not hasattr(os, "fork"),
    reason="NumPy was built with another BLAS, or the system cannot fork",
)
def test_threads_that_a_fork_has_stopped_start_with_the_next_product():
    one_thread, of_two, parent = ["0", "0", "1"], ["0", "1", "2"], ["0", "1", "2"]
    assert said(FORK) == one_thread + of_two + parent
