"""The connection of a rank to the coordinator, which reports failed ranks."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any

from .coordinator import enable_keepalive

__all__ = ["CoordinatorClient"]

# Seconds to wait for the last messages of a rank that is ending.
EXIT_GRACE_SECONDS = 2.0


class CoordinatorClient:
    """The connection to the coordinator, and its reports about other ranks.

    Args:
        host, port: where the coordinator listens.
        rank: the number of this process.
        describe: says what this rank is doing, when another one asks.
        initializing: MPI is about to start, and cannot be left if a rank dies then.

    Attributes:
        failed: in words, why ranks will never answer again.
        exiting: when a rank said that its program has ended.
    """

    def __init__(
        self,
        host: str,
        port: int,
        rank: int,
        describe: Callable[[], str] = lambda: "starting",
        *,
        initializing: bool = False,
    ) -> None:
        self.host, self.rank, self.describe = host, rank, describe
        self.failed: dict[int, str] = {}
        self.exiting: dict[int, float] = {}
        self.statuses: dict[int, str] = {}
        self.disconnected = False
        self._barrier_done = threading.Event()
        self._connection = socket.create_connection((host, port), timeout=30)
        self._connection.settimeout(None)
        enable_keepalive(self._connection)
        self._lock = threading.Lock()
        here = self._connection.getsockname()[0] == self._connection.getpeername()[0]
        self.send(rank=rank, initializing=os.getpid() if initializing and here else 0)
        threading.Thread(target=self._listen, daemon=True).start()
        # A copy in a child process would keep the connection open after this process.
        os.register_at_fork(after_in_child=self._connection.close)

    def send(self, **words: Any) -> None:
        """Send one line."""
        try:
            with self._lock:
                self._connection.sendall(json.dumps(words).encode() + b"\n")
        except OSError:
            pass  # the coordinator has ended; `_listen` notices that

    def _listen(self) -> None:
        try:
            with self._connection.makefile("r", encoding="utf-8") as lines:
                for line in lines:
                    self._handle_event(json.loads(line))
        except (OSError, ValueError):
            pass
        self.disconnected = True

    def _handle_event(self, words: dict[str, Any]) -> None:
        """Handle a message of another rank, or of the coordinator about one."""
        rank, event = int(words["rank"]), words["event"]
        if event == "died":
            self.failed.setdefault(rank, f"rank {rank} has died")
        elif event == "failed":
            self.failed.setdefault(rank, f"rank {rank} failed: {words['text']}")
        elif event == "exiting":
            self.exiting.setdefault(rank, time.monotonic())
        elif event == "query_status":
            self.send(event="status", rank=self.rank, text=self.describe())
        elif event == "status":
            self.statuses[rank] = words["text"]
        elif event == "barrier_done":
            self._barrier_done.set()

    def barrier(
        self,
        ranks: Iterable[int],
        timeout: timedelta,
        find_failure: Callable[[], str | None] = lambda: None,
    ) -> str | None:
        """Wait until all ranks have called this; why some will not, or None.

        Args:
            find_failure: says why some will never come, if that is known elsewhere.
        """
        everyone = list(ranks)
        self.send(event="barrier", rank=self.rank)
        until = time.monotonic() + timeout.total_seconds()
        why = None
        while why is None and not self._barrier_done.wait(0.5):
            why = self.find_failure(everyone) or find_failure()
            if why is None and time.monotonic() > until:
                why = f"timed out after {timeout.total_seconds():g} s"
                why += self._name_silent(everyone)
        return why

    def _name_silent(self, ranks: Sequence[int]) -> str:
        """Which ranks do not answer, as the end of a message."""
        here = {self.rank, *self.query_status(ranks)}
        silent = [str(rank) for rank in ranks if rank not in here]
        return f". Ranks that had not come: {', '.join(silent)}" if silent else ""

    def initialized(self) -> None:
        """Report that MPI has started."""
        self.send(event="initialized", rank=self.rank)

    def announce_exit(self) -> None:
        """Tell the others that this program has ended."""
        self.send(event="exiting", rank=self.rank)

    def announce_failure(self, text: str) -> None:
        """Tell the others that this program has failed, and how."""
        self.send(event="failed", rank=self.rank, text=text)

    def close(self) -> None:
        """Close the connection; without an announcement this counts as a death."""
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self._connection.close()

    def find_failure(self, ranks: Iterable[int]) -> str | None:
        """Why one of some ranks will not answer, or None while all may."""
        if self.disconnected:
            return "the coordinator of the ranks has gone"
        for rank in ranks:
            if rank in self.failed:
                return self.failed[rank]
            since = self.exiting.get(rank)
            if since is not None and time.monotonic() - since > EXIT_GRACE_SECONDS:
                return f"rank {rank} has ended its program"
        return None

    def query_status(
        self, ranks: Iterable[int], seconds: float = 1.0
    ) -> dict[int, str]:
        """What other ranks are doing, as reported by those alive."""
        self.statuses = {}
        self.send(event="query_status", rank=self.rank)
        until = time.monotonic() + seconds
        wanted = set(ranks) - {self.rank}
        while wanted - set(self.statuses) and time.monotonic() < until:
            time.sleep(0.01)
        return dict(self.statuses)
