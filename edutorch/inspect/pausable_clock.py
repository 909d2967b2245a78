"""The clock of recorders, which stops during pauses."""

from __future__ import annotations

import time

__all__ = ["PAUSES", "SKIP_MARK", "PausableClock"]

SKIP_MARK = "skip"  # the mark at the beginning and end of skipped steps
# marks of pauses: the user has stopped the program, no cell runs, steps are skipped
PAUSES = ("pause", "idle", SKIP_MARK)


class PausableClock:
    """Nanoseconds without pauses; events during a pause still get a time.

    Example:
        >>> clock = PausableClock()
        >>> clock.read(100), clock.pause("begin", 200), clock.pause("end", 1200)
        (100, 0, 1000)
        >>> clock.read(1300)
        300
    """

    def __init__(self) -> None:
        self._skipped = 0
        self._latest = 0  # the time of the last event
        self._paused = False

    def read(self, ns: int) -> int:
        """The time of an event."""
        self._latest = max(ns, self._latest)
        return ns - self._skipped

    def pause(self, what: str, ns: int) -> int:
        """Begin or end a pause; returns the length of one that has ended."""
        length = max(0, ns - self._latest) if self._paused and what != "begin" else 0
        self._paused = what == "begin"
        self._skipped += length
        self._latest = max(ns, self._latest)
        return length

    def now(self, running: bool) -> int:
        """The time now; during a pause or after recording, that of the last event."""
        if running and not self._paused:
            return time.perf_counter_ns() - self._skipped
        return self._latest - self._skipped
