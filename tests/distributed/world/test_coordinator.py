"""The coordinator: PMI-1 as MPI speaks it, and reports about failed ranks."""

from __future__ import annotations

import json
import mmap
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from edutorch.distributed.world.coordinator import (
    MEMORY_PREFIXES,
    Coordinator,
    created_by_us_since,
    mapped_shared_memory,
    remove_shared_memory,
    start_coordinator,
)
from tests.distributed.launching import left_over, mark
from tests.house.source_tree import ROOT

MEMORY = Path("/dev/shm")  # noqa: S108 (where MPICH and UCX put it)


@pytest.fixture
def port(monkeypatch):
    monkeypatch.setenv("MARK_OF_TEST", mark())
    yield start_coordinator("127.0.0.1", 2, "(vector,(0,1,2))")
    assert left_over() == []


def test_process_that_has_not_ended_is_found(monkeypatch):
    monkeypatch.setenv("MARK_OF_TEST", mark())
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
    (found,) = left_over(seconds=0.2)
    assert found.startswith(f"{child.pid} {sys.executable} -c import time")
    assert found.endswith("::test_process_that_has_not_ended_is_found")
    child.kill()
    child.wait()
    assert left_over() == []


def test_coordinator_ends_when_its_starter_dies_before_it_connects(monkeypatch):
    monkeypatch.setenv("MARK_OF_TEST", mark())
    program = (
        "from edutorch.distributed.world.coordinator import start_coordinator\n"
        "start_coordinator('127.0.0.1', 2, '')\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, timeout=90)
    assert left_over() == []


class Client:
    """A connection that speaks in lines."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.lines = self.socket.makefile("r")

    def send(self, line):
        self.socket.sendall(line.encode() + b"\n")

    def hear(self):
        return self.lines.readline().rstrip("\n")

    def close(self):
        self.lines.close()
        self.socket.close()


def watcher(port, rank, initializing=0):
    client = Client(port)
    client.send(json.dumps({"rank": rank, "initializing": initializing}))
    return client


def test_pmi_names_rank_and_size_and_keeps_values(port):
    one, two = Client(port), Client(port)
    for rank, client in enumerate((one, two)):
        client.send(f"cmd=initack pmiid={rank}")
        assert client.hear() == "cmd=initack"
        assert client.hear() == "cmd=set size=2"
        assert client.hear() == f"cmd=set rank={rank}"
        assert client.hear() == "cmd=set debug=0"
    one.send("cmd=put kvsname=k key=address value=10.0.0.1#7")
    assert one.hear() == "cmd=put_result rc=0"
    one.send("cmd=barrier_in")
    two.send("cmd=barrier_in")
    assert one.hear() == two.hear() == "cmd=barrier_out rc=0"
    two.send("cmd=get kvsname=k key=address")
    assert two.hear() == "cmd=get_result rc=0 value=10.0.0.1#7"
    two.send("cmd=get kvsname=k key=none")
    assert two.hear().startswith("cmd=get_result rc=1")
    one.close()
    two.close()


def test_barrier_of_mpi_ends_when_a_rank_has_died(port):
    one, two = Client(port), Client(port)
    one.send("cmd=init pmi_version=1 pmi_subversion=1")
    assert "response_to_init" in one.hear()
    one.send("cmd=barrier_in")
    two.send("cmd=get_maxes")
    two.hear()
    two.close()
    assert one.hear().startswith("cmd=barrier_out rc=-1")
    one.close()


def test_rank_that_goes_without_a_word_is_lost(port):
    one, two = watcher(port, 0), watcher(port, 1)
    two.close()
    assert json.loads(one.hear()) == {"event": "died", "rank": 1}
    one.close()


def test_rank_that_says_why_it_fails_is_quoted_also_to_latecomers(port):
    two = watcher(port, 1)
    failed = {"event": "failed", "rank": 1, "text": "ValueError: no"}
    two.send(json.dumps(failed))
    late = watcher(port, 0)
    assert json.loads(late.hear()) == failed
    two.close()
    late.close()


def test_rank_that_starts_mpi_is_ended_when_another_dies(port):
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
    one, two = watcher(port, 0, initializing=child.pid), watcher(port, 1)
    one.send(json.dumps({"event": "exiting", "rank": 0}))
    assert json.loads(two.hear())["event"] == "exiting"  # so rank 0 is known by now
    two.close()
    assert child.wait(30) == -signal.SIGTERM
    one.close()


def test_memory_is_ours_if_it_was_made_since(tmp_path):
    file = tmp_path / "mpich_shm_1_0"
    file.write_bytes(b"x")
    made = file.stat().st_mtime
    assert created_by_us_since(file, made)
    assert not created_by_us_since(file, made + 10)
    assert not created_by_us_since(tmp_path / "none", made)
    assert str(file) not in mapped_shared_memory()


@pytest.mark.skipif(not MEMORY.is_dir(), reason="no shared memory in files")
@pytest.mark.parametrize("prefix", MEMORY_PREFIXES)
def test_shared_memory_that_no_process_uses_is_removed(prefix):
    began = time.time()
    unused, used = (MEMORY / f"{prefix}test{os.getpid()}_{i}" for i in range(2))
    try:
        for path in (unused, used):
            path.write_bytes(bytes(4096))
        with used.open("r+b") as file, mmap.mmap(file.fileno(), 0):
            remove_shared_memory(began)
            assert not unused.exists()
            assert used.exists()
    finally:
        used.unlink(missing_ok=True)
        unused.unlink(missing_ok=True)


def test_coordinator_answers_what_it_does_not_know_with_a_refusal():
    server = Coordinator("127.0.0.1", 2, "")
    try:
        assert server.pmi_reply("spawn", {}) == ["cmd=spawn_result rc=1 msg=unknown"]
    finally:
        server.listener.close()
