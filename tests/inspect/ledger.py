"""A second, naive implementation of recorders, which replays all records."""

from __future__ import annotations

from collections import Counter, deque
from contextlib import contextmanager

from edutorch import events, memory_events

__all__ = ["Ledger", "listening"]


class Ledger:
    """All records in a list; totals are counted from its beginning each time."""

    def __init__(self):
        self.records = []

    def named(self):
        """The records as dictionaries."""
        return [events.as_dict(record) for record in self.records]

    def moments(self, device="cpu"):
        """The time and the bytes by category after each change of memory."""
        return [(time, _totals(held)) for time, held in self._changes(device)]

    def now(self, device="cpu"):
        """The bytes by category after the last change: of the last moment, alone."""
        _, held = deque(self._changes(device), maxlen=1).pop()
        return _totals(held)

    def _changes(self, device):
        """The time of each change, and what is held after it by its storage."""
        held = {}
        for r in self.named():
            if r["kind"] == "alloc" and r["device"] == device:
                held[r["storage"]] = (r["category"], r["rounded"])
            elif r["kind"] == "free":
                held.pop(r["storage"], None)
            elif r["kind"] == "cat" and r["storage"] in held:
                held[r["storage"]] = (r["category"], held[r["storage"]][1])
            else:
                continue
            yield r["t0_ns"], held

    def peak(self, device="cpu"):
        """The most bytes held at once."""
        return max(sum(row.values()) for _, row in self.moments(device))

    def ops(self):
        """Name and shape of each op outside the data and the optimizer."""
        aside = ("data", "optim")
        ops = [r for r in self.named() if r["kind"] == "op" and r["phase"] not in aside]
        return [(r["name"], tuple(r["shape"])) for r in ops]


def _totals(held):
    """The bytes of each category that has some; views show buffers with the rest."""
    total = Counter()
    for category, nbytes in held.values():
        total["other" if category == "buffer" else category] += nbytes
    return {k: n for k, n in total.items() if n}


@contextmanager
def listening():
    """A ledger of the block's records."""
    ledger = Ledger()
    subscription = events.listen("test.ledger", ledger.records.append)
    ledger.records += memory_events.live_allocations()
    try:
        yield ledger
    finally:
        memory_events.drain()
        subscription.close()
