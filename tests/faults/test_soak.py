"""Threads, forks, failures and interrupts at once, for a short time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SECONDS = os.environ.get("EDUTORCH_SOAK", "5")


def test_mixed_work_neither_hangs_nor_goes_wrong():
    command = [sys.executable, "-m", "tests.faults.soak", "--seconds", SECONDS]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False,
        timeout=300 + float(SECONDS),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    assert sum(json.loads(done.stdout.splitlines()[-1]).values()) > 0
