"""Operations over time, by thread, with their nesting, for Timeline."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable
from itertools import islice
from typing import Any, Final

from .. import events
from .event_fields import KIND, MARK_CONTROL, MARK_WHAT, SEQ, STEP
from .recorder import Recorder
from .source_lines import called_at
from .timeline_bars import Bar, Bars

__all__ = ["TimelineRecorder"]

STEPS: Final = 20  # whole steps that are kept
RING: Final = 30_000  # records; each module call has two
MOST: Final = 10_000  # bars that are shown
BATCH: Final = 256
COLUMNS: Final = (
    "kind", "name", "start", "dur", "lane", "parent", "line", "link", "device", "open",
)  # fmt: skip
NO_DATA: Final = {
    "origin": 0, "total": 0, "names": [], "lines": [], "lanes": [], "devices": [],
    "pauses": [], "bars": {column: [] for column in COLUMNS},
}  # fmt: skip


class _RecentSteps:
    """The records of the newest steps, in order of arrival."""

    def __init__(self, steps: int) -> None:
        self.most = steps
        self.first_step: int | None = None
        self.ring: deque[tuple[Any, ...]] = deque()
        self.ends: deque[int] = deque()  # the count of records at the end of each step
        self.count = 0
        self.ended = 0  # steps
        self.rev = 0
        self._lock = threading.Lock()

    def handle(self, record: tuple[Any, ...]) -> None:
        """Keep one record."""
        with self._lock:  # several threads may send records
            self.ring.append(record)
            self.count += 1
            if record[KIND] == "mark" and record[MARK_CONTROL] == "step":
                self._step_ended(record)
            if len(self.ring) > RING + BATCH:
                self._drop(len(self.ring) - RING)
        self.rev = record[SEQ]  # last, once the record can be found

    def _step_ended(self, record: tuple[Any, ...]) -> None:
        if record[MARK_WHAT] != "end":
            return
        self.ended += 1
        self.ends.append(self.count)
        if len(self.ends) > self.most + 1:
            self.ends.popleft()
        if len(self.ends) == self.most + 1:  # the oldest one's records are not kept
            self._drop(self.ends[0] - 1 - (self.count - len(self.ring)))

    def _drop(self, number: int) -> None:
        for _ in range(number):
            self.ring.popleft()
        gone = self.count - len(self.ring)
        while self.ends and self.ends[0] <= gone:
            self.ends.popleft()

    def complete_steps(self) -> tuple[list[tuple[Any, ...]], int]:
        """The records of complete steps that are held, and how many were dropped."""
        with self._lock:
            gone = self.count - len(self.ring)
            if not gone:
                return list(self.ring), 0
            if not self.ends:  # a single step whose beginning was dropped
                return list(self.ring), self.ended
            skip = self.ends[0] - 1 - gone
            return list(islice(self.ring, skip, None)), self.ended - len(self.ends) + 1


class TimelineRecorder(Recorder):
    """Records steps, module calls, ops and their backward over time (level 1).

    A training step ends with `optimizer.step()`. Times are those of the records, in
    nanoseconds, without pauses in computation. Recording an operation takes a few
    microseconds, which are not part of its time.

    Args:
        steps: how many of the newest steps are kept; of very long ones, fewer.
        name: a second recorder of the same name replaces the first.

    Example:
        >>> import edutorch as torch
        >>> with TimelineRecorder() as recorder:
        ...     y = torch.ones(3).exp().sum()
        >>> series = recorder.series()
        >>> [series["names"][i] for i in series["bars"]["name"]]
        ['step 0', 'exp', 'sum']
    """

    kinds = ("op", "bwd", "mod", "mark", "span")

    def __init__(self, steps: int = STEPS, name: str = "inspect.timeline") -> None:
        self._newest = _RecentSteps(max(1, steps))
        super().__init__(name, self._newest, level=1)

    def _started(self, subscription: events.Subscription) -> None:
        if self._newest.first_step is None:
            self._newest.first_step = events.step

    @property
    def rev(self) -> int:
        """A number that increases with every record."""
        return self._newest.rev

    def replay(self, records: Iterable[tuple[Any, ...]]) -> TimelineRecorder:
        """Add records stored elsewhere."""
        for record in records:
            if record[KIND] in self.kinds:
                if self._newest.first_step is None:
                    self._newest.first_step = record[STEP]
                self._newest.handle(record)
        return self

    def series(self) -> dict[str, Any]:
        """The bars as JSON-ready columns.

        `start` counts from `origin`; it and `dur` are in nanoseconds. `parent` is the
        enclosing bar, which precedes the bar; `link` leads from the backward of an
        operation to the operation, and from a gradient that a leaf receives to the call
        of its module.
        """
        newest, first = self._newest, self._newest.first_step or 0
        rev = newest.rev
        bars = Bars(first)
        records, older = newest.complete_steps()
        bars.add(records)
        found = bars.nested()
        shown, dropped = _newest_bars(found)
        return {
            "v": 1,
            "rev": rev,
            "step": max(0, max((b.step for b in shown), default=first) - first),
            "most": newest.most,
            "dropped_steps": older,
            "dropped": dropped,
            **_columns(shown, bars.pauses),
        }


def _newest_bars(bars: list[Bar]) -> tuple[list[Bar], int]:
    """The bars of as many of the newest steps as fit, and how many were omitted."""
    if len(bars) <= MOST:
        return bars, 0
    starts = sorted(bar.start for bar in bars)
    since = starts[-MOST]
    steps = [bar.start for bar in bars if bar.name.startswith("step ") and not bar.kind]
    since = min((s for s in steps if s >= since), default=since)
    shown = [bar for bar in bars if bar.start >= since]
    return shown, len(bars) - len(shown)


class _Table:
    """Numbers texts."""

    def __init__(self) -> None:
        self.numbers: dict[Any, int] = {}

    def __call__(self, key: Any) -> int:
        return self.numbers.setdefault(key, len(self.numbers))


def _columns(shown: list[Bar], pauses: list[tuple[int, int]]) -> dict[str, Any]:
    if not shown:
        return NO_DATA | {"bars": {column: [] for column in COLUMNS}}
    origin = min(bar.start for bar in shown)
    place = {id(bar): i for i, bar in enumerate(shown)}
    names, lines, lanes, devices = _Table(), _Table(), _Table(), _Table()
    rows = [
        (
            bar.kind, names(bar.name), bar.start - origin, bar.end - bar.start,
            lanes(bar.thread), place.get(id(bar.parent), -1),
            lines(bar.line) if bar.line >= 0 else -1, place.get(id(bar.link), -1),
            devices(bar.device) if bar.device else -1, int(bar.open),
        )
        for bar in shown
    ]  # fmt: skip
    columns = [list(column) for column in zip(*rows, strict=True)]
    return {
        "origin": origin,
        "total": max(bar.end for bar in shown) - origin,
        "names": list(names.numbers),
        "lines": [called_at(src) for src in lines.numbers],
        "lanes": _thread_names(lanes.numbers),
        "devices": list(devices.numbers),
        "pauses": [[at - origin, ns] for at, ns in pauses if at >= origin],
        "bars": dict(zip(COLUMNS, columns, strict=True)),
    }


def _thread_names(idents: Iterable[int]) -> list[str]:
    """Names of threads; those that have ended get a number."""
    known = {thread.ident: thread.name for thread in threading.enumerate()}
    main = threading.main_thread().ident
    return [
        "main thread" if ident == main else known.get(ident, f"thread {i + 1}")
        for i, ident in enumerate(idents)
    ]
