"""When each view is updated, so that all updates take a small share of the time."""

from __future__ import annotations

import math
import time
import weakref
from collections.abc import Callable, Iterable
from typing import Any, Final

__all__ = ["UpdateSchedule"]

INTERVAL: Final = 0.1  # seconds between two updates of a view
SHARE: Final = 0.03  # of one processor, for all updates
BYTES_PER_SECOND: Final = 250_000
STARVED: Final = 0.125  # of the wall clock's time, which always counts as available
FORGET: Final = 0.2  # of the recorded cost, at each cheaper update
LONGEST: Final = 0.5  # seconds between two checks of what is due


class _Plan:
    """The time and the cost of the updates of one view."""

    def __init__(self) -> None:
        self.last = -math.inf  # when the last one ended
        self.cost = self.sent = 0.0  # seconds and bytes, usually

    def note(self, now: float, cost: float, sent: float) -> None:
        self.last = now
        self.cost = max(cost, (1 - FORGET) * self.cost + FORGET * cost)
        self.sent = max(sent, (1 - FORGET) * self.sent + FORGET * sent)


class UpdateSchedule:
    """Plans the updates of several views by what each costs.

    Updates of all views take at most `SHARE` of the time. The time between two updates
    of a view grows with the square root of their cost, which minimises the sum of these
    times for a given total cost: a cheap view does not wait for a costly one.

    During a training, time is the processor time of this process: on a busy machine a
    second of the wall clock may contain little of it, and a share of that second would
    be a large share of the training.

    Args:
        wall: seconds that pass.
        processor: seconds that this process computes.

    Example:
        >>> schedule = UpdateSchedule()
        >>> cheap, costly = _Plan(), _Plan()  # any objects
        >>> schedule.due([cheap, costly]) == [cheap, costly]
        True
        >>> schedule.note(cheap, 0.001, 0), schedule.note(costly, 0.1, 0)
        (None, None)
        >>> schedule.period(cheap) < schedule.period(costly) / 9
        True
    """

    def __init__(
        self,
        wall: Callable[[], float] = time.monotonic,
        processor: Callable[[], float] = time.process_time,
    ) -> None:
        self._plans: weakref.WeakKeyDictionary[Any, _Plan] = weakref.WeakKeyDictionary()
        self._clocks = wall, processor
        self._seen = wall(), processor()
        self.now = 0.0

    def advance(self, training: bool) -> None:
        """Read the clocks; `training`: whether training steps end."""
        before, self._seen = self._seen, (self._clocks[0](), self._clocks[1]())
        passed, computed = (b - a for a, b in zip(before, self._seen, strict=True))
        if training:
            passed = min(passed, max(computed, STARVED * passed))
        self.now += passed

    def due(self, views: Iterable[Any]) -> list[Any]:
        """The views to be updated now."""
        return [view for view in views if self._next(view) <= self.now]

    def note(self, view: Any, cost: float, sent: float) -> None:
        """A view was updated, which took so many seconds and bytes."""
        self._plan(view).note(self.now, cost, sent)

    def period(self, view: Any) -> float:
        """Seconds between two updates of a view."""
        mine, plans = self._plan(view), list(self._plans.values())
        cost = math.sqrt(mine.cost) * sum(math.sqrt(plan.cost) for plan in plans)
        sent = math.sqrt(mine.sent) * sum(math.sqrt(plan.sent) for plan in plans)
        return max(INTERVAL, cost / SHARE, sent / BYTES_PER_SECOND)

    def pause(self, views: Iterable[Any]) -> float:
        """Seconds until a view may be due."""
        soonest = min((self._next(view) for view in views), default=self.now)
        return min(max(INTERVAL, soonest - self.now), LONGEST)

    def _next(self, view: Any) -> float:
        return self._plan(view).last + self.period(view)

    def _plan(self, view: Any) -> _Plan:
        return self._plans.setdefault(view, _Plan())
