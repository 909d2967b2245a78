"""What fills the memory: bytes by category and device over time."""

from __future__ import annotations

import time
from typing import Any

from .. import events
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


class Timeline:
    """Samples of bytes per category, thinned out to a fixed number.

    Each sample stands for a stretch of time and shows the moment in it when
    most bytes were held, so thinning never hides a peak.

    Args:
        size: largest number of samples; when full, pairs are merged.

    Example:
        >>> line = Timeline(size=4)
        >>> for ms in range(8):
        ...     line.add(ms * 10.0, [7 if ms == 5 else 1])
        >>> [row for row in line.bytes if sum(row) == 7]
        [[7]]
    """

    def __init__(self, size: int = 400) -> None:
        self.size = size
        self.width = 1.0  # milliseconds per sample
        self.t: list[float] = []
        self.bytes: list[list[int]] = []
        self._end = -1.0  # of the last sample's stretch
        self._top = 0  # bytes of the last sample

    def add(self, ms: float, row: list[int]) -> None:
        """Put the bytes at a time into the sample they belong to."""
        total = sum(row)
        if ms < self._end:
            if total > self._top:
                self._top = total
                self.bytes[-1] = row[:]
            return
        if len(self.t) >= self.size:
            self._merge()
        self.t.append(ms)
        self.bytes.append(row[:])
        self._end = ms + self.width
        self._top = total

    def _merge(self) -> None:
        """Keep of each two neighbours the one with more bytes."""
        pairs = range(0, len(self.t), 2)
        self.bytes = [max(self.bytes[i : i + 2], key=sum) for i in pairs]
        self.t = self.t[::2]
        self.width *= 2


class _Account:
    """One device's running totals."""

    def __init__(self) -> None:
        self.totals = [0] * len(CATEGORIES)
        self.now = 0
        self.peak = 0
        self.timeline = Timeline()

    def change(self, column: int, nbytes: int, ms: float) -> None:
        self.totals[column] += nbytes
        self.now += nbytes
        if self.now > self.peak:
            self.peak = self.now
        self.timeline.add(ms, self.totals)


class _Ledger:
    """Books every allocation, release and change of category."""

    def __init__(self) -> None:
        self.accounts: dict[str, _Account] = {}
        self.marks: list[tuple[float, str]] = []
        self.start = 0
        self.rev = 0
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
        book = self._handlers.get(record[0])
        if book is not None:
            book(record)

    def _ms(self, record: tuple[Any, ...]) -> float:
        if not self.start:
            self.start = record[2]
        return (record[2] - self.start) / 1e6

    def _alloc(self, record: tuple[Any, ...]) -> None:
        ident, _, nbytes, device, category = record[6:11]
        if ident in self._owners:
            return
        account = self.accounts.get(device)
        if account is None:
            account = self.accounts[device] = _Account()
        column = _COLUMN.get(category, _OTHER)
        self._owners[ident] = (account, column, nbytes)
        account.change(column, nbytes, self._ms(record))
        self.rev += 1

    def _free(self, record: tuple[Any, ...]) -> None:
        owned = self._owners.pop(record[6], None)
        if owned is not None:
            account, column, nbytes = owned
            account.change(column, -nbytes, self._ms(record))
            self.rev += 1

    def _cat(self, record: tuple[Any, ...]) -> None:
        owned = self._owners.get(record[6])
        if owned is None:
            return
        account, column, nbytes = owned
        new = _COLUMN.get(record[7], _OTHER)
        account.totals[column] -= nbytes
        account.totals[new] += nbytes
        self._owners[record[6]] = (account, new, nbytes)
        self.rev += 1

    def _mark(self, record: tuple[Any, ...]) -> None:
        name, what = record[6:8]
        if name != "step":
            self.marks.append((self._ms(record), str(name)))
        elif what == "end" and record[5] % self._every == 0:
            self.marks.append((self._ms(record), f"step {record[5]}"))
        if len(self.marks) > MARKS:
            self.marks = self.marks[::2]
            self._every *= 2


class MemoryRecorder(Recorder):
    """Bytes by category over time, for every device (level 1).

    Totals are exact from the moment of opening: storages that listeners knew
    already are counted in, later ones when an op or a module first meets
    them. Only sizes are kept, never a tensor. Counted are whole storages and
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
        self._ledger = _Ledger()
        super().__init__(name, self._ledger, level=1)

    def _started(self, subscription: events.Subscription) -> None:
        for record in events.living():
            self._ledger.handle(record)

    @property
    def rev(self) -> int:
        """Grows with every change."""
        return self._ledger.rev

    def devices(self) -> list[str]:
        """The devices that hold or held bytes."""
        return sorted(self._ledger.accounts)

    def replay(self, records: Any) -> MemoryRecorder:
        """Book records that were kept elsewhere."""
        for record in records:
            self._ledger.handle(record)
        return self

    def series(self, device: str | None = None) -> dict[str, Any]:
        """The memory of one device over time, as JSON-ready data.

        Args:
            device: such as "cpu" or "cuda:0"; by default the GPU that holds
                most bytes, or else the CPU.
        """
        name = self._choose(device)
        account = self._ledger.accounts.get(name) or _Account()
        t, rows = list(account.timeline.t), [r[:] for r in account.timeline.bytes]
        if t and rows[-1] != account.totals:
            t.append(self._now(t[-1]))
            rows.append(account.totals[:])
        kind, limit, reserved = device_kind(name)
        return {
            "v": 1,
            "rev": self.rev,
            "device": name,
            "kind": kind,
            "categories": list(CATEGORIES),
            "t": [round(ms, 3) for ms in t],
            "bytes": rows,
            "marks": [{"t": round(t, 3), "name": n} for t, n in self._ledger.marks],
            "now": account.now,
            "peak": account.peak,
            "limit": limit,
            "reserved": reserved,
        }

    def _choose(self, device: str | None) -> str:
        if device is not None:
            return "cuda:0" if str(device) == "cuda" else str(device)
        gpus = [d for d in self.devices() if d != "cpu"]
        held = self._ledger.accounts
        return max(gpus, key=lambda d: held[d].peak) if gpus else "cpu"

    def _now(self, last: float) -> float:
        if not self.is_open:
            return last + 0.001
        return max(last, (time.perf_counter_ns() - self._ledger.start) / 1e6)
