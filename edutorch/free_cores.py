"""How many threads compute while other processes take cores.

Note [Threads follow the free cores]
The threads of a matrix product wait for each other: each computes a fixed part. If
another program takes one of two cores, the thread on it gets half of the core, in turns
of some milliseconds. A product of 0.1 ms then takes as long as such a turn, and a
training step on two threads two to four times as long as on one.

Linux counts for each thread how long it was ready to run but waited for a core (the
second number of `/proc/self/task/*/schedstat`; the first is how long it ran). Added up
over all threads, that is 0 to 0.3 seconds per second on two cores where only small
things happen besides, and 0.5 to 1 if another process computes on one of them. So every
0.1 seconds the counts are read, which takes up to 0.2 ms. If threads waited for more
than 0.45 of the time, as many threads fewer are used as cores were missing, at least
one. After a quarter of a second all of them are tried for 0.05 seconds, and if they
wait again, after half a second, one, and every two seconds: so threads come back at
most two seconds after the other program has ended, and trying them costs some percent
until then.

Results do not depend on it. Work of the thread pool is cut into the same parts, and a
matrix product uses fewer threads only where that gives the same bits
(`kernels/products.py`). Elsewhere than on Linux, nothing is counted and all threads are
used, as with the environment variable EDUTORCH_SHARE_CORES=0.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable
from typing import Final

__all__ = ["FreeCores", "Times", "cores", "thread_times"]

WINDOW: Final = 0.1  # seconds of counting
TRIAL: Final = 0.05  # seconds in which all threads are tried again
TAKEN: Final = 0.45  # seconds of waiting in a second of work
LITTLE: Final = 0.01  # seconds of work that tell nothing
FIRST_PAUSE: Final = 0.25  # seconds until all threads are tried again
LONGEST_PAUSE: Final = 2.0
SHARE: Final = 200  # reading the counts takes at most this part of the time
NEVER: Final = float("inf")

TASKS: Final = "/proc/self/task"
Times = dict[str, tuple[int, int]]  # nanoseconds that each thread ran, and waited


def thread_times() -> Times:
    """How long each thread of this process ran, and waited for a core; {} if unknown.

    Example:
        >>> all(ran >= 0 <= waited for ran, waited in thread_times().values())
        True
    """
    times = {}
    try:
        for thread in os.listdir(TASKS):  # noqa: PTH208 (faster than a Path)
            try:
                file = os.open(f"{TASKS}/{thread}/schedstat", os.O_RDONLY)
                try:
                    ran, waited = os.read(file, 100).split()[:2]
                finally:
                    os.close(file)
            except (FileNotFoundError, ProcessLookupError):
                continue  # it has just ended
            times[thread] = int(ran), int(waited)
    except (OSError, ValueError):
        return {}
    return times


class FreeCores:
    """Decides how many of a program's threads compute.

    Args:
        clock: the time in seconds.
        times: the times of all threads, as from `thread_times`.
        enabled: whether the number of threads is ever reduced.

    Example:
        >>> FreeCores().threads(2) in (1, 2)
        True
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.perf_counter,
        times: Callable[[], Times] = thread_times,
        *,
        enabled: bool = True,
    ) -> None:
        self.clock, self.times, self.enabled = clock, times, enabled
        self.restart()

    def restart(self) -> None:
        """Forget everything, as in a forked process, which has other threads."""
        self.missing = 0  # how many threads fewer are used
        self.pause = FIRST_PAUSE
        self.until = NEVER  # when all threads are tried
        self.next = 0.0 if self.enabled else NEVER  # when the window ends
        self.trial = False
        self.begin: Times = {}  # the times at the beginning of the window
        self.looking = threading.Lock()

    def settled(self) -> bool:
        """Whether all threads are used and it is not yet time to read the counts."""
        return self.clock() < self.next and not self.missing

    def threads(self, wanted: int) -> int:
        """How many threads should compute, of `wanted`."""
        due = wanted > 1 and (now := self.clock()) >= min(self.next, self.until)
        if due and self.looking.acquire(blocking=False):  # else another thread looks
            try:
                self._look(now, wanted)
            finally:
                self.looking.release()
        return max(1, wanted - self.missing)

    def _look(self, now: float, wanted: int) -> None:
        if now >= self.until:  # try all threads
            self.missing, self.until, self.trial = 0, NEVER, True
            self._count(now)
            return
        if not self.begin:
            self._count(now)
            return
        times = self.times()
        gone = [self.begin.get(thread, (0, 0)) for thread in times]
        ran = [new[0] - old[0] for new, old in zip(times.values(), gone, strict=True)]
        waits = [new[1] - old[1] for new, old in zip(times.values(), gone, strict=True)]
        worked = 1e-9 * max(map(sum, zip(ran, waits, strict=True)), default=0)
        if worked < LITTLE:
            self.next = now + LITTLE
            return
        waited = 1e-9 * sum(waits) / worked
        if waited > TAKEN:
            self.missing = min(wanted - 1, self.missing + math.ceil(waited))
            self.until = now + self.pause
            self.pause = min(2 * self.pause, LONGEST_PAUSE)
            self.trial = False
            if self.missing == wanted - 1:  # one thread: nothing to be counted
                self.next = self.until
                return
        elif self.trial:
            self.trial = False  # free: if so for another window, the pauses are over
        elif not self.missing:
            self.pause = FIRST_PAUSE
        self._count(now)

    def _count(self, now: float) -> None:
        """Begin a window."""
        self.begin = self.times()
        took = self.clock() - now
        if not self.begin:  # the system does not count
            self.missing, self.next, self.until = 0, NEVER, NEVER
        else:
            self.next = now + max(TRIAL if self.trial else WINDOW, SHARE * took)

    def describe(self) -> str:
        """One line of text, for `config.show`.

        Example:
            >>> FreeCores(enabled=False).describe()
            'all, also while other processes take cores (EDUTORCH_SHARE_CORES=0)'
        """
        if not self.enabled:
            return "all, also while other processes take cores (EDUTORCH_SHARE_CORES=0)"
        if self.missing:
            return f"{self.missing} fewer than set: other processes take cores"
        if self.next == NEVER:
            return "all (the system does not tell which cores are free)"
        return "all, and fewer while other processes take cores"


cores: Final = FreeCores(enabled=os.environ.get("EDUTORCH_SHARE_CORES") != "0")

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=cores.restart)
