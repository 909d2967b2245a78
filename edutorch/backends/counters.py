"""Statistics of a caching allocator, under PyTorch's names.

Each measure is counted for small blocks, for large ones, and for all of them; each
counter has a current value, a peak, and the totals added and removed.
"""

from __future__ import annotations

from typing import Any, Final

__all__ = ["Counter", "Counters", "MEASURES", "POOLS"]

MEASURES: Final = (
    "allocation", "allocated_bytes", "segment", "reserved_bytes", "active",
    "active_bytes", "inactive_split", "inactive_split_bytes", "requested_bytes",
)  # fmt: skip
POOLS: Final = ("all", "small_pool", "large_pool")


class Counter:
    """A counter with its current value, peak and totals."""

    __slots__ = ("current", "peak", "allocated", "freed")

    def __init__(self) -> None:
        self.current = self.peak = self.allocated = self.freed = 0

    def add(self, change: int) -> None:
        """Count a change up or down."""
        self.current += change
        if change > 0:
            self.allocated += change
            if self.current > self.peak:
                self.peak = self.current
        else:
            self.freed -= change

    def stats(self) -> dict[str, int]:
        """The four numbers by name."""
        return {name: getattr(self, name) for name in self.__slots__}


class Counters:
    """The counters of one device."""

    def __init__(self) -> None:
        self.by_pool = {
            measure: {pool: Counter() for pool in POOLS} for measure in MEASURES
        }
        self._of_small, self._of_large = (
            {name: (p["all"], p[pool]) for name, p in self.by_pool.items()}
            for pool in ("small_pool", "large_pool")
        )
        self.events = dict.fromkeys(
            ("num_alloc_retries", "num_ooms", "num_sync_all_streams",
             "num_device_alloc", "num_device_free", "num_oom_rejections"), 0,
        )  # fmt: skip

    def __getitem__(self, measure: str) -> Counter:
        """The counter of a measure over all blocks."""
        return self.by_pool[measure]["all"]

    def add(self, measure: str, change: int, small: bool) -> None:
        """Count a change of a measure in its pool."""
        whole, pool = (self._of_small if small else self._of_large)[measure]
        whole.add(change)
        pool.add(change)

    def reset_peaks(self) -> None:
        """Reset the peaks to the current values."""
        for counter in self._counters():
            counter.peak = counter.current

    def reset_totals(self) -> None:
        """Reset the counts of additions and removals."""
        for counter in self._counters():
            counter.allocated = counter.freed = 0
        self.events.update(dict.fromkeys(self.events, 0))

    def _counters(self) -> list[Counter]:
        return [c for pools in self.by_pool.values() for c in pools.values()]

    def stats(self) -> dict[str, Any]:
        """All numbers, nested as PyTorch nests them."""
        measures: dict[str, Any] = {
            measure: {pool: counter.stats() for pool, counter in pools.items()}
            for measure, pools in self.by_pool.items()
        }
        # Blocks of any size may be split, so that none is oversize.
        oversize = {
            name: Counter().stats()
            for name in ("oversize_allocations", "oversize_segments")
        }
        return {**measures, **oversize, **self.events, "max_split_size": -1}
