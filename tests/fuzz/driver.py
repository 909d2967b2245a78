"""Runs the worker of a family: reads its reports, detects crashes and hangs."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fuzz.programs import program
from tests.fuzz.survival import survives

__all__ = ["PATIENCE", "Run", "fuzz"]

PATIENCE = 60.0  # seconds for one program
STEPS = 6  # intervals of waiting: if the whole run is suspended, only one is lost
STARTING = 5  # times as long for the libraries, before the first program


@dataclass
class Run:
    """The results of one family with one kind of kernels."""

    family: str
    mode: str
    seed: int
    programs: int = 0
    failures: list[dict[str, Any]] = field(default_factory=list)
    log: str = ""

    def note(self, failure: dict[str, Any]) -> None:
        """Keep a failure, and write it to the log at once if there is one."""
        self.failures.append(failure)
        if self.log:
            line = json.dumps({"family": self.family, "mode": self.mode, **failure})
            with Path(self.log).open("a") as file:
                file.write(line + "\n")


def fuzz(
    family: str, mode: str, seed: int, index: int | None, seconds: float, log: str = ""
) -> Run:
    """Run a family's programs for so many seconds, or only program `index`.

    Each failure is a line of JSON in the file `log`, if one is named.
    """
    run = Run(family, mode, seed, log=log)
    end = time.monotonic() + seconds
    at = 0 if index is None else index
    while True:
        left = 0.001 if index is not None else end - time.monotonic()
        if left <= 0:
            return run
        at = _worker(run, at, left)
        if at < 0 or index is not None:
            return run


def _worker(run: Run, start: int, seconds: float) -> int:
    """Run one process; the number to continue from if it died, -1 if it succeeded."""
    # The same program must give the same numbers in both kinds of runs.
    env = {
        **os.environ,
        "EDUTORCH_KERNELS": run.mode,
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    command = [sys.executable, "-m", "tests.fuzz.worker", run.family, str(run.seed)]
    command += [str(start), str(seconds)]
    with subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, text=True
    ) as process:
        at, outcome = _listen(run, process, start - 1)
    if outcome == "hang":
        return _died(run, at, outcome, f"no answer for {PATIENCE:.0f} s")
    if process.returncode == 0:
        return -1
    if at < start:
        raise RuntimeError(f"the worker of {run.family} could not start")
    status = process.returncode
    told = signal.Signals(-status).name if status < 0 else f"exit status {status}"
    return _died(run, at, "crash", told)


def _listen(run: Run, process: subprocess.Popen[str], at: int) -> tuple[int, str]:
    """Note the worker's reports to its end: its last program, and "hang" or ""."""
    lines: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_read, args=(process, lines), daemon=True).start()
    waited, first = 0, at
    while True:
        try:
            line = lines.get(timeout=PATIENCE / STEPS)
        except queue.Empty:
            waited += 1
            if waited < STEPS * (STARTING if at == first else 1):
                continue
            process.kill()
            return at, "hang"
        waited = 0
        if not line:
            return at, ""
        message = json.loads(line)
        if "at" in message:
            at = message["at"]
            run.programs += 1
        elif "end" not in message:
            run.note(message)


def _read(process: subprocess.Popen[str], lines: queue.Queue[str]) -> None:
    """Pass on each line, then an empty one."""
    for line in process.stdout or ():
        lines.put(line)
    lines.put("")


def _died(run: Run, at: int, kind: str, outcome: str) -> int:
    """Note the program that ended or held up the process; where to continue."""
    text = program(run.family, run.seed, at)
    if kind == "crash" and survives(text, run.family, "edutorch"):
        alone = "lives" if survives(text, run.family, "torch") else "dies, too"
        kind, outcome = (
            "lost",
            f"{outcome}; alone edutorch lives through it, PyTorch {alone}",
        )
    run.note(
        {"index": at, "kind": kind, "place": "", "program": text,
         "expected": "an answer", "got": outcome}
    )  # fmt: skip
    return at + 1
