"""Memory over time as a bounded number of samples, each the state at one moment."""

from __future__ import annotations

from itertools import zip_longest

__all__ = ["Timeline"]

FINE = 8_000_000  # nanoseconds; intervals up to this width resolve a step

Moment = tuple[int, int, list[int]]  # ns, total, bytes per category


class Timeline:
    """Samples of bytes per category, thinned out to a bounded number.

    Time is cut into intervals of equal width, of which those are kept in which
    something changed. An interval shows the moment when most bytes were held, at the
    time when they were, so thinning never hides a peak and never moves one. While
    intervals are short, the moment of fewest bytes is shown too, so one sees memory
    come and go in each step. Where nothing happens after an interval, what it left
    behind is shown.

    Args:
        size: largest number of intervals; with more, the width doubles.

    Example:
        >>> line = Timeline(size=4)
        >>> for k in range(8):
        ...     nbytes = 7 if k == 5 else 1
        ...     line.add(k * 10**7, nbytes, [nbytes])
        >>> [(ns // 10**7, row) for ns, row in zip(*line.samples()) if row == [7]]
        [(5, [7])]
    """

    def __init__(self, size: int = 200) -> None:
        self.size = size
        self.width = 1_000_000  # nanoseconds in an interval
        self._intervals: list[_Interval] = []
        self._latest = 0

    def add(self, ns: int, total: int, row: list[int]) -> None:
        """Add the bytes held at a time to its interval."""
        ns = self._latest = max(ns, self._latest)  # several threads may be out of order
        moment = (ns, total, row[:])
        intervals, number = self._intervals, ns // self.width
        if intervals and intervals[-1].number == number:
            intervals[-1].add(moment)
            return
        intervals.append(_Interval(number, moment))
        while len(intervals) > self.size:
            intervals = self._merge()

    def _merge(self) -> list[_Interval]:
        """Double the width of the intervals, and merge those that now coincide."""
        self.width *= 2
        merged: list[_Interval] = []
        for interval in self._intervals:
            interval.number //= 2
            if merged and merged[-1].number == interval.number:
                merged[-1].take(interval)
            else:
                merged.append(interval)
        self._intervals = merged
        return merged

    def samples(self) -> tuple[list[int], list[list[int]]]:
        """The times in nanoseconds, and the bytes per category at each."""
        times: list[int] = []
        rows: list[list[int]] = []
        intervals = list(self._intervals)
        for interval, following in zip_longest(intervals, intervals[1:]):
            pause = following is None or following.number > interval.number + 1
            for ns, _, row in interval.moments(self.width <= FINE, pause):
                times.append(ns)
                rows.append(row)
        return times, rows


class _Interval:
    """The lowest, highest and last total within an interval of time."""

    __slots__ = ("high", "left", "low", "number")

    def __init__(self, number: int, moment: Moment) -> None:
        self.number = number
        self.low = self.high = self.left = moment

    def add(self, moment: Moment) -> None:
        """Add a later moment."""
        if moment[1] > self.high[1]:
            self.high = moment
        elif moment[1] < self.low[1]:
            self.low = moment
        self.left = moment

    def take(self, later: _Interval) -> None:
        """Merge the next interval into this one."""
        if later.high[1] > self.high[1]:
            self.high = later.high
        if later.low[1] < self.low[1]:
            self.low = later.low
        self.left = later.left

    def moments(self, fine: bool, pause: bool) -> list[Moment]:
        """The samples to show, in chronological order."""
        shown = [self.high]
        if fine and self.low is not self.high:
            shown.append(self.low)
        shown.sort(key=lambda moment: moment[0])
        if pause and self.left[2] != shown[-1][2]:
            shown.append(self.left)
        return shown
