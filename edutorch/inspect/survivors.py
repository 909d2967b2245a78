"""Objects that outlive training steps, counted by the source line that made them."""

from __future__ import annotations

import weakref
from collections import Counter, deque
from itertools import pairwise
from typing import Any, Final, NamedTuple

__all__ = ["GREW", "OTHER_LINES", "Growth", "Made", "Survivors", "grew_words"]

GREW: Final = 8  # steps, each of which must grow
OTHER_LINES: Final = -2  # the lines beyond the first `LINES`
LINES: Final = 256


class Made(NamedTuple):
    """An object made in a step: its line, its size and a weak reference."""

    line: int
    nbytes: int
    ref: weakref.ref[Any] | None = None


class Survivors:
    """Objects that are alive at the end of the step after the one that made them.

    A loss that the next forward pass replaces is none of them.

    Attributes:
        old: the survivors, by key.
        counts, nbytes: how many and how large, by line.

    Example:
        >>> kept = Survivors()
        >>> kept.add(1, Made(10, 100)); kept.end_step(); kept.add(2, Made(10, 100))
        >>> kept.drop(1); kept.end_step(); kept.end_step(); dict(kept.nbytes)
        {10: 100}
    """

    def __init__(self) -> None:
        self.counts: Counter[int] = Counter()
        self.nbytes: Counter[int] = Counter()
        self.old: dict[int, Made] = {}
        self._last: dict[int, Made] = {}
        self._fresh: dict[int, Made] = {}

    def add(self, key: int, made: Made) -> None:
        """An object was made."""
        self._fresh[key] = made

    def knows(self, key: int) -> bool:
        """Whether it was added and is still alive."""
        return key in self._fresh or key in self._last or key in self.old

    def drop(self, key: int) -> None:
        """It was freed."""
        if self._fresh.pop(key, None) or self._last.pop(key, None):
            return
        made = self.old.pop(key, None)
        if made is not None:
            self.counts[made.line] -= 1
            self.nbytes[made.line] -= made.nbytes

    def move(self, key: int, line: int) -> None:
        """Count it for another line."""
        for made in (self._fresh, self._last):
            if key in made:
                made[key] = made[key]._replace(line=line)
        old = self.old.get(key)
        if old is not None and old.line != line:
            self.drop(key)
            self._keep(key, old._replace(line=line))

    def end_step(self) -> None:
        """A training step ends."""
        for key, made in self._last.items():
            self._keep(key, made)
        self._last, self._fresh = self._fresh, {}

    def _keep(self, key: int, made: Made) -> None:
        if made.line not in self.counts and len(self.counts) >= LINES:
            made = made._replace(line=OTHER_LINES)
        self.old[key] = made
        self.counts[made.line] += 1
        self.nbytes[made.line] += made.nbytes

    def of_line(self, line: int) -> list[tuple[int, Made]]:
        """Survivors of a line, from the newest."""
        return [(k, m) for k, m in reversed(self.old.items()) if m.line == line]


class Growth:
    """Whether a number grew at each of the last step ends.

    Example:
        >>> growth = Growth()
        >>> for n in (1, 2, 3, 3, 4): growth.note(n)
        >>> growth.grew, growth.of, growth.per_step
        (4, 5, 0.8)
    """

    def __init__(self) -> None:
        self._values: deque[int] = deque([0], maxlen=GREW + 1)

    def note(self, value: int) -> None:
        """Add the number at the end of a step."""
        self._values.append(value)

    @property
    def of(self) -> int:
        """How many steps are compared."""
        return len(self._values) - 1

    @property
    def grew(self) -> int:
        """In how many of these it grew."""
        values = list(self._values)
        return sum(b > a for a, b in pairwise(values))

    @property
    def always(self) -> bool:
        """Whether it grew in each of the last `GREW` steps."""
        return self.of == GREW and self.grew == GREW

    @property
    def per_step(self) -> float:
        """Growth of one step, on average."""
        return (self._values[-1] - self._values[0]) / max(1, self.of)


def grew_words(grew: int, of: int) -> str:
    """How often something grew.

    Example:
        >>> grew_words(8, 8)
        'grew in 8 of the last 8 steps'
    """
    return f"grew in {grew} of the last {of} steps"
