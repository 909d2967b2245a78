"""A worker that dies or hangs is reported with the program that it ran."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from tests.fuzz import driver
from tests.fuzz.survival import survives
from tests.oracle import torch  # the worker needs it

assert torch

CRASH = "import os; os.kill(os.getpid(), 11)"
HANG = "import time; time.sleep(60)"


@pytest.mark.parametrize(("program", "kind"), [(CRASH, "crash"), (HANG, "hang")])
def test_driver_tells_the_program_that_ended_the_worker(monkeypatch, program, kind):
    # A worker that prints where it is, then does what the program says.
    script = f"print('{{\"at\": 5}}', flush=True); {program}"
    start = driver.subprocess.Popen
    fake = SimpleNamespace(
        Popen=lambda _, **given: start([sys.executable, "-c", script], **given),
        PIPE=driver.subprocess.PIPE,
    )
    monkeypatch.setattr(driver, "subprocess", fake)
    monkeypatch.setattr(driver, "PATIENCE", 3.0)
    monkeypatch.setattr(driver, "survives", lambda text, name, library: False)
    run = driver.Run("promotion", "plain", 1)
    assert driver._worker(run, 5, 1.0) == 6
    assert [f["kind"] for f in run.failures] == [kind]
    assert run.failures[0]["index"] == 5


def test_a_crash_that_edutorch_survives_alone_is_not_its_own(monkeypatch):
    alone = {"edutorch": True, "torch": False}
    monkeypatch.setattr(driver, "survives", lambda text, name, library: alone[library])
    run = driver.Run("promotion", "plain", 1)
    driver._died(run, 5, "crash", "SIGABRT")
    (found,) = run.failures
    assert found["kind"] == "lost"
    assert found["got"].endswith("PyTorch dies, too")


@pytest.mark.parametrize(("program", "lives"), [("result = 1", True), (CRASH, False)])
def test_survives_tells_whether_a_process_ends(program, lives):
    assert survives(program, "promotion", "edutorch") is lives
