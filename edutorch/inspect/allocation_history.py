"""The allocations alive at selected moments, stored without a copy per moment.

Each allocation has the sequence number of its creation and of its release. Those alive
at a moment were created before and released after it. A released allocation is kept
as long as one of the moments lies in its lifetime.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .event_fields import ALLOC_DEVICE, ALLOC_ROLE, ALLOC_ROUNDED, ALLOC_TENSOR

__all__ = ["Allocation", "Moment", "AllocationHistory", "Lifetime"]

SPARE = 256  # freed allocations held before the list is first searched
NOT_FREED = float("inf")


class Moment(NamedTuple):
    """A named point in time: `kind` is now, peak, step or mark.

    `at` is the number of the last change before it; at the peak, that of each device.
    """

    kind: str
    name: str
    at: int | dict[str, int]

    def on(self, device: str) -> int:
        """The last change on a device up to this moment; -1 if there is none."""
        return self.at.get(device, -1) if isinstance(self.at, dict) else self.at


class Allocation:
    """An allocation, without the tensor.

    Attributes:
        record: its `alloc` record.
        nbytes: its size.
        device: such as "cpu".
        tensor, role: the owner of the memory; see `events.FIELDS`.
        column: its category now.
        past: earlier categories, each with its end.
        created_at, freed_at: numbers of the changes that created and freed it.
    """

    __slots__ = (
        "column", "created_at", "device", "freed_at", "nbytes", "past", "record",
        "role", "tensor",
    )  # fmt: skip

    def __init__(self, record: tuple[Any, ...], column: int) -> None:
        self.record = record
        self.nbytes: int = record[ALLOC_ROUNDED]
        self.device: str = record[ALLOC_DEVICE]
        self.tensor: int = record[ALLOC_TENSOR]
        self.role: str = record[ALLOC_ROLE]
        self.column = column
        self.past: tuple[tuple[int, int], ...] = ()
        self.created_at = 0
        self.freed_at: float = NOT_FREED


class Lifetime(NamedTuple):
    """A snapshot of the mutable fields of an allocation."""

    allocation: Allocation
    column: int
    past: tuple[tuple[int, int], ...]
    freed_at: float

    def column_at(self, at: int) -> int | None:
        """The category at a moment; None if the allocation was not alive then."""
        if not self.allocation.created_at <= at < self.freed_at:
            return None
        return next((column for end, column in self.past if at < end), self.column)


class AllocationHistory:
    """The live allocations, and the freed ones that were alive at a kept moment.

    Example:
        >>> history = AllocationHistory()
        >>> record = ("alloc", 0, 0, 0, 0, 0, 7, 4, 4, "cpu", "other", -1, *[0] * 7)
        >>> history.add(7, Allocation(record, 4))
        >>> history.mark("here", most=2)
        >>> _ = history.remove(7)
        >>> (lifetime,), (now, _, here) = history.snapshot()
        >>> lifetime.column_at(now.at), lifetime.column_at(here.at)
        (None, 4)
    """

    def __init__(self) -> None:
        self.live: dict[int, Allocation] = {}
        self.count = 0  # changes so far
        self._freed: list[Allocation] = []  # alive at a kept moment
        self._limit = SPARE
        self._peaks: dict[str, int] = {}
        self._steps: list[Moment] = []  # the first and the last two
        self._marks: list[Moment] = []
        self._newest = -1  # number of the last change at the newest kept moment

    def add(self, ident: int, allocation: Allocation) -> None:
        """Record an allocation."""
        self.count = allocation.created_at = self.count + 1
        self.live[ident] = allocation

    def remove(self, ident: int) -> Allocation | None:
        """Record that an allocation was freed and return it; None if it is unknown."""
        allocation = self.live.pop(ident, None)
        if allocation is None:
            return None
        self.count = freed_at = self.count + 1
        allocation.freed_at = freed_at
        if allocation.created_at <= self._newest:
            self._freed.append(allocation)
            if len(self._freed) > self._limit:
                self._drop_unneeded()
        return allocation

    def recategorise(self, ident: int, column: int, tensor: int, role: str) -> bool:
        """Set an allocation's category and owner; return whether either changed."""
        allocation = self.live.get(ident)
        if allocation is None:
            return False
        same = allocation.column == column
        if same and (allocation.tensor, allocation.role) == (tensor, role):
            return False
        if tensor:
            allocation.tensor, allocation.role = tensor, role
        if not same:
            self.count += 1
            if allocation.created_at <= self._newest:  # else no kept moment has it
                allocation.past = (*allocation.past, (self.count, allocation.column))
            allocation.column = column
        return True

    def new_peak(self, device: str) -> None:
        """Keep this moment as the peak of a device that holds more than ever."""
        self._peaks[device] = self._newest = self.count

    def step_ended(self, step: int) -> None:
        """Keep the end of this training step; only the first and last two are kept."""
        moment = Moment("step", f"end of step {step}", self.count)
        kept = self._steps
        kept.append(moment)
        if len(kept) > 3:
            del kept[1]
        self._newest = self.count

    def mark(self, name: str, most: int) -> None:
        """Keep this moment under a name; only the newest `most` marks are kept."""
        same_name = [
            m for m in self._marks if m.name == name or m.name.startswith(f"{name} (")
        ]
        if same_name:  # names distinguish moments
            last = same_name[-1].name.removeprefix(f"{name} (").removesuffix(")")
            name = f"{name} ({int(last) + 1 if last.isdigit() else 2})"
        self._marks.append(Moment("mark", name, self.count))
        del self._marks[:-most]
        self._newest = self.count

    def moments(self) -> list[Moment]:
        """The kept moments; the first is now."""
        now = Moment("now", "now", self.count)
        peak = Moment("peak", "peak", dict(self._peaks))
        return [now, peak, *self._steps, *self._marks]

    def snapshot(self) -> tuple[list[Lifetime], list[Moment]]:
        """The allocations alive at any kept moment, and the moments."""
        self._drop_unneeded()
        allocations = [*self.live.values(), *self._freed]
        lifetimes = [Lifetime(a, a.column, a.past, a.freed_at) for a in allocations]
        return lifetimes, self.moments()

    def _drop_unneeded(self) -> None:
        """Drop the freed allocations that were not alive at any kept moment.

        The whole list is searched, but only once it is twice as long as after the
        last search, so that the cost for each release is constant.
        """
        ats = [m.at for m in (*self._steps, *self._marks) if isinstance(m.at, int)]
        of = {device: [at, *ats] for device, at in self._peaks.items()}
        self._freed = [
            a
            for a in self._freed
            if any(a.created_at <= at < a.freed_at for at in of.get(a.device, ats))
        ]
        self._limit = 2 * len(self._freed) + SPARE
