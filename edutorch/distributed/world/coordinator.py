"""The coordinator: a process that connects ranks, and reports failed ones.

Rank 0 starts it (`start_coordinator`). It imports only the standard library, starts in
milliseconds, and ends by itself when no rank is connected any more. Each rank connects
twice:

- MPI connects while it starts, and speaks PMI-1, the protocol by which an MPI
  library asks its launcher which rank it is and where the others are. So ranks that
  were not started by `mpiexec` form one MPI world.
- `coordinator_client.py` connects and stays connected. Lines of JSON say that a rank
  leaves or has failed, and go to all others. A connection that ends without them is a
  rank that has died.

The coordinator is a process, not a thread of rank 0: MPI holds the global interpreter
lock while it starts, so a thread of that process could not answer it.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

__all__ = ["Coordinator", "enable_keepalive", "start_coordinator"]

Send = Callable[[str], None]

# Seconds without an answer after which the other machine counts as lost.
KEEPALIVE_SECONDS = max(6, int(os.environ.get("EDUTORCH_SILENCE", "30")))
# Prefixes of the names of shared memory files: of MPICH, and of its transport UCX.
MEMORY_PREFIXES = ("mpich_shm_", "ucx_shm_posix_")


def enable_keepalive(connection: socket.socket) -> None:
    """Make a connection end when the network or the other machine has failed.

    Nothing is sent over it for minutes, and a machine that loses power does not close
    its connections: so the systems at both ends probe each other.
    """
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    settings = {
        "TCP_NODELAY": 1,
        "TCP_KEEPIDLE": KEEPALIVE_SECONDS // 3,
        "TCP_KEEPINTVL": KEEPALIVE_SECONDS // 6,
        "TCP_KEEPCNT": 4,
        "TCP_USER_TIMEOUT": KEEPALIVE_SECONDS * 1000,
    }
    for name, value in settings.items():
        if hasattr(socket, name):  # some systems lack some of them
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


class Coordinator:
    """Serves the connections of all ranks.

    Args:
        host: the address to listen at.
        size: the number of ranks.
        mapping: which rank is in which machine, as PMI writes it.

    Example:
        >>> server = Coordinator("127.0.0.1", 2, "(vector,(0,1,2))")
        >>> server.size, server.listener.close()
        (2, None)
    """

    def __init__(self, host: str, size: int, mapping: str) -> None:
        self.size = size
        self.values = {"PMI_process_mapping": mapping}
        self.lock = threading.Lock()
        self.in_pmi_barrier: list[Send] = []
        self.senders: dict[int, Send] = {}
        self.in_barrier: set[int] = set()  # ranks that have entered the barrier
        # Process ids of ranks on this machine that are in MPI's initialization.
        self.initializing: dict[int, int] = {}
        self.history: list[str] = []  # reports for ranks that connect later
        self.rank_died = False
        self.connections = 0  # open ones
        self.had_connection = False
        self.changed = threading.Condition(self.lock)
        self.listener = socket.create_server((host, 0), backlog=4 * size + 16)
        self.port = int(self.listener.getsockname()[1])
        self.name = f"{os.getpid()}_{secrets.token_hex(4)}"

    def serve(self) -> None:
        """Accept connections for ever, each one with its own thread."""
        while True:
            connection, _ = self.listener.accept()
            enable_keepalive(connection)
            with self.lock:
                self.connections += 1
                self.had_connection = True
                self.changed.notify_all()
            threading.Thread(
                target=self.serve_connection, args=(connection,), daemon=True
            ).start()

    def serve_connection(self, connection: socket.socket) -> None:
        """Answer one connection until it ends."""

        def send(line: str) -> None:
            with suppress(OSError):  # the rank has ended; reading its connection tells
                connection.sendall(line.encode() + b"\n")

        try:
            lines = connection.makefile("r", encoding="utf-8")
            first = lines.readline()
            if first.startswith("cmd="):
                self.serve_pmi(first, lines, send)
            elif first:
                self.monitor_rank(first, lines, send)
        except OSError:
            pass
        finally:
            connection.close()
            with self.lock:
                self.connections -= 1
                self.changed.notify_all()

    # ---- PMI-1

    def serve_pmi(self, first: str, lines: Any, send: Send) -> None:
        """Answer the commands of an MPI library."""
        line = first
        ended = False
        while line:
            words = dict(word.split("=", 1) for word in line.split())
            command = words.pop("cmd")
            ended |= command == "finalize"
            if command == "barrier_in":
                self.pmi_barrier(send)
            else:
                for reply in self.pmi_reply(command, words):
                    send(reply)
            line = lines.readline()
        if not ended:
            self.abort_pmi_barrier()

    def abort_pmi_barrier(self) -> None:
        """Release the ranks that wait for one that has died, with an error for MPI."""
        with self.lock:
            self.rank_died = True
            waiting, self.in_pmi_barrier = self.in_pmi_barrier, []
        for go_on in waiting:
            go_on("cmd=barrier_out rc=-1 msg=a_rank_has_died")

    def pmi_reply(self, command: str, words: dict[str, str]) -> list[str]:
        """The lines that answer a command.

        Example:
            >>> server = Coordinator("127.0.0.1", 2, "(vector,(0,1,2))")
            >>> server.pmi_reply("put", {"key": "k", "value": "v"})
            ['cmd=put_result rc=0']
            >>> server.pmi_reply("get", {"key": "k"})
            ['cmd=get_result rc=0 value=v']
            >>> server.listener.close()
        """
        if command == "initack":
            about = f"size={self.size}", f"rank={words['pmiid']}", "debug=0"
            return ["cmd=initack", *(f"cmd=set {text}" for text in about)]
        if command == "put":
            self.values[words["key"]] = words["value"]
            return ["cmd=put_result rc=0"]
        if command == "get":
            value = self.values.get(words["key"])
            if value is None:
                return ["cmd=get_result rc=1 msg=key_not_found"]
            return [f"cmd=get_result rc=0 value={value}"]
        fixed = {
            "init": "response_to_init pmi_version=1 pmi_subversion=1 rc=0",
            "get_maxes": "maxes kvsname_max=256 keylen_max=64 vallen_max=1024 rc=0",
            "get_appnum": "appnum appnum=0 rc=0",
            # MPI names shared memory after this, so it must differ between runs.
            "get_my_kvsname": f"my_kvsname kvsname=edutorch_{self.name} rc=0",
            "get_universe_size": f"universe_size size={self.size} rc=0",
            "finalize": "finalize_ack rc=0",
            "abort": "abort_ack rc=0",
        }
        return ["cmd=" + fixed.get(command, f"{command}_result rc=1 msg=unknown")]

    def pmi_barrier(self, send: Send) -> None:
        """Let all ranks continue when the last one has come."""
        with self.lock:
            self.in_pmi_barrier.append(send)
            broken = self.rank_died
            if not broken and len(self.in_pmi_barrier) < self.size:
                return
            waiting, self.in_pmi_barrier = self.in_pmi_barrier, []
        for go_on in waiting:
            go_on(f"cmd=barrier_out rc={-1 if broken else 0}")

    # ---- ranks that are connected

    def monitor_rank(self, first: str, lines: Any, send: Send) -> None:
        """Forward the messages of a rank; if it ends without one, notify the others."""
        words = json.loads(first)
        rank = int(words["rank"])
        with self.lock:
            self.senders[rank] = send
            if words["initializing"]:
                self.initializing[rank] = int(words["initializing"])
            dead = self.rank_died
            for line in self.history:
                send(line)
        if dead:
            self.terminate_initializing_ranks()
        leaving = False
        try:
            for line in lines:
                kind = json.loads(line)["event"]
                if kind == "initialized":
                    with self.lock:
                        self.initializing.pop(rank, None)
                    continue
                if kind == "barrier":
                    self.enter_barrier(rank)
                    continue
                leaving |= kind in {"exiting", "failed"}
                self.broadcast(
                    rank, line.rstrip("\n"), keep=kind in {"exiting", "failed"}
                )
        finally:
            with self.lock:
                del self.senders[rank]
                self.initializing.pop(rank, None)
                self.in_barrier.discard(rank)
                self.rank_died |= not leaving
            if not leaving:
                self.terminate_initializing_ranks(f"rank {rank} has died")
                self.broadcast(
                    rank, json.dumps({"event": "died", "rank": rank}), keep=True
                )

    def enter_barrier(self, rank: int) -> None:
        """Tell all ranks when the last one has come, rank 0 after the others.

        Rank 0 may hold the store that the others still ask.
        """
        with self.lock:
            self.in_barrier.add(rank)
            if len(self.in_barrier) < self.size:
                return
            everyone = [send for _, send in sorted(self.senders.items(), reverse=True)]
        for send in everyone:
            send(json.dumps({"event": "barrier_done", "rank": rank}))

    def terminate_initializing_ranks(self, why: str = "a rank has died") -> None:
        """End the ranks that are still in MPI's initialization, which would never end.

        Python cannot interrupt it. Ranks of other machines end at their time limit.
        """
        with self.lock:
            ending, self.initializing = self.initializing, {}
        for rank, process in ending.items():
            print(
                f"edutorch: rank {rank} ends: {why} while MPI was starting",
                file=sys.stderr,
                flush=True,
            )
            with suppress(OSError):
                os.kill(process, signal.SIGTERM)

    def broadcast(self, sender: int, line: str, *, keep: bool) -> None:
        """Send a line to all ranks but the one that it comes from."""
        with self.lock:
            if keep:
                self.history.append(line)
            others = [send for rank, send in self.senders.items() if rank != sender]
        for send in others:
            send(line)


def start_coordinator(host: str, size: int, mapping: str) -> int:
    """Start a coordinator as a separate process; returns its port.

    Raises:
        RuntimeError: if it does not start.
    """
    words = [host, str(size), mapping, str(os.getpid())]
    command = [sys.executable, "-S", "-E", "-s", __file__, *words]
    process = subprocess.Popen(  # noqa: S603 (this file)
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        start_new_session=True,  # so that Ctrl-C reaches only the ranks
    )
    with process.stdout or nullcontext() as output:
        line = output.readline() if output else ""
    process.returncode = 0  # it outlives this process, so nobody waits for it
    if not line:
        raise RuntimeError(f"the coordinator of ranks did not start at {host}")
    return int(line)


def remove_shared_memory(since: float) -> None:
    """Remove the files of MPI's shared memory that no process uses any more.

    MPI removes them when its ranks end, but not if these were killed.
    """
    folder = Path("/dev/shm")  # noqa: S108 (where MPICH and UCX put them)
    files = [path for prefix in MEMORY_PREFIXES for path in folder.glob(f"{prefix}*")]
    found = [path for path in files if created_by_us_since(path, since)]
    if found:
        time.sleep(0.2)  # a new file may not be mapped yet
        used = mapped_shared_memory()
        for path in found:
            if str(path) not in used:
                path.unlink(missing_ok=True)


def created_by_us_since(path: Path, since: float) -> bool:
    """Whether this user created a file after a point in time."""
    try:
        about = path.stat()
    except OSError:
        return False
    return about.st_uid == os.getuid() and about.st_mtime >= since - 1.0


def mapped_shared_memory() -> set[str]:
    """The files of MPI's shared memory that some process has mapped."""
    used: set[str] = set()
    for maps in Path("/proc").glob("[0-9]*/maps"):
        with suppress(OSError):  # the process has ended, or belongs to another user
            for line in maps.read_text(errors="replace").splitlines():
                if any(prefix in line for prefix in MEMORY_PREFIXES):
                    used.add(line.split(maxsplit=5)[-1])
    return used


def main(host: str, size: int, mapping: str, parent_pid: int) -> None:
    """Serve until no rank is connected any more.

    Args:
        parent_pid: the process that has started this one, and connects at once.
    """
    started = time.time()
    server = Coordinator(host, size, mapping)
    print(server.port, flush=True)
    sys.stdout.close()
    threading.Thread(target=server.serve, daemon=True).start()
    with server.lock:
        while not server.had_connection and os.getppid() == parent_pid:
            server.changed.wait(timeout=0.1)
        server.changed.wait_for(lambda: server.connections == 0)
    if server.rank_died:
        remove_shared_memory(started)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
