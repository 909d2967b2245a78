"""How a process joins an MPI world."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import threading
from datetime import timedelta

import pytest

from edutorch.distributed import DistBackendError, HashStore
from edutorch.distributed.world.mpi_world import (
    World,
    init_world,
    launched_by_mpiexec,
    local_address,
    node_id,
    process_mapping,
)
from tests.distributed.launching import environment


def test_ranks_of_one_machine_make_one_block():
    assert process_mapping(["a"] * 3) == "(vector,(0,1,3))"
    assert process_mapping(["a", "b", "b"]) == "(vector,(0,1,1),(1,1,2))"


def test_machine_has_one_name_and_an_address():
    assert node_id() == node_id()
    assert socket.gethostname() in node_id()
    socket.inet_aton(local_address())


@pytest.mark.parametrize("rank", [0, 1])
def test_every_rank_names_the_one_that_has_not_come(rank):
    store = HashStore()
    store.set(f"machine/{1 - rank}", "a name")
    limit = timedelta(seconds=0.1)
    with pytest.raises(DistBackendError, match="Ranks that had not come: 2$"):
        init_world(store, rank, 3, None, limit)


class Watched:
    """A coordinator that knows rank 1 has died, and communicator and MPI of a test."""

    rank, size, Exception = 0, 2, ArithmeticError

    def find_failure(self, ranks):
        return "rank 1 has died" if 1 in ranks else None


def test_call_that_waits_for_a_rank_that_is_gone_is_left():
    world = World(Watched(), Watched(), Watched())
    never = threading.Event()
    second = timedelta(seconds=1)
    with pytest.raises(DistBackendError, match=r"^join on rank 0 failed: rank 1 has"):
        world.call_with_timeout(never.wait, "join", [0, 1], timedelta(seconds=60))
    assert world.failure == "rank 1 has died"
    never.set()
    assert world.call_with_timeout(lambda: 3, "join", [0], second) == 3
    with pytest.raises(DistBackendError, match="MPI refused: division by zero"):
        world.call_with_timeout(lambda: 1 / 0, "join", [0], second)


def test_call_that_takes_too_long_is_left():
    world, never = World(Watched(), Watched(), Watched()), threading.Event()
    with pytest.raises(DistBackendError, match=r"timed out after 0\.1 s"):
        world.call_with_timeout(never.wait, "join", [0], timedelta(seconds=0.1))
    never.set()


def test_launcher_is_known_by_its_variables(monkeypatch):
    for name in ("PMI_FD", "PMI_PORT", "PMI_RANK", "PMIX_RANK"):
        monkeypatch.delenv(name, raising=False)
    assert not launched_by_mpiexec()
    monkeypatch.setenv("PMI_RANK", "0")
    assert launched_by_mpiexec()


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs unshare")
def test_programs_with_networks_of_their_own_count_as_other_machines():
    show = "from edutorch.distributed.world.mpi_world import node_id; print(node_id())"
    here = [sys.executable, "-c", show]
    done = subprocess.run(
        ["unshare", "--net", *here], env=environment(), capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    if "unshare" in done.stderr:
        pytest.skip(f"needs the right to make a network: {done.stderr.strip()}")
    assert done.stdout.strip() != node_id()
    assert done.stdout.split()[0] == socket.gethostname()
