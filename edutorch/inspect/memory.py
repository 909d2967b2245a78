"""Memory in use over time, by category and device."""

from __future__ import annotations

import threading
from typing import Any

from .. import events, memory_events
from ..backends import backend_of
from ..devices import device
from ..optim.step_counter import counter
from .event_fields import (
    ALLOC_CATEGORY,
    ALLOC_DEVICE,
    ALLOC_ROUNDED,
    CAT_CATEGORY,
    KIND,
    MARK_CONTROL,
    MARK_NAME,
    MARK_WHAT,
    START,
    STEP,
    STORAGE,
)
from .memory_step import Change, StepDetail
from .memory_timeline import Timeline
from .missed_allocations import announce_held
from .pausable_clock import PAUSES, SKIP_MARK, PausableClock
from .recorder import Recorder

__all__ = [
    "CATEGORIES",
    "AllocationRecorder",
    "COLUMNS",
    "OTHER",
    "PAUSES",
    "MemoryRecorder",
    "device_kind",
    "peak_device",
]

CATEGORIES = ("parameter", "gradient", "activation", "optimizer", "other")
COLUMNS = {name: i for i, name in enumerate(CATEGORIES)} | {
    "param": 0,
    "grad": 1,
    "saved": 2,
}
OTHER = len(CATEGORIES) - 1
MARKS = 64
LONGEST = 50_000  # changes of a step that is shown in full
SHORTEST = 500_000_000  # nanoseconds; shorter pauses are not marked


class _DeviceMemory:
    """The bytes held on one device by category, now and over time."""

    def __init__(self, name: str) -> None:
        self.facts = device_kind(name)
        self.totals = [0] * len(CATEGORIES)
        self.now = 0
        self.peak = 0
        self.timeline = Timeline()
        self.latest: StepDetail | None = None
        self.peak_step: StepDetail | None = None
        self.unwatched = False  # changes are then reported together at the end
        self._begin(0)

    def resume(self, ns: int) -> None:
        """Apply the changes made while nothing was watched."""
        self.unwatched = False
        self.peak = max(self.peak, self.now)
        self.timeline.add(ns, self.now, self.totals)
        self._begin(ns)

    def _begin(self, ns: int) -> None:
        """A training step begins."""
        self.began = ns
        self.before = self.totals[:]
        self.changes: list[Change] = []

    def hold(self, column: int, nbytes: int) -> None:
        """Add what was held before recording began; time starts later."""
        self.totals[column] += nbytes
        self.now = self.peak = self.now + nbytes
        self.before = self.totals[:]

    def change(self, column: int, nbytes: int, ns: int) -> None:
        self.totals[column] += nbytes
        self.now = now = self.now + nbytes
        if self.unwatched:
            return
        if now > self.peak:
            self.peak = now
        self.timeline.add(ns, now, self.totals)
        self.note(ns, column, nbytes)

    def note(self, ns: int, column: int, nbytes: int) -> None:
        """Record a change for the view of the whole step, up to `LONGEST`."""
        if len(self.changes) < LONGEST and not self.unwatched:
            self.changes.append((ns, column, nbytes, events.thread_local.state.phase))

    def step_ended(self, step: int, ns: int) -> None:
        """Keep the step as the latest, and as the peak if no other step held more."""
        if self.changes and self.began and len(self.changes) < LONGEST:
            self.latest = StepDetail(step, self.began, ns, self.before, self.changes)
            if self.peak_step is None or self.latest.peak >= self.peak_step.peak:
                self.peak_step = self.latest
        self._begin(ns)


class _Collector:
    """Keeps totals from the records of allocations, releases and categories."""

    def __init__(self) -> None:
        self.by_device: dict[str, _DeviceMemory] = {}
        self.marks: list[tuple[int, str]] = []
        self.start = 0
        self.rev = 0
        self.lock = threading.Lock()
        self.first_step = 0  # when recording began
        self.opening = False  # what is reported was held before that
        self._every = 1  # steps per mark
        self._owners: dict[int, tuple[_DeviceMemory, int, int]] = {}
        self._clock = PausableClock()
        self._unwatched = False
        self._handlers = {
            "alloc": self._alloc,
            "free": self._free,
            "cat": self._cat,
            "mark": self._mark,
        }

    def handle(self, record: tuple[Any, ...]) -> None:
        """Handle one record."""
        handler = self._handlers.get(record[KIND])
        if handler is not None:
            with self.lock:  # several threads may send records
                if record[KIND] == "mark" and record[MARK_CONTROL] in PAUSES:
                    self._pause(record)
                elif self._unwatched:
                    handler(record, self._clock.now(False))
                else:
                    handler(record, self._clock.read(record[START]))

    def now(self, running: bool) -> int:
        """The present time on the clock that excludes pauses."""
        return self._clock.now(running)

    def _alloc(self, record: tuple[Any, ...], ns: int) -> None:
        ident, nbytes = record[STORAGE], record[ALLOC_ROUNDED]
        if ident in self._owners:
            return
        memory = self.by_device.get(record[ALLOC_DEVICE])
        if memory is None:
            memory = self.by_device[record[ALLOC_DEVICE]] = _DeviceMemory(
                record[ALLOC_DEVICE]
            )
            memory.unwatched = self._unwatched
        column = COLUMNS.get(record[ALLOC_CATEGORY], OTHER)
        self._owners[ident] = (memory, column, nbytes)
        if self.opening:
            memory.hold(column, nbytes)
        else:
            self.start = self.start or ns
            memory.change(column, nbytes, ns)
        self.rev += 1

    def _free(self, record: tuple[Any, ...], ns: int) -> None:
        owned = self._owners.pop(record[STORAGE], None)
        if owned is not None:
            memory, column, nbytes = owned
            self.start = self.start or ns
            memory.change(column, -nbytes, ns)
            self.rev += 1

    def _cat(self, record: tuple[Any, ...], ns: int) -> None:
        owned = self._owners.get(record[STORAGE])
        if owned is None:
            return
        memory, column, nbytes = owned
        new = COLUMNS.get(record[CAT_CATEGORY], OTHER)
        if new == column:  # only the owner has changed
            return
        memory.totals[column] -= nbytes
        memory.totals[new] += nbytes
        memory.note(ns, column, -nbytes)
        memory.note(ns, new, nbytes)
        self._owners[record[STORAGE]] = (memory, new, nbytes)
        self.rev += 1

    def _mark(self, record: tuple[Any, ...], ns: int) -> None:
        if record[MARK_CONTROL] == "step":
            self._step(record[STEP] - self.first_step, record[MARK_WHAT], ns)
        elif record[MARK_CONTROL] != "phase":  # those of each step would hide the rest
            self._note(ns, str(record[MARK_NAME]))
        if len(self.marks) > MARKS:
            self.marks = _drop_alternate_steps(self.marks)
            self._every *= 2

    def _note(self, ns: int, name: str) -> None:
        self.marks.append((ns, name))
        self.rev += 1

    def _pause(self, record: tuple[Any, ...]) -> None:
        """Exclude a pause that a mark announces."""
        what, now = record[MARK_WHAT], record[START]
        length = self._clock.pause(what, now)
        if record[MARK_CONTROL] == SKIP_MARK:
            self._skip(what == "begin", self._clock.read(now))
        elif length >= SHORTEST and self.start:
            self._note(self._clock.read(now), f"{length / 1e9:.1f} s pause")

    def _skip(self, begins: bool, ns: int) -> None:
        """Stop or resume watching; allocations in between are reported together."""
        self._unwatched = begins
        for memory in self.by_device.values():
            if begins:
                memory.unwatched = True
            else:
                memory.resume(ns)
        self.rev += 1

    def _step(self, step: int, what: str, ns: int) -> None:
        if what != "end":
            return
        if step % self._every == 0:
            self.marks.append((ns, f"step {step}"))
        for memory in self.by_device.values():
            memory.step_ended(step, ns)


def _drop_alternate_steps(marks: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Keep every second step, and of the other marks the newest `MARKS // 2`."""
    steps = [m for m in marks if m[1].startswith("step ")]
    others = [m for m in marks if not m[1].startswith("step ")]
    return sorted(others[-MARKS // 2 :] + steps[::2])


class AllocationRecorder(Recorder):
    """Base class of recorders that follow every allocation (level 1).

    Args:
        name: the key of the subscription.
        collector: handles records, and has `first_step` and `rev`. `opening` is set
            while it receives the memory held before.
    """

    kinds = ("alloc", "free", "cat", "mark")
    _collector: Any

    def __init__(self, name: str, collector: Any) -> None:
        super().__init__(name, collector, level=1)

    def _started(self, subscription: events.Subscription) -> None:
        self._collector.first_step = events.step
        self._collector.opening = True
        for optimizer in counter.optimizers():
            announce_held(optimizer)
        for record in memory_events.live_allocations():
            self._collector.handle(record)
        self._collector.opening = False

    def close(self) -> None:
        """Stop listening, after counting the memory freed so far."""
        if self.is_open:
            memory_events.drain()
        super().close()

    @property
    def rev(self) -> int:
        """A number that increases with every change; counts the memory freed so far."""
        if self.is_open:
            memory_events.drain()
        return self._collector.rev


class MemoryRecorder(AllocationRecorder):
    """Bytes by category over time, for every device (level 1).

    Totals include what listeners know already when it opens, and the parameters,
    gradients and state of the optimizers in use; other storages are added when an op or
    a module first uses them. Only sizes are stored, never a tensor. Whole storages
    count, and the gradients that the engine holds; temporaries inside a formula do not.
    Buffers of modules are part of "other".

    Example:
        >>> import edutorch as torch
        >>> x = torch.zeros(1000)
        >>> with MemoryRecorder() as memory:
        ...     y = x + 1
        >>> memory.series()["now"]
        8000
    """

    def __init__(self, name: str = "inspect.memory") -> None:
        super().__init__(name, _Collector())

    def devices(self) -> list[str]:
        """The devices that hold or have held memory."""
        return sorted(self._collector.by_device)

    def replay(self, records: Any) -> MemoryRecorder:
        """Add records stored elsewhere."""
        for record in records:
            self._collector.handle(record)
        return self

    def series(self, device: str | None = None) -> dict[str, Any]:
        """The memory of one device over time, as JSON-ready data.

        Args:
            device: such as "cpu" or "cuda:0"; by default the GPU whose
                peak is largest, or else the CPU.
        """
        if self.is_open:
            memory_events.drain()
        name = self._choose(device)
        memory = self._collector.by_device.get(name) or _DeviceMemory(name)
        with self._collector.lock:  # training may continue meanwhile
            t, rows = memory.timeline.samples()
            if not t and memory.now:  # nothing has changed since it was opened
                t, rows = [self._collector.start], [memory.totals[:]]
            if t and rows[-1] != memory.totals:
                t.append(max(self._collector.now(self.is_open), t[-1] + 1000))
                rows.append(memory.totals[:])
        facts = device_kind(name)
        kind, limit, reserved = memory.facts if facts[0] == "GPU" else facts
        marks = list(self._collector.marks)
        return {
            "v": 1,
            "rev": self._collector.rev,
            "device": name,
            "kind": kind,
            "categories": list(CATEGORIES),
            "t": [self._ms(ns) for ns in t],
            "bytes": rows,
            "marks": [{"t": self._ms(ns), "name": n} for ns, n in marks],
            "now": memory.now,
            "peak": memory.peak,
            "limit": limit,
            "reserved": reserved,
            "steps": self._steps(memory),
        }

    def _steps(self, memory: _DeviceMemory) -> list[dict[str, Any]]:
        """The peak step and the latest step in full; one entry if they are the same."""
        peak, latest = memory.peak_step, memory.latest
        if peak is None or latest is None:
            return []
        if peak is latest:
            return [latest.data("latest and peak")]
        return [peak.data("peak"), latest.data("latest")]

    def _choose(self, device: str | None) -> str:
        if device is not None:
            return "cuda:0" if str(device) == "cuda" else str(device)
        return peak_device({d: a.peak for d, a in self._collector.by_device.items()})

    def _ms(self, ns: int) -> float:
        return round((ns - self._collector.start) / 1e6, 3)


def peak_device(peaks: dict[str, int]) -> str:
    """The GPU that has held the most memory, or the CPU.

    Example:
        >>> peak_device({"cpu": 9, "cuda:0": 1, "cuda:1": 2})
        'cuda:1'
    """
    gpus = sorted(device for device in peaks if device.startswith("cuda"))
    return max(gpus, key=peaks.__getitem__) if gpus else "cpu"


def device_kind(name: str) -> tuple[str, int | None, int | None]:
    """A device's description, its capacity and the bytes it reserves.

    Example:
        >>> device_kind("cpu")
        ('tensors on the CPU', None, None)
    """
    if name == "cpu":
        return "tensors on the CPU", None, None
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
