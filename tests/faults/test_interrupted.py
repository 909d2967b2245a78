"""Ctrl-C leaves nothing behind, whenever it comes."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.ctrl_c import before_an_end

SCRIPT = Path(__file__).with_name("interrupted.py")
TIMES = int(os.environ.get("EDUTORCH_INTERRUPTS", "30"))  # of each kind of work
GROWTH = 20_000  # kilobytes, of which some are the allocator's


@pytest.mark.parametrize(
    "work",
    ["training", "autocasting", "recording", "saving", "sharing", "loading", "viewing"],
)
def test_interrupts_leave_state_and_memory_as_they_were(work):
    pytest.importorskip("anywidget")
    seed = random.randrange(10**6)
    command = [sys.executable, str(SCRIPT), work, str(TIMES), str(seed)]
    env = {**os.environ, "PYTHONPATH": str(SCRIPT.parents[2])}
    done = subprocess.run(
        command, env=env, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, f"seed {seed}: {done.stderr[-2000:]}"
    result = json.loads(done.stdout)
    assert result["children"] == 0, f"seed {seed}"
    assert result["grown_kb"] < GROWTH, f"seed {seed}"
    # One of those places may look like another one.
    assert len(result["found"]) <= max(1, TIMES // 100), (
        f"seed {seed}: {result['found']}"
    )


class Block:
    def __enter__(self):
        return self

    def __exit__(self, *exception): raise KeyboardInterrupt  # fmt: skip


class LaterBlock(Block):
    def __exit__(self, *exception):
        raise KeyboardInterrupt


@pytest.mark.parametrize(("block", "expected"), [(Block, True), (LaterBlock, False)])
def test_ctrl_c_before_the_first_line_of_an_end_is_told_from_later_ones(
    block, expected
):
    with pytest.raises(KeyboardInterrupt) as error, block():
        pass
    assert before_an_end(error.value) is expected
