"""Objects that outlive training steps, counted by the source line that created them."""

from __future__ import annotations

import weakref
from collections import Counter, deque
from itertools import pairwise
from typing import Any, Final, NamedTuple

__all__ = ["GREW", "OTHER_LINES", "Growth", "TrackedObject", "Survivors", "growth_text"]

GREW: Final = 8  # consecutive steps of growth that make a leak
OTHER_LINES: Final = -2  # stands for the lines beyond the first `LINES`
LINES: Final = 256


class TrackedObject(NamedTuple):
    """An object with the line that created it, its size and a weak reference."""

    line: int
    nbytes: int
    ref: weakref.ref[Any] | None = None


class Survivors:
    """Objects still alive at the end of the step after the one that created them.

    A loss that the next forward pass replaces does not count.

    Attributes:
        old: the survivors, by key.
        counts, nbytes: how many and how large, by line.

    Example:
        >>> kept = Survivors()
        >>> loss = TrackedObject(line=10, nbytes=100)
        >>> kept.add(1, loss); kept.end_step(); kept.add(2, loss)
        >>> kept.drop(1); kept.end_step(); kept.end_step(); dict(kept.nbytes)
        {10: 100}
    """

    def __init__(self) -> None:
        self.counts: Counter[int] = Counter()
        self.nbytes: Counter[int] = Counter()
        self.old: dict[int, TrackedObject] = {}
        self._last: dict[int, TrackedObject] = {}
        self._fresh: dict[int, TrackedObject] = {}

    def add(self, key: int, tracked: TrackedObject) -> None:
        """Add an object that has just been created."""
        self._fresh[key] = tracked

    def is_alive(self, key: int) -> bool:
        """Whether the object was added and is still alive."""
        return key in self._fresh or key in self._last or key in self.old

    def drop(self, key: int) -> None:
        """Remove a freed object."""
        if self._fresh.pop(key, None) or self._last.pop(key, None):
            return
        tracked = self.old.pop(key, None)
        if tracked is not None:
            self.counts[tracked.line] -= 1
            self.nbytes[tracked.line] -= tracked.nbytes

    def move(self, key: int, line: int) -> None:
        """Attribute an object to a different line."""
        for table in (self._fresh, self._last):
            if key in table:
                table[key] = table[key]._replace(line=line)
        old = self.old.get(key)
        if old is not None and old.line != line:
            self.drop(key)
            self._add_old(key, old._replace(line=line))

    def end_step(self) -> None:
        """Note that a training step has ended."""
        for key, tracked in self._last.items():
            self._add_old(key, tracked)
        self._last, self._fresh = self._fresh, {}

    def _add_old(self, key: int, tracked: TrackedObject) -> None:
        if tracked.line not in self.counts and len(self.counts) >= LINES:
            tracked = tracked._replace(line=OTHER_LINES)
        self.old[key] = tracked
        self.counts[tracked.line] += 1
        self.nbytes[tracked.line] += tracked.nbytes

    def of_line(self, line: int) -> list[tuple[int, TrackedObject]]:
        """The survivors of a line, newest first."""
        return [(k, m) for k, m in reversed(self.old.items()) if m.line == line]


class Growth:
    """Whether a number grew between the last step ends.

    Example:
        >>> growth = Growth()
        >>> for n in (1, 2, 3, 3, 4): growth.note(n)
        >>> growth.grew, growth.steps, growth.per_step
        (4, 5, 0.8)
    """

    def __init__(self) -> None:
        self._values: deque[int] = deque([0], maxlen=GREW + 1)

    def note(self, value: int) -> None:
        """Add the number at the end of a step."""
        self._values.append(value)

    @property
    def latest(self) -> int:
        """The number at the last step end that was noted."""
        return self._values[-1]

    @property
    def steps(self) -> int:
        """The number of steps compared."""
        return len(self._values) - 1

    @property
    def grew(self) -> int:
        """The number of these steps in which it grew."""
        values = list(self._values)
        return sum(b > a for a, b in pairwise(values))

    @property
    def always(self) -> bool:
        """Whether it grew in each of the last `GREW` steps."""
        return self.steps == GREW and self.grew == GREW

    @property
    def per_step(self) -> float:
        """The mean growth per step."""
        return (self._values[-1] - self._values[0]) / max(1, self.steps)


def growth_text(grew: int, of: int) -> str:
    """A phrase for how often something grew.

    Example:
        >>> growth_text(8, 8)
        'grew in 8 of the last 8 steps'
    """
    return f"grew in {grew} of the last {of} steps"
