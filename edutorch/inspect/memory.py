"""What fills the memory: bytes by category and device over time."""

from __future__ import annotations

import threading
import time
from itertools import zip_longest
from typing import Any

from .. import events
from ..backends import backend_of
from ..devices import device
from .event_fields import (
    ALLOC_CATEGORY,
    ALLOC_DEVICE,
    ALLOC_ROUNDED,
    CAT_CATEGORY,
    KIND,
    MARK_NAME,
    MARK_WHAT,
    START,
    STEP,
    STORAGE,
)
from .memory_step import Change, StepDetail
from .recorder import Recorder

__all__ = ["CATEGORIES", "MemoryRecorder", "Timeline", "device_kind"]

CATEGORIES = ("parameter", "gradient", "activation", "optimizer", "other")
_COLUMN = {name: i for i, name in enumerate(CATEGORIES)} | {
    "param": 0,
    "buffer": 0,
    "grad": 1,
    "saved": 2,
}
_OTHER = len(CATEGORIES) - 1
MARKS = 64
LONGEST = 50_000  # changes of a step that are kept to show it in full
FINE = 8_000_000  # nanoseconds of an interval within which a step is resolved


class Timeline:
    """Samples of bytes per category, thinned out to a fixed number.

    An interval of time shows the moment in it when most bytes were held, so
    thinning never hides a peak. While intervals are short, the moment of
    fewest bytes is shown too, so one sees memory come and go in each step.
    Where nothing happens after an interval, what it left behind is shown.

    Args:
        size: largest number of intervals; when full, pairs are merged.

    Example:
        >>> line = Timeline(size=4)
        >>> for k in range(8):
        ...     nbytes = 7 if k == 5 else 1
        ...     line.add(k * 10**7, nbytes, [nbytes])
        >>> max(row[0] for row in line.samples()[1])
        7
    """

    def __init__(self, size: int = 200) -> None:
        self.size = size
        self.width = 1_000_000  # nanoseconds in an interval
        self._intervals: list[_Interval] = []
        self._end = -1  # of the last interval

    def add(self, ns: int, total: int, row: list[int]) -> None:
        """Put the bytes at a time into the interval they belong to."""
        if ns >= self._end:
            if len(self._intervals) >= self.size:
                self._merge()
            self._intervals.append(_Interval(ns, total, row[:]))
            self._end = ns + self.width
            return
        last = self._intervals[-1]
        last.left = row[:]
        if total > last.most:
            last.most, last.high, last.rising = total, row[:], True
        elif total < last.least:
            last.least, last.low, last.rising = total, row[:], False

    def _merge(self) -> None:
        """Make one interval of each two neighbours."""
        self.width *= 2
        old = self._intervals
        for first, second in zip(old[::2], old[1::2], strict=False):
            first.take(second)
        self._intervals = old[::2]

    def samples(self) -> tuple[list[int], list[list[int]]]:
        """The times in nanoseconds, and the bytes per category at each."""
        times: list[int] = []
        rows: list[list[int]] = []
        intervals = list(self._intervals)
        for interval, following in zip_longest(intervals, intervals[1:]):
            first, second = interval.ordered()
            if self.width > FINE:
                first = second = interval.high
            times.append(interval.start)
            rows.append(first)
            if second is not first:
                times.append(interval.start + self.width // 2)
                rows.append(second)
            end = interval.start + self.width
            pause = following is None or following.start > end + self.width
            if pause and interval.left != rows[-1]:
                times.append(end)
                rows.append(interval.left)
        return times, rows


class _Interval:
    """Fewest and most bytes of an interval of time, which came first, and the end."""

    __slots__ = ("high", "least", "left", "low", "most", "rising", "start")

    def __init__(self, start: int, total: int, row: list[int]) -> None:
        self.start = start
        self.least = self.most = total
        self.low = self.high = self.left = row
        self.rising = True

    def take(self, later: _Interval) -> None:
        if later.most > self.most:
            self.most, self.high, self.rising = later.most, later.high, True
        if later.least < self.least:
            self.least, self.low, self.rising = later.least, later.low, False
        self.left = later.left

    def ordered(self) -> tuple[list[int], list[int]]:
        return (self.low, self.high) if self.rising else (self.high, self.low)


class _Account:
    """One device's running totals."""

    def __init__(self, name: str) -> None:
        self.facts = device_kind(name)
        self.totals = [0] * len(CATEGORIES)
        self.now = 0
        self.peak = 0
        self.timeline = Timeline()
        self.last: StepDetail | None = None
        self.fullest: StepDetail | None = None
        self._begin(0)

    def _begin(self, ns: int) -> None:
        """A training step begins."""
        self.began = ns
        self.before = self.totals[:]
        self.changes: list[Change] = []

    def change(self, column: int, nbytes: int, ns: int) -> None:
        self.totals[column] += nbytes
        self.now = now = self.now + nbytes
        if now > self.peak:
            self.peak = now
        self.timeline.add(ns, now, self.totals)
        self.note(ns, column, nbytes)

    def note(self, ns: int, column: int, nbytes: int) -> None:
        """Keep what a step does in full, as long as it is not endless."""
        if len(self.changes) < LONGEST:
            self.changes.append((ns, column, nbytes, events.place.here.phase))

    def step_ended(self, step: int, ns: int) -> None:
        """Keep the step; of equally full ones, the later."""
        if self.changes and self.began and len(self.changes) < LONGEST:
            self.last = StepDetail(step, self.began, ns, self.before, self.changes)
            if self.fullest is None or self.last.peak >= self.fullest.peak:
                self.fullest = self.last
        self._begin(ns)


class _Ledger:
    """Books every allocation, release and change of category."""

    def __init__(self) -> None:
        self.accounts: dict[str, _Account] = {}
        self.marks: list[tuple[int, str]] = []
        self.start = 0
        self.rev = 0
        self.lock = threading.Lock()
        self.first_step = 0  # when recording began
        self._every = 1  # steps per mark
        self._owners: dict[int, tuple[_Account, int, int]] = {}
        self._handlers = {
            "alloc": self._alloc,
            "free": self._free,
            "cat": self._cat,
            "mark": self._mark,
        }

    def handle(self, record: tuple[Any, ...]) -> None:
        """Book one record."""
        book = self._handlers.get(record[KIND])
        if book is not None:
            with self.lock:  # threads may compute side by side
                book(record)

    def _alloc(self, record: tuple[Any, ...]) -> None:
        ident, nbytes = record[STORAGE], record[ALLOC_ROUNDED]
        if ident in self._owners:
            return
        account = self.accounts.get(record[ALLOC_DEVICE])
        if account is None:
            account = self.accounts[record[ALLOC_DEVICE]] = _Account(
                record[ALLOC_DEVICE]
            )
            self.start = self.start or record[START]
        column = _COLUMN.get(record[ALLOC_CATEGORY], _OTHER)
        self._owners[ident] = (account, column, nbytes)
        account.change(column, nbytes, record[START])
        self.rev += 1

    def _free(self, record: tuple[Any, ...]) -> None:
        owned = self._owners.pop(record[STORAGE], None)
        if owned is not None:
            account, column, nbytes = owned
            account.change(column, -nbytes, record[START])
            self.rev += 1

    def _cat(self, record: tuple[Any, ...]) -> None:
        owned = self._owners.get(record[STORAGE])
        if owned is None:
            return
        account, column, nbytes = owned
        new = _COLUMN.get(record[CAT_CATEGORY], _OTHER)
        account.totals[column] -= nbytes
        account.totals[new] += nbytes
        account.note(record[START], column, -nbytes)
        account.note(record[START], new, nbytes)
        self._owners[record[STORAGE]] = (account, new, nbytes)
        self.rev += 1

    def _mark(self, record: tuple[Any, ...]) -> None:
        name, what = record[MARK_NAME], record[MARK_WHAT]
        step = record[STEP] - self.first_step
        if name != "step":
            self.marks.append((record[START], str(name)))
            self.rev += 1
        elif what == "end" and step % self._every == 0:
            self.marks.append((record[START], f"step {step}"))
        if name == "step" and what == "end":
            for account in self.accounts.values():
                account.step_ended(step, record[START])
        if len(self.marks) > MARKS:
            self.marks = _thinned(self.marks)
            self._every *= 2


def _thinned(marks: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Every second step, and the other marks unless they are too many."""
    steps = [m for m in marks if m[1].startswith("step ")]
    others = [m for m in marks if not m[1].startswith("step ")]
    return sorted(others[-MARKS // 2 :] + steps[::2])


class MemoryRecorder(Recorder):
    """Bytes by category over time, for every device (level 1).

    Totals are exact from the moment of opening: storages that listeners knew
    already are counted in, later ones when an op or a module first sees
    them. Only sizes are stored, never a tensor. Counted are whole storages and
    the gradients that the engine holds; temporaries inside one formula are
    not.

    Example:
        >>> import edutorch as torch
        >>> x = torch.zeros(1000)
        >>> with MemoryRecorder() as memory:
        ...     y = x + 1
        >>> memory.series()["now"]
        8000
    """

    kinds = ("alloc", "free", "cat", "mark")

    def __init__(self, name: str = "inspect.memory") -> None:
        self._ledger = _Ledger()
        super().__init__(name, self._ledger, level=1)

    def _started(self, subscription: events.Subscription) -> None:
        self._ledger.first_step = events.step
        for record in events.live_allocations():
            self._ledger.handle(record)

    @property
    def rev(self) -> int:
        """Grows with every change."""
        return self._ledger.rev

    def devices(self) -> list[str]:
        """The devices that hold or held bytes."""
        return sorted(self._ledger.accounts)

    def replay(self, records: Any) -> MemoryRecorder:
        """Add records that were stored elsewhere."""
        for record in records:
            self._ledger.handle(record)
        return self

    def series(self, device: str | None = None) -> dict[str, Any]:
        """The memory of one device over time, as JSON-ready data.

        Args:
            device: such as "cpu" or "cuda:0"; by default the GPU that holds
                most bytes, or else the CPU.
        """
        if self.is_open:
            events.drain()
        name = self._choose(device)
        account = self._ledger.accounts.get(name) or _Account(name)
        with self._ledger.lock:  # training may go on
            t, rows = account.timeline.samples()
            if t and rows[-1] != account.totals:
                t.append(self._now(t[-1]))
                rows.append(account.totals[:])
        facts = device_kind(name)
        kind, limit, reserved = account.facts if facts[0] == "GPU" else facts
        marks = list(self._ledger.marks)
        return {
            "v": 1,
            "rev": self.rev,
            "device": name,
            "kind": kind,
            "categories": list(CATEGORIES),
            "t": [self._ms(ns) for ns in t],
            "bytes": rows,
            "marks": [{"t": self._ms(ns), "name": n} for ns, n in marks],
            "now": account.now,
            "peak": account.peak,
            "limit": limit,
            "reserved": reserved,
            "steps": self._steps(account),
        }

    def _steps(self, account: _Account) -> list[dict[str, Any]]:
        """The fullest and the last training step in full; once if they are one."""
        fullest, last = account.fullest, account.last
        if fullest is None or last is None:
            return []
        if fullest is last:
            return [last.data("the last and fullest")]
        return [fullest.data("the fullest"), last.data("the last")]

    def _choose(self, device: str | None) -> str:
        if device is not None:
            return "cuda:0" if str(device) == "cuda" else str(device)
        gpus = [d for d in self.devices() if d != "cpu"]
        held = self._ledger.accounts
        return max(gpus, key=lambda d: held[d].peak) if gpus else "cpu"

    def _now(self, last: int) -> int:
        return max(time.perf_counter_ns() if self.is_open else 0, last + 1000)

    def _ms(self, ns: int) -> float:
        return round((ns - self._ledger.start) / 1e6, 3)


def device_kind(name: str) -> tuple[str, int | None, int | None]:
    """What a device is in words, the bytes it has and the bytes it reserves.

    Example:
        >>> device_kind("cpu")
        ('CPU storages', None, None)
    """
    if name == "cpu":
        return "CPU storages", None, None
    where = device(name)
    try:
        backend: Any = backend_of(where)
        books = backend.allocator(where)
    except (AssertionError, RuntimeError):  # the simulation is over
        return "GPU", None, None
    kind = "simulated GPU" if backend.simulated else "CUDA GPU"
    return kind, int(books.capacity), int(books.reserved)
