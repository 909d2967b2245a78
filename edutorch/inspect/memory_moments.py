"""The allocations alive at a few moments, without copying them for each moment.

Each allocation has the sequence number of its creation and of its release. Those alive
at a moment were created before and released after it. A released allocation is kept
as long as one of the moments lies in its lifetime.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .event_fields import ALLOC_DEVICE, ALLOC_ROLE, ALLOC_ROUNDED, ALLOC_TENSOR

__all__ = ["Holding", "Moment", "Moments", "Span"]

SPARE = 256  # released allocations that may wait to be looked through
LIVES = float("inf")  # when what is still held ends


class Moment(NamedTuple):
    """A moment that is kept: `kind` is now, peak, step or mark.

    `at` is the number of the last change before it; at the peak, that of each device.
    """

    kind: str
    name: str
    at: int | dict[str, int]

    def on(self, device: str) -> int:
        """The last change before it, on a device; before all of them where none is."""
        return self.at.get(device, -1) if isinstance(self.at, dict) else self.at


class Holding:
    """An allocation, from the record of it on; no tensor is kept.

    Attributes:
        record: its `alloc` record.
        nbytes: what it takes.
        device: such as "cpu".
        tensor, role: whose memory it is; see `events.FIELDS`.
        column: its category now. past: those before, each with its end.
        born, died: the changes that made and released it.
    """

    __slots__ = (
        "born", "column", "device", "died", "nbytes", "past", "record", "role",
        "tensor",
    )  # fmt: skip

    def __init__(self, record: tuple[Any, ...], column: int) -> None:
        self.record = record
        self.nbytes: int = record[ALLOC_ROUNDED]
        self.device: str = record[ALLOC_DEVICE]
        self.tensor: int = record[ALLOC_TENSOR]
        self.role: str = record[ALLOC_ROLE]
        self.column = column
        self.past: tuple[tuple[int, int], ...] = ()
        self.born = 0
        self.died: float = LIVES


class Span(NamedTuple):
    """A holding as it was known when a snapshot was taken."""

    holding: Holding
    column: int
    past: tuple[tuple[int, int], ...]
    died: float

    def column_at(self, at: int) -> int | None:
        """Its category at a moment, None where it was not held."""
        if not self.holding.born <= at < self.died:
            return None
        return next((column for end, column in self.past if at < end), self.column)


class Moments:
    """Allocations, and the moments at which they are to be known.

    Example:
        >>> moments = Moments()
        >>> record = ("alloc", 0, 0, 0, 0, 0, 7, 4, 4, "cpu", "other", -1, *[0] * 7)
        >>> moments.add(7, Holding(record, 4))
        >>> moments.mark("here", most=2)
        >>> _ = moments.remove(7)
        >>> (span,), (now, _, here) = moments.snapshot()
        >>> span.column_at(now.at), span.column_at(here.at)
        (None, 4)
    """

    def __init__(self) -> None:
        self.live: dict[int, Holding] = {}
        self.count = 0  # changes until now
        self._gone: list[Holding] = []  # held at some moment that is kept
        self._room = SPARE
        self._peaks: dict[str, int] = {}
        self._steps: list[Moment] = []  # the first and the last two
        self._marks: list[Moment] = []
        self._newest = -1  # the last moment of all

    def add(self, ident: int, holding: Holding) -> None:
        """Something is allocated."""
        self.count = holding.born = self.count + 1
        self.live[ident] = holding

    def remove(self, ident: int) -> Holding | None:
        """Something is released; returns it, None if it is not known."""
        holding = self.live.pop(ident, None)
        if holding is None:
            return None
        self.count = died = self.count + 1
        holding.died = died
        if holding.born <= self._newest:
            self._gone.append(holding)
            if len(self._gone) > self._room:
                self._forget()
        return holding

    def recategorise(self, ident: int, column: int, tensor: int, role: str) -> bool:
        """Learn what something is for; returns whether that is new."""
        holding = self.live.get(ident)
        if holding is None:
            return False
        same = holding.column == column
        if same and (holding.tensor, holding.role) == (tensor, role):
            return False
        if tensor:
            holding.tensor, holding.role = tensor, role
        if not same:
            self.count += 1
            if holding.born <= self._newest:  # else no moment knew the category before
                holding.past = (*holding.past, (self.count, holding.column))
            holding.column = column
        return True

    def reach(self, device: str) -> None:
        """A device is fuller than ever before."""
        self._peaks[device] = self._newest = self.count

    def step_ended(self, step: int) -> None:
        """A training step is over."""
        moment = Moment("step", f"end of step {step}", self.count)
        kept = self._steps
        kept.append(moment)
        if len(kept) > 3:
            del kept[1]
        self._newest = self.count

    def mark(self, name: str, most: int) -> None:
        """Keep this moment, and of all that were marked the newest."""
        same_name = [
            m for m in self._marks if m.name == name or m.name.startswith(f"{name} (")
        ]
        if same_name:  # names tell moments apart
            last = same_name[-1].name.removeprefix(f"{name} (").removesuffix(")")
            name = f"{name} ({int(last) + 1 if last.isdigit() else 2})"
        self._marks.append(Moment("mark", name, self.count))
        del self._marks[:-most]
        self._newest = self.count

    def kept(self) -> list[Moment]:
        """The moments, of which the first is now."""
        now = Moment("now", "now", self.count)
        peak = Moment("peak", "peak", dict(self._peaks))
        return [now, peak, *self._steps, *self._marks]

    def snapshot(self) -> tuple[list[Span], list[Moment]]:
        """All that was held at some moment, and the moments."""
        self._forget()
        holdings = [*self.live.values(), *self._gone]
        return [Span(h, h.column, h.past, h.died) for h in holdings], self.kept()

    def _forget(self) -> None:
        """Let go of what was held at none of the moments any more.

        This looks through all of them, but only when twice as many have been released
        as the last time were kept.
        """
        ats = [m.at for m in (*self._steps, *self._marks) if isinstance(m.at, int)]
        of = {device: [at, *ats] for device, at in self._peaks.items()}
        self._gone = [
            h
            for h in self._gone
            if any(h.born <= at < h.died for at in of.get(h.device, ats))
        ]
        self._room = 2 * len(self._gone) + SPARE
