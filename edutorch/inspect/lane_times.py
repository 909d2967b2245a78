"""Busy and waiting times of each device, from the intervals of its ops."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = ["NOWHERE", "Bar", "LaneTimes", "ModulePath", "common_module", "rows_of"]

ModulePath = tuple[int, str]  # a model's number, and the path of a module in it
NOWHERE: ModulePath = (0, "")


class Bar(NamedTuple):
    """One op on one device, in nanoseconds.

    Attributes:
        start, end: when it ran.
        device: the device it ran on.
        name: the name of the op.
        module: the module it ran in.
        phase: "forward", "backward", "data" ..., or "copy" for one that moves bytes.
        thread: the thread of the program that ran it.
        source: the device from which bytes arrived since the previous bar.
    """

    start: int
    end: int
    device: str
    name: str
    module: ModulePath
    phase: str
    thread: int
    source: str


@dataclass
class LaneTimes:
    """Running totals of one device.

    Busy time is the union of the bars' intervals: an op inside another, or at the same
    time as one of another thread, counts once. Between them, the device is idle; an
    idle interval that ends when bytes arrive from another device counts as waiting for
    that device.

    Args:
        end: the end of the last busy interval; at first, the start of counting.

    Example:
        >>> times = LaneTimes(end=0)
        >>> times.add([Bar(10, 30, "cuda:1", "to", "", "copy", 1, "cuda:0"),
        ...            Bar(12, 20, "cuda:1", "copy", "", "copy", 1, "")])
        >>> times.busy, times.waited
        (20, {'cuda:0': 10})
    """

    end: int
    busy: int = 0
    ops: int = 0
    waited: dict[str, int] = field(default_factory=dict)

    def add(self, bars: Iterable[Bar]) -> None:
        """Add bars, in the order in which they start."""
        for bar in bars:
            self.ops += 1
            gap = bar.start - self.end
            if gap > 0 and bar.source:
                self.waited[bar.source] = self.waited.get(bar.source, 0) + gap
            if bar.end > self.end:
                self.busy += bar.end - max(bar.start, self.end)
                self.end = bar.end

    def copy(self) -> LaneTimes:
        """An independent copy of the totals."""
        return LaneTimes(self.end, self.busy, self.ops, dict(self.waited))


def rows_of(spans: Iterable[tuple[float, float]], most: int) -> list[int]:
    """Assign each span to a row, so that spans in one row do not overlap.

    Args:
        spans: begin and end, in the order they begin in.
        most: the maximal number of rows; what does not fit goes into the last.

    Example:
        >>> rows_of([(0, 5), (2, 3), (4, 6), (5, 9)], 3)
        [0, 1, 1, 0]
    """
    ends: list[float] = []
    rows = []
    for begin, end in spans:
        free = (row for row, until in enumerate(ends) if until <= begin)
        row = next(free, min(len(ends), most - 1))
        if row == len(ends):
            ends.append(end)
        ends[row] = max(ends[row], end)
        rows.append(row)
    return rows


def common_module(a: str, b: str) -> str:
    """The innermost module that contains both.

    Example:
        >>> common_module("net.layers.0", "net.layers.1.norm")
        'net.layers'
    """
    same = []
    for x, y in zip(a.split("."), b.split("."), strict=False):
        if x != y:
            break
        same.append(x)
    return ".".join(same)
