"""Memory by owner: the recorder of MemoryTree."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any, Self

from .. import memory_events
from .allocation_history import Allocation, AllocationHistory, Moment
from .event_fields import (
    ALLOC_CATEGORY,
    ALLOC_DEVICE,
    ALLOC_ROUNDED,
    CAT_CATEGORY,
    CAT_ROLE,
    CAT_TENSOR,
    KIND,
    MARK_CONTROL,
    MARK_NAME,
    MARK_WHAT,
    STEP,
    STORAGE,
)
from .memory import (
    CATEGORIES,
    COLUMNS,
    OTHER,
    PAUSES,
    AllocationRecorder,
    device_kind,
    peak_device,
)
from .memory_rows import rows_of

__all__ = ["MemoryTreeRecorder"]

MARKED = 4  # how many of the newest marked moments are kept


class _Collector:
    """Follows allocations by owner; keeps those alive at selected moments."""

    def __init__(self) -> None:
        self.history = AllocationHistory()
        self.held: dict[str, int] = {}  # device -> bytes now
        self.peaks: dict[str, int] = {}
        self.facts: dict[str, tuple[str, int | None, int | None]] = {}
        self.rev = 0
        self.step = 0
        self.first_step = 0  # when recording began
        self.lock = threading.Lock()
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
                handler(record)

    def _alloc(self, record: tuple[Any, ...]) -> None:
        ident, device = record[STORAGE], record[ALLOC_DEVICE]
        if ident in self.history.live:
            return
        if device not in self.held:
            self.held[device] = self.peaks[device] = 0
            self.facts[device] = device_kind(device)
        column = COLUMNS.get(record[ALLOC_CATEGORY], OTHER)
        self.history.add(ident, Allocation(record, column))
        held = self.held[device] = self.held[device] + record[ALLOC_ROUNDED]
        if held > self.peaks[device]:
            self.peaks[device] = held
            self.history.new_peak(device)
        self.rev += 1

    def _free(self, record: tuple[Any, ...]) -> None:
        allocation = self.history.remove(record[STORAGE])
        if allocation is not None:
            self.held[allocation.device] -= allocation.nbytes
            self.rev += 1

    def _cat(self, record: tuple[Any, ...]) -> None:
        column = COLUMNS.get(record[CAT_CATEGORY], OTHER)
        owner = record[CAT_TENSOR], record[CAT_ROLE]
        if self.history.recategorise(record[STORAGE], column, *owner):
            self.rev += 1

    def _mark(self, record: tuple[Any, ...]) -> None:
        name, what = str(record[MARK_NAME]), record[MARK_WHAT]
        control = record[MARK_CONTROL]
        if control == "step":
            self.step = record[STEP] - self.first_step
            self.history.step_ended(self.step)
        elif control not in PAUSES and control != "phase":
            words = {"begin": f"{name} begins", "end": f"{name} ends"}
            self.history.mark(words.get(what, name), MARKED)
        self.rev += 1


class MemoryTreeRecorder(AllocationRecorder):
    """Records which modules, lines, categories and tensors own the memory (level 1).

    The allocations are known exactly for a few moments: now, at the peak of each
    device, at the ends of the first and the last two training steps, and at marks set
    by `edutorch.events.mark`. Only sizes and names are stored, never a tensor. Bytes
    and categories are those of `MemoryRecorder`: a category that is learnt later counts
    from then on.

    Example:
        >>> import edutorch as torch
        >>> model = torch.nn.Linear(100, 10, bias=False)
        >>> with MemoryTreeRecorder() as memory:
        ...     y = model(torch.ones(2, 100))
        >>> [(row["name"], row["bytes"][0]) for row in memory.series()["rows"]]
        [('weight', 4000), ('input', 800), ('linear', 80)]
    """

    def __init__(self, name: str = "inspect.memory_tree") -> None:
        super().__init__(name, _Collector())

    def mark(self, name: str) -> None:
        """Store the current allocations as a moment with this name."""
        if self.is_open:
            memory_events.drain()
        with self._collector.lock:
            self._collector.history.mark(name, MARKED)
            self._collector.rev += 1

    def replay(self, records: Iterable[tuple[Any, ...]]) -> Self:
        """Add records stored elsewhere."""
        for i, record in enumerate(records):
            if i == 0:
                self._collector.first_step = record[STEP]
            self._collector.handle(record)
        return self

    def series(self, device: str | None = None, dropped: int = 0) -> dict[str, Any]:
        """The memory of all devices by owner, as JSON-ready data.

        Args:
            device: the device to show first; by default the GPU that held most bytes,
                or else the CPU.
            dropped: records that are missing because a recording was full.
        """
        if self.is_open:
            memory_events.drain()
        collector = self._collector
        with collector.lock:  # training may continue meanwhile
            rev, step = collector.rev, collector.step
            lifetimes, moments = collector.history.snapshot()
            names = sorted(collector.held)
            first = device or peak_device(collector.peaks)
        first = "cuda:0" if str(first) == "cuda" else str(first)
        if first not in names:
            names = sorted([*names, first])
        return {
            "v": 1,
            "rev": rev,
            "step": step,
            "dropped": dropped,
            "shown": names.index(first),
            "devices": [self._device(name) for name in names],
            "categories": list(CATEGORIES),
            "moments": [_described(moment) for moment in moments],
        } | rows_of(lifetimes, moments, names)

    def _device(self, name: str) -> dict[str, Any]:
        facts = device_kind(name)
        if facts[0] == "GPU":  # the simulation is over
            facts = self._collector.facts.get(name, facts)
        kind, limit, reserved = facts
        return {"name": name, "kind": kind, "limit": limit, "reserved": reserved}


def _described(moment: Moment) -> dict[str, str]:
    return {"kind": moment.kind, "name": moment.name}
