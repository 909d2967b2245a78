"""Failed collectives: each survivor reports the cause in time, and all end."""

from __future__ import annotations

import json
import os
import random
import time
from pathlib import Path

import pytest

from edutorch.distributed.world.coordinator import mapped_shared_memory
from tests.distributed.launching import PATIENCE, left_over, needs_mpi, run

pytestmark = needs_mpi
PROGRAM = Path(__file__).parents[1] / "failing_program.py"
KILLS = int(os.environ.get("EDUTORCH_KILLS", "10"))
MEMORY = Path("/dev/shm")  # noqa: S108  # where collectives keep their memory


def unused_memory(besides=frozenset(), seconds=PATIENCE):
    """MPI's shared memory that no process has, this test's or another program's.

    That of a program that is just starting or ending is in no process for a moment, and
    is not counted: it is used or has gone a moment later.
    """
    end = time.monotonic() + seconds
    while True:
        files = {str(path) for path in MEMORY.glob("mpich_shm_*")}
        unused = files - mapped_shared_memory() - besides
        if not unused or time.monotonic() > end:
            return unused
        time.sleep(0.1)


def failed(folder, what, size=2, seconds=0.0):
    """The errors that the ranks of a faulty program have reported."""
    done = run("--nproc-per-node", size, PROGRAM, folder, what, seconds)
    assert done.returncode == 1, done.stderr
    files = sorted(folder.glob("error*.json"))
    errors = {
        int(f.stem.removeprefix("error")): json.loads(f.read_text()) for f in files
    }
    return errors, done.stderr


@pytest.mark.parametrize("round", range(KILLS))
def test_rank_that_is_killed_at_any_moment_ends_the_others(tmp_path, round):
    seconds = random.Random(round).uniform(0.0, 2.0)
    before = unused_memory(seconds=0)
    errors, printed = failed(tmp_path, "kill", size=3, seconds=seconds)
    assert "rank 2 (local rank 2, pid" in printed
    assert "was killed by SIGKILL" in printed
    for rank, error in errors.items():
        assert "rank 2" in error["text"] or "ranks [2] of 3" in error["text"], rank
        assert error["seconds"] < 20
    assert left_over() == []
    assert not unused_memory(besides=before)


def test_rank_that_hangs_is_named_when_time_is_over(tmp_path):
    errors, _ = failed(tmp_path, "hang")
    text = errors[0]["text"]
    assert "timed out after 6 s" in text
    assert "rank 0: in collective 2, all_reduce(float32 (3,), SUM)" in text
    assert "rank 1: after collective 1, barrier()" in text


def test_exception_of_a_rank_is_told_to_the_others(tmp_path):
    errors, printed = failed(tmp_path, "raise", size=3)
    assert errors[2]["type"] == "ValueError"
    for rank in (0, 1):
        assert errors[rank]["type"] == "DistBackendError"
    text = errors[0]["text"] + errors[1]["text"]
    assert "rank 2 failed: ValueError: no such file: data.csv" in text
    assert printed.count("Traceback") == 3


def test_rank_that_ends_early_is_named(tmp_path):
    errors, _ = failed(tmp_path, "end")
    assert "rank 1 has ended its program" in errors[0]["text"]


@pytest.mark.parametrize("what", ["shapes", "dtypes", "other"])
def test_ranks_that_disagree_are_both_named(tmp_path, what):
    errors, _ = failed(tmp_path, what)
    mine = "all_reduce(float32 (3,), SUM)"
    theirs = {
        "shapes": "all_reduce(float32 (4,), SUM)",
        "dtypes": "all_reduce(float64 (3,), SUM)",
        "other": "broadcast(float32 (3,), src=0)",
    }[what]
    expected = (
        "Detected mismatch between collectives on ranks. Rank 0 is running collective: "
        f"{mine}, but Rank 1 is running collective: {theirs}."
    )
    assert any(expected in error["text"] for error in errors.values())


def test_ranks_that_expect_lists_of_other_sizes_are_both_named(tmp_path):
    errors, _ = failed(tmp_path, "lists")
    expected = (
        "Rank 0 is running collective: all_gather(float32 (3,)), but Rank 1 is running "
        "collective: all_gather(float32 (4,))."
    )
    assert any(expected in error["text"] for error in errors.values())


def test_message_of_the_wrong_size_is_refused(tmp_path):
    errors, _ = failed(tmp_path, "message")
    assert "a message is larger than the tensor that it is for" in errors[0]["text"]


def test_monitored_barrier_names_the_missing_rank(tmp_path):
    errors, _ = failed(tmp_path, "barrier", size=3)
    assert errors[0]["text"] == "Rank 2 failed to pass monitoredBarrier in 3000 ms"
