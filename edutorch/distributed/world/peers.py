"""Who is still there: the connection of a rank to the coordinator."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import timedelta
from typing import Any

from .coordinator import keep_watch

__all__ = ["Peers"]

# Seconds after a rank has begun to end in which what it sent may still arrive.
GRACE = 2.0


class Peers:
    """What is known about the other ranks.

    Args:
        host, port: where the coordinator listens.
        rank: the number of this process.
        describe: says what this rank is doing, when another one asks.
        starting: MPI is about to start, and cannot be left if a rank dies then.

    Attributes:
        failed: in words, why ranks will never answer again.
        leaving: when a rank said that its program has ended.
    """

    def __init__(
        self,
        host: str,
        port: int,
        rank: int,
        describe: Callable[[], str] = lambda: "starting",
        *,
        starting: bool = False,
    ) -> None:
        self.host, self.rank, self.describe = host, rank, describe
        self.failed: dict[int, str] = {}
        self.leaving: dict[int, float] = {}
        self.doing: dict[int, str] = {}
        self.ended = False
        self._all_here = threading.Event()
        self._connection = socket.create_connection((host, port), timeout=30)
        self._connection.settimeout(None)
        keep_watch(self._connection)
        self._lock = threading.Lock()
        here = self._connection.getsockname()[0] == self._connection.getpeername()[0]
        self.say(rank=rank, starting=os.getpid() if starting and here else 0)
        threading.Thread(target=self._listen, daemon=True).start()
        # A child's copy of the connection would keep it open after this process.
        os.register_at_fork(after_in_child=self._connection.close)

    def say(self, **words: Any) -> None:
        """Send one line."""
        try:
            with self._lock:
                self._connection.sendall(json.dumps(words).encode() + b"\n")
        except OSError:
            pass  # the coordinator has gone; `_listen` hears of it

    def _listen(self) -> None:
        try:
            with self._connection.makefile("r", encoding="utf-8") as lines:
                for line in lines:
                    self._hear(json.loads(line))
        except (OSError, ValueError):
            pass
        self.ended = True

    def _hear(self, words: dict[str, Any]) -> None:
        """What another rank says, or the coordinator about it."""
        rank, event = int(words["rank"]), words["event"]
        if event == "lost":
            self.failed.setdefault(rank, f"rank {rank} has died")
        elif event == "failed":
            self.failed.setdefault(rank, f"rank {rank} failed: {words['text']}")
        elif event == "leaving":
            self.leaving.setdefault(rank, time.monotonic())
        elif event == "ask":
            self.say(event="doing", rank=self.rank, text=self.describe())
        elif event == "doing":
            self.doing[rank] = words["text"]
        elif event == "all here":
            self._all_here.set()

    def wait_for_all(
        self,
        ranks: Iterable[int],
        timeout: timedelta,
        problem: Callable[[], str | None] = lambda: None,
    ) -> str | None:
        """Wait until all ranks have called this; why some will not, or None.

        Args:
            problem: says why some will never come, if that is known elsewhere.
        """
        everyone = list(ranks)
        self.say(event="here", rank=self.rank)
        until = time.monotonic() + timeout.total_seconds()
        why = None
        while why is None and not self._all_here.wait(0.5):
            why = self.problem(everyone) or problem()
            if why is None and time.monotonic() > until:
                why = f"they had {timeout.total_seconds():g} s"
        return why

    def started(self) -> None:
        """Say that MPI has started."""
        self.say(event="started", rank=self.rank)

    def leave(self) -> None:
        """Tell the others that this program has ended."""
        self.say(event="leaving", rank=self.rank)

    def fail(self, text: str) -> None:
        """Tell the others that this program has failed, and how."""
        self.say(event="failed", rank=self.rank, text=text)

    def close(self) -> None:
        """End the connection: without a word before, as if this rank had died."""
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self._connection.close()

    def problem(self, ranks: Iterable[int]) -> str | None:
        """Why one of some ranks will not answer, or None while all may."""
        if self.ended:
            return "the coordinator of the ranks has gone"
        for rank in ranks:
            if rank in self.failed:
                return self.failed[rank]
            since = self.leaving.get(rank)
            if since is not None and time.monotonic() - since > GRACE:
                return f"rank {rank} has ended its program"
        return None

    def ask(self, ranks: Iterable[int], seconds: float = 1.0) -> dict[int, str]:
        """What other ranks are doing: asked of all, answered by those alive."""
        self.doing = {}
        self.say(event="ask", rank=self.rank)
        until = time.monotonic() + seconds
        wanted = set(ranks) - {self.rank}
        while wanted - set(self.doing) and time.monotonic() < until:
            time.sleep(0.01)
        return dict(self.doing)
