"""Two hosts made of network namespaces, with a cable between them.

Needs root and `ip`. Each host has its own network, host name and shared memory of
System V, so that MPI takes them for two machines.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.distributed.launching import environment
from tests.ports import free_port

__all__ = ["Hosts", "two_hosts"]


class Hosts:
    """Two hosts, numbers 0 and 1, at 10.77.N.1 and 10.77.N.2."""

    def __init__(self) -> None:
        self.launchers: list[subprocess.Popen[str]] = []
        number = os.getpid() % 250 + 1
        self.names = [f"edu{number}a", f"edu{number}b"]
        self.addresses = [f"10.77.{number}.1", f"10.77.{number}.2"]

    def make(self) -> None:
        """Make the networks, and the cable."""
        one, two = self.names
        for name in self.names:
            _ip("netns", "add", name)
        _ip("link", "add", one, "netns", one, "type", "veth",
            "peer", "name", two, "netns", two)  # fmt: skip
        for name, address in zip(self.names, self.addresses, strict=True):
            _ip("-n", name, "addr", "add", f"{address}/24", "dev", name)
            _ip("-n", name, "link", "set", name, "up")
            _ip("-n", name, "link", "set", "lo", "up")

    def remove(self) -> None:
        """End what runs there, and remove the networks; the cable goes with them."""
        for launcher in self.launchers:
            launcher.terminate()
            launcher.communicate(timeout=60)
        for name in self.names:
            with suppress(subprocess.CalledProcessError):
                _ip("netns", "del", name)

    def sent(self) -> int:
        """The bytes that host 0 has sent through the cable."""
        counter = f"/sys/class/net/{self.names[0]}/statistics/tx_bytes"
        return int(_ip("netns", "exec", self.names[0], "cat", counter))

    def cut(self) -> None:
        """Cut the cable."""
        _ip("-n", self.names[0], "link", "set", self.names[0], "down")

    def run(self, script: Path) -> list[subprocess.Popen[str]]:
        """The launchers of a program with one rank on each host."""
        port = str(free_port())
        run = [sys.executable, "-m", "edutorch", "run", "--nnodes=2",
                  f"--master-addr={self.addresses[0]}", f"--master-port={port}"]  # fmt: skip
        self.launchers = [
            subprocess.Popen(
                ["unshare", "--uts", "--ipc", "sh", "-c",
                 f'hostname {name}; exec ip netns exec {name} "$@"', "sh",
                 *run, f"--node-rank={node}", str(script)],
                env=environment(MPIR_CVAR_NOLOCAL="1", EDUTORCH_SILENCE="6"),
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )
            for node, name in enumerate(self.names)
        ]  # fmt: skip
        return self.launchers


def _ip(*arguments: str) -> str:
    done = subprocess.run(
        ["ip", *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout


@contextmanager
def two_hosts() -> Iterator[Hosts]:
    """Two hosts; the test is skipped where they cannot be made."""
    hosts = Hosts()
    try:
        hosts.make()
    except (OSError, subprocess.CalledProcessError) as error:
        with suppress(OSError):
            hosts.remove()
        reason = getattr(error, "stderr", None) or str(error)
        pytest.skip(f"needs the right to make networks: {reason.strip()}")
    try:
        yield hosts
    finally:
        hosts.remove()
