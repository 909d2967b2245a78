"""`python -m edutorch run`: starts a script in several processes; ends them together.

Each machine has one launcher. It holds the store where ranks meet (on machine 0) or
connects to it, starts its processes, and monitors them until all have ended. When one
fails it ends the others, and starts all again as often as `--max-restarts` says.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from types import FrameType

from ..backends import gpus
from .errors import DistNetworkError
from .launcher.options import parse_options, processes_per_node
from .launcher.workers import Workers
from .stores.tcp_store import TCPStore

__all__ = ["main", "run_script"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the script given on the command line; returns the exit status."""
    options = parse_options(sys.argv[1:] if arguments is None else arguments)
    return run_script(options)


def run_script(options: argparse.Namespace) -> int:
    """Run a script until it succeeds or has been restarted too often."""
    try:
        with _exit_on_signals(options.signals_to_handle):
            return Launcher(options).run()
    except KeyboardInterrupt:
        return 130


class SignalExit(SystemExit):
    """The exit of a launcher that got a signal."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(128 + number)


@contextmanager
def _exit_on_signals(numbers: Sequence[int]) -> Iterator[None]:
    """A block in which a signal that ends this process raises SignalExit."""

    def leave(number: int, frame: FrameType | None) -> None:
        raise SignalExit(number)

    before = {number: signal.signal(number, leave) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Launcher:
    """The launcher of one machine.

    Args:
        options: of the command line, as `parse_options` returns them.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        found = gpus.gpus()
        count = 0 if found is None else len(found.allocators)
        self.local_world_size = processes_per_node(options.nproc_per_node, count)
        self.timeout = timedelta(
            seconds=float(self._rdzv_option("join_timeout", "600"))
        )
        self.store = self._create_store()
        self.node_rank = self._node_rank()
        self.first_rank, self.world_size = self._assign_ranks()

    def _rdzv_option(self, name: str, default: str) -> str:
        pairs = [p.partition("=") for p in self.options.rdzv_conf.split(",") if p]
        return {key: value for key, _, value in pairs}.get(name, default)

    def _create_store(self) -> TCPStore:
        """The store at which all ranks meet, held by machine 0."""
        options = self.options
        host, port = options.master_addr, options.master_port
        if options.rdzv_endpoint and not options.standalone:
            host, _, text = options.rdzv_endpoint.partition(":")
            port = int(text or 29400)
        if options.nnodes == 1:
            return TCPStore(host, port, is_master=True, timeout=self.timeout)
        holds = options.node_rank == 0
        if options.rdzv_backend == "c10d":
            holds = _is_local_address(host)
        try:
            return TCPStore(host, port, is_master=holds, timeout=self.timeout)
        except OSError:
            raise
        except RuntimeError:
            if not holds or options.rdzv_backend != "c10d":
                raise
            # Another launcher on this machine already holds the store.
            return TCPStore(host, port, timeout=self.timeout)

    def _node_rank(self) -> int:
        if self.options.rdzv_backend == "static":
            return int(self.options.node_rank)
        return self.store.add(f"{self.options.rdzv_id}/machines", 1) - 1

    def _assign_ranks(self) -> tuple[int, int]:
        """The first rank on this machine, and the number of ranks on all machines."""
        name = f"{self.options.rdzv_id}/processes/"
        self.store.set(f"{name}{self.node_rank}", self.local_world_size)
        keys = [f"{name}{node}" for node in range(self.options.nnodes)]
        counts = [int(count) for count in self.store.multi_get(keys)]
        return sum(counts[: self.node_rank]), sum(counts)

    # ---- running

    def run(self) -> int:
        """Start the processes, monitor and restart them; returns the exit status."""
        attempt = 0
        while True:
            workers = Workers(self._environments(attempt), self.options, attempt)
            try:
                failure = self._monitor(workers, attempt)
            except SignalExit as ended:
                workers.terminate(ended.number)
                raise
            finally:
                workers.terminate()
            if failure is None:
                self._wait_for_nodes(attempt)
                return 0
            print(f"edutorch run: {failure}", file=sys.stderr, flush=True)
            if attempt >= self.options.max_restarts:
                return 1
            attempt += 1
            print(
                f"edutorch run: starting all processes again, {attempt} of "
                f"{self.options.max_restarts}",
                file=sys.stderr,
                flush=True,
            )

    def _monitor(self, workers: Workers, attempt: int) -> str | None:
        """Watch the processes until all end; return the first failure, or None."""
        failed = f"attempt{attempt}/failed"  # `init_process_group` reads this key, too
        while workers.running():
            workers.output.copy_lines()
            failure = workers.failure() or self._remote_failure(failed)
            if failure is not None:
                self._report_failure(failed, failure)
                workers.wait_for_others()
                return failure
            time.sleep(self.options.monitor_interval)
        failure = workers.failure()
        if failure is not None:
            self._report_failure(failed, failure)
        return failure

    def _remote_failure(self, failed: str) -> str | None:
        """A failure on another machine, or None."""
        if self.options.nnodes == 1:
            return None
        try:
            return (
                self.store.get(failed).decode() if self.store.check([failed]) else None
            )
        except DistNetworkError as error:
            return str(error)

    def _report_failure(self, failed: str, failure: str) -> None:
        """Tell the other launchers of a failure, if they can be reached."""
        with suppress(DistNetworkError):
            self.store.set(failed, failure)

    def _wait_for_nodes(self, attempt: int) -> None:
        """On machine 0, keep the store until all machines have ended."""
        if self.options.nnodes == 1:
            return
        name = f"{self.options.rdzv_id}/done/{attempt}/"
        self.store.set(f"{name}{self.node_rank}", "done")
        if self.node_rank == 0:
            keys = [f"{name}{node}" for node in range(self.options.nnodes)]
            try:
                self.store.wait(keys, self.timeout)
            except RuntimeError as error:
                print(f"edutorch run: {error}", file=sys.stderr)

    def _environments(self, attempt: int) -> list[dict[str, str]]:
        """The environment of each process: torchrun's variables."""
        options = self.options
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PMI_", "PMIX_", "MPI_LOCAL", "HYDI_"))
        }
        if self.local_world_size > 1:
            inherited.setdefault("OMP_NUM_THREADS", "1")
        common = {
            "WORLD_SIZE": self.world_size,
            "LOCAL_WORLD_SIZE": self.local_world_size,
            "GROUP_RANK": self.node_rank,
            "GROUP_WORLD_SIZE": options.nnodes,
            "ROLE_NAME": options.role,
            "ROLE_WORLD_SIZE": self.world_size,
            "MASTER_ADDR": self.store.host,
            "MASTER_PORT": self.store.port,
            "EDUTORCH_RUN_PORT": self.store.port,  # for programs that change it
            "TORCHELASTIC_RESTART_COUNT": attempt,
            "TORCHELASTIC_MAX_RESTARTS": options.max_restarts,
            "TORCHELASTIC_RUN_ID": options.rdzv_id,
            "TORCHELASTIC_USE_AGENT_STORE": True,
        }
        ranks = range(self.first_rank, self.first_rank + self.local_world_size)
        own = (
            {"LOCAL_RANK": i, "RANK": r, "ROLE_RANK": r} for i, r in enumerate(ranks)
        )
        return [
            inherited | {k: str(v) for k, v in (common | each).items()} for each in own
        ]


def _is_local_address(host: str) -> bool:
    """Whether an address belongs to this machine."""
    try:
        with socket.socket() as probe:
            probe.bind((socket.gethostbyname(host), 0))
    except OSError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
