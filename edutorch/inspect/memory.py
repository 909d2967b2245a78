"""Memory in use over time, by category and device."""

from __future__ import annotations

import threading
from typing import Any

from .. import events, memory_events
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
from .memory_timeline import Timeline
from .recorder import Recorder
from .working_clock import PAUSES, REST, WorkingClock

__all__ = [
    "CATEGORIES",
    "LedgerRecorder",
    "COLUMNS",
    "OTHER",
    "PAUSES",
    "MemoryRecorder",
    "device_kind",
    "fullest_device",
]

CATEGORIES = ("parameter", "gradient", "activation", "optimizer", "other")
COLUMNS = {name: i for i, name in enumerate(CATEGORIES)} | {
    "param": 0,
    "buffer": 0,
    "grad": 1,
    "saved": 2,
}
OTHER = len(CATEGORIES) - 1
MARKS = 64
LONGEST = 50_000  # changes of a step that are kept to show it in full
SHORTEST = 500_000_000  # nanoseconds of a pause that is named


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
        self.away = False  # not watching: changes are found afterwards, together
        self._begin(0)

    def back(self, ns: int) -> None:
        """Apply the changes that happened while nothing was watched."""
        self.away = False
        self.peak = max(self.peak, self.now)
        self.timeline.add(ns, self.now, self.totals)
        self._begin(ns)

    def _begin(self, ns: int) -> None:
        """A training step begins."""
        self.began = ns
        self.before = self.totals[:]
        self.changes: list[Change] = []

    def change(self, column: int, nbytes: int, ns: int) -> None:
        self.totals[column] += nbytes
        self.now = now = self.now + nbytes
        if self.away:
            return
        if now > self.peak:
            self.peak = now
        self.timeline.add(ns, now, self.totals)
        self.note(ns, column, nbytes)

    def note(self, ns: int, column: int, nbytes: int) -> None:
        """Keep what a step does in full, as long as it is not endless."""
        if len(self.changes) < LONGEST and not self.away:
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
        self._clock = WorkingClock()
        self._away = False
        self._handlers = {
            "alloc": self._alloc,
            "free": self._free,
            "cat": self._cat,
            "mark": self._mark,
        }

    def handle(self, record: tuple[Any, ...]) -> None:
        """Book one record."""
        handler = self._handlers.get(record[KIND])
        if handler is not None:
            with self.lock:  # threads may compute side by side
                if record[KIND] == "mark" and record[MARK_NAME] in PAUSES:
                    self._pause(record)
                elif self._away:
                    handler(record, self._clock.now(False))
                else:
                    handler(record, self._clock.read(record[START]))

    def now(self, running: bool) -> int:
        """The time of the newest sample, on the clock without pauses."""
        return self._clock.now(running)

    def _alloc(self, record: tuple[Any, ...], ns: int) -> None:
        ident, nbytes = record[STORAGE], record[ALLOC_ROUNDED]
        if ident in self._owners:
            return
        account = self.accounts.get(record[ALLOC_DEVICE])
        if account is None:
            account = self.accounts[record[ALLOC_DEVICE]] = _Account(
                record[ALLOC_DEVICE]
            )
            account.away = self._away
            self.start = self.start or ns
        column = COLUMNS.get(record[ALLOC_CATEGORY], OTHER)
        self._owners[ident] = (account, column, nbytes)
        account.change(column, nbytes, ns)
        self.rev += 1

    def _free(self, record: tuple[Any, ...], ns: int) -> None:
        owned = self._owners.pop(record[STORAGE], None)
        if owned is not None:
            account, column, nbytes = owned
            account.change(column, -nbytes, ns)
            self.rev += 1

    def _cat(self, record: tuple[Any, ...], ns: int) -> None:
        owned = self._owners.get(record[STORAGE])
        if owned is None:
            return
        account, column, nbytes = owned
        new = COLUMNS.get(record[CAT_CATEGORY], OTHER)
        if new == column:  # only whose it is was learnt
            return
        account.totals[column] -= nbytes
        account.totals[new] += nbytes
        account.note(ns, column, -nbytes)
        account.note(ns, new, nbytes)
        self._owners[record[STORAGE]] = (account, new, nbytes)
        self.rev += 1

    def _mark(self, record: tuple[Any, ...], ns: int) -> None:
        name, what = record[MARK_NAME], record[MARK_WHAT]
        if name == "step":
            self._step(record[STEP] - self.first_step, what, ns)
        else:
            self._note(ns, str(name))
        if len(self.marks) > MARKS:
            self.marks = _drop_alternate_steps(self.marks)
            self._every *= 2

    def _note(self, ns: int, name: str) -> None:
        self.marks.append((ns, name))
        self.rev += 1

    def _pause(self, record: tuple[Any, ...]) -> None:
        """Exclude time without computation, which a mark announces."""
        what, now = record[MARK_WHAT], record[START]
        length = self._clock.pause(what, now)
        if record[MARK_NAME] == REST:
            self._rest(what == "begin", self._clock.read(now))
        elif length >= SHORTEST and self.accounts:
            self._note(self._clock.read(now), f"{length / 1e9:.1f} s pause")

    def _rest(self, begins: bool, ns: int) -> None:
        """Stop watching steps; their allocations are reported together at the end."""
        self._away = begins
        for account in self.accounts.values():
            if begins:
                account.away = True
            else:
                account.back(ns)
        self.rev += 1

    def _step(self, step: int, what: str, ns: int) -> None:
        if what != "end":
            return
        if step % self._every == 0:
            self.marks.append((ns, f"step {step}"))
        for account in self.accounts.values():
            account.step_ended(step, ns)


def _drop_alternate_steps(marks: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Every second step, and the other marks unless they are too many."""
    steps = [m for m in marks if m[1].startswith("step ")]
    others = [m for m in marks if not m[1].startswith("step ")]
    return sorted(others[-MARKS // 2 :] + steps[::2])


class LedgerRecorder(Recorder):
    """A recorder whose ledger knows at any time what memory is held (level 1).

    Args:
        name: the key of the subscription.
        ledger: handles records, and has `first_step` and `rev`.
    """

    kinds = ("alloc", "free", "cat", "mark")

    def __init__(self, name: str, ledger: Any) -> None:
        self._ledger = ledger
        super().__init__(name, ledger, level=1)

    def _started(self, subscription: events.Subscription) -> None:
        self._ledger.first_step = events.step
        for record in memory_events.live_allocations():
            self._ledger.handle(record)

    def close(self) -> None:
        """Stop listening, after counting the memory released so far."""
        if self.is_open:
            memory_events.drain()
        super().close()

    @property
    def rev(self) -> int:
        """Increases with every change; counts the memory released so far."""
        if self.is_open:
            memory_events.drain()
        return self._ledger.rev


class MemoryRecorder(LedgerRecorder):
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

    def __init__(self, name: str = "inspect.memory") -> None:
        super().__init__(name, _Ledger())

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
            memory_events.drain()
        name = self._choose(device)
        account = self._ledger.accounts.get(name) or _Account(name)
        with self._ledger.lock:  # training may go on
            t, rows = account.timeline.samples()
            if t and rows[-1] != account.totals:
                t.append(max(self._ledger.now(self.is_open), t[-1] + 1000))
                rows.append(account.totals[:])
        facts = device_kind(name)
        kind, limit, reserved = account.facts if facts[0] == "GPU" else facts
        marks = list(self._ledger.marks)
        return {
            "v": 1,
            "rev": self._ledger.rev,
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
        return fullest_device({d: a.peak for d, a in self._ledger.accounts.items()})

    def _ms(self, ns: int) -> float:
        return round((ns - self._ledger.start) / 1e6, 3)


def fullest_device(peaks: dict[str, int]) -> str:
    """The GPU that has held most bytes, or else the CPU.

    Example:
        >>> fullest_device({"cpu": 9, "cuda:0": 1, "cuda:1": 2})
        'cuda:1'
    """
    gpus = sorted(device for device in peaks if device.startswith("cuda"))
    return max(gpus, key=peaks.__getitem__) if gpus else "cpu"


def device_kind(name: str) -> tuple[str, int | None, int | None]:
    """What a device is in words, the bytes it has and the bytes it reserves.

    Example:
        >>> device_kind("cpu")
        ('CPU storages', None, None)
    """
    if name == "cpu":
        return "CPU storages", None, None
    if name == "meta":
        return "no values", None, None
    target = device(name)
    try:
        backend: Any = backend_of(target)
        allocator = backend.allocator(target)
    except (AssertionError, RuntimeError):  # the simulation is over
        return "GPU", None, None
    kind = "simulated GPU" if backend.simulated else "CUDA GPU"
    return kind, int(allocator.capacity), int(allocator.reserved)
