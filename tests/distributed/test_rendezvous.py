"""Programs find each other, whichever way they are started."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from edutorch import distributed as dist
from edutorch.distributed.rendezvous import _rendezvous
from tests.distributed.launching import (
    by_hand,
    environment,
    left_over,
    mpiexec,
    needs_mpi,
)
from tests.ports import free_port

PROGRAM = Path(__file__).with_name("rendezvous_program.py")


@needs_mpi
@pytest.mark.parametrize("how", ["env", "again"])
def test_ranks_started_by_hand_meet(how):
    by_hand(2, PROGRAM, how)
    assert left_over() == []


@needs_mpi
def test_ranks_meet_in_a_file(tmp_path):
    by_hand(2, PROGRAM, f"file://{tmp_path}/meeting")


@needs_mpi
def test_ranks_that_mpiexec_starts_know_each_other():
    done = mpiexec(2, PROGRAM, "mpiexec")
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.split()) == ["1.0", "1.0"]


@needs_mpi
def test_processes_that_spawn_starts_meet():
    command = [sys.executable, str(PROGRAM), f"tcp://127.0.0.1:{free_port()}", "spawn"]
    subprocess.run(command, env=environment(), check=True, timeout=90)
    assert left_over() == []


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("tcp://localhost:1", "rank parameter missing"),
        ("tcp://localhost:1?rank=0", "world size parameter missing"),
        ("tcp://localhost?rank=0&world_size=1", "port number missing"),
        ("file://?rank=0&world_size=1", "path missing"),
        ("env://", "environment variable RANK expected, but not set"),
    ],
)
def test_rendezvous_says_what_is_missing(monkeypatch, url, text):
    for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ValueError, match=text):
        _rendezvous(url, -1, -1, dist.default_pg_timeout)


def test_collectives_need_a_group():
    with pytest.raises(ValueError, match="has not been initialized"):
        dist.barrier()


def test_local_rank_is_what_the_launcher_says(monkeypatch):
    monkeypatch.delenv("LOCAL_RANK", raising=False)
    assert dist.get_node_local_rank(3) == 3
    with pytest.raises(RuntimeError, match="LOCAL_RANK is not in the environment"):
        dist.get_node_local_rank()
    monkeypatch.setenv("LOCAL_RANK", "2")
    assert dist.get_node_local_rank(3) == 2
