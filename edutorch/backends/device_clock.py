"""Simulated time: the cost of a launch to the host, and when a device runs its work.

The host queues work in a stream of a device, pays for the launch, and continues. The
work begins when everything before it in its stream is done and its unit is free. A
device has three units: one runs kernels, one copies in and one copies out; so copies
and kernels of different streams overlap, and kernels do not. The host blocks only where
it waits for a device.

The host's own work takes no simulated time: a program's times are the same on every
computer, and can be computed by hand.
"""

from __future__ import annotations

import threading
from bisect import insort
from collections import deque
from typing import Final, NamedTuple

from .. import events

__all__ = ["DeviceClock", "HostClock", "Job"]

JOBS: Final = 3000  # how many are kept
QUERY: Final = 1e-6  # the host's time for a query, so that a loop of queries ends
UNITS: Final = ("compute", "in", "out")


class Job(NamedTuple):
    """A unit's work, in seconds of the simulated clock.

    Attributes:
        name: the op, or the kind of copy.
        unit: "compute", "in" or "out".
        stream: the number of the stream.
        given: when the host launched it.
        begin, end: when the device ran it.
        nbytes: how many bytes a copy moves.
        phase: "forward", "backward" or "optim": known while there are listeners.
    """

    name: str
    unit: str
    stream: int
    given: float
    begin: float
    end: float
    nbytes: int = 0
    phase: str = "forward"


class HostClock:
    """The host's simulated time, which all devices share.

    Example:
        >>> from edutorch.backends.device_clock import HostClock
        >>> host = HostClock()
        >>> host.wait_until(2.0)
        >>> host.wait_until(1.0)
        >>> host.now
        2.0
    """

    def __init__(self) -> None:
        self.now = 0.0
        self.waited = 0.0
        self.lock = threading.RLock()

    def wait_until(self, moment: float) -> None:
        """Block until a moment, unless it has passed."""
        with self.lock:
            if moment > self.now:
                self.waited += moment - self.now
                self.now = moment

    def reached(self, moment: float) -> bool:
        """Whether a moment has passed; each query takes a little time."""
        with self.lock:
            passed = moment <= self.now
            self.now += 0.0 if passed else QUERY
            return passed


class _Unit:
    """A part of a device that does one job at a time."""

    def __init__(self) -> None:
        self.busy = 0.0
        self.taken: list[tuple[float, float]] = []  # from now on, in order

    def place(self, earliest: float, seconds: float, now: float) -> float:
        """Reserve the first gap that is long enough; returns when it begins."""
        self.taken = [span for span in self.taken if span[1] > now]
        begin = earliest
        for first, last in self.taken:
            if first - begin >= seconds:
                break
            begin = max(begin, last)
        self.busy += seconds
        insort(self.taken, (begin, begin + seconds))
        self._merge_touching()
        return begin

    def _merge_touching(self) -> None:
        """Merge adjacent spans, to keep their number small."""
        joined: list[tuple[float, float]] = []
        for first, last in self.taken:
            if joined and joined[-1][1] == first:
                first = joined.pop()[0]
            joined.append((first, last))
        self.taken = joined


class DeviceClock:
    """When a device runs the work in its queues.

    Attributes:
        host: the clock of whoever launches the work.
        jobs: the last 3000 jobs.

    Example:
        >>> from edutorch.backends.device_clock import DeviceClock, HostClock
        >>> host = HostClock()
        >>> clock = DeviceClock(host)
        >>> clock.run("first", 5.0, launch=1.0), clock.run("second", 5.0, launch=1.0)
        (6.0, 11.0)
        >>> host.now
        2.0
    """

    def __init__(self, host: HostClock) -> None:
        self.host = host
        self.jobs: deque[Job] = deque(maxlen=JOBS)
        self._ready: dict[int, float] = {}  # when a stream's work is done
        self._units = {name: _Unit() for name in UNITS}

    def run(
        self,
        name: str,
        seconds: float,
        *,
        launch: float = 0.0,
        stream: int = 0,
        unit: str = "compute",
        nbytes: int = 0,
    ) -> float:
        """Queue a job in a stream; returns when it will be done.

        Args:
            launch: the host's time.
            nbytes: how many bytes a copy moves.
        """
        with self.host.lock:
            now = self.host.now = self.host.now + launch
            earliest = max(now, self.ready(stream))
            begin = self._units[unit].place(earliest, seconds, now)
            self._ready[stream] = end = begin + seconds
            phase = events.thread_local.state.phase
            self.jobs.append(Job(name, unit, stream, now, begin, end, nbytes, phase))
            return end

    def ready(self, stream: int) -> float:
        """When a stream has done, or will have done, all that is queued in it."""
        return self._ready.get(stream, 0.0)

    def reached(self, stream: int) -> float:
        """The moment that an event marks if it is recorded in a stream now."""
        return max(self.ready(stream), self.host.now)

    def hold(self, stream: int, moment: float) -> None:
        """Delay work queued in a stream from now on until a moment."""
        with self.host.lock:
            self._ready[stream] = max(self.ready(stream), moment)

    def finish(self) -> None:
        """Make the host wait for all streams."""
        self.host.wait_until(max(self._ready.values(), default=0.0))

    def busy(self, unit: str = "compute") -> float:
        """The total time a unit spends on its jobs, including queued ones."""
        return self._units[unit].busy
