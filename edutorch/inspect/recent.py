"""Tables of records of the latest training steps, bounded in size."""

from __future__ import annotations

from typing import Any, Final, Generic, TypeVar

__all__ = ["Recent"]

V = TypeVar("V")
MOST: Final = 10_000  # entries of a computation that has no steps


class Recent(Generic[V]):
    """A table by number that forgets what was set before the last two turns.

    A turn is the end of a training step, or `MOST` entries.

    Example:
        >>> seen = Recent()
        >>> seen[1] = "a"; seen.turn(); seen[2] = "b"
        >>> seen.get(1), seen.get(2), len(seen)
        ('a', 'b', 2)
        >>> seen.turn(); seen.get(1), seen.get(2)
        (None, 'b')
    """

    def __init__(self) -> None:
        self._new: dict[int, V] = {}
        self._old: dict[int, V] = {}

    def __setitem__(self, key: int, value: V) -> None:
        self._new[key] = value
        if len(self._new) >= MOST:
            self.turn()

    def __len__(self) -> int:
        return len(self._new.keys() | self._old.keys())

    def get(self, key: int, default: Any = None) -> V | Any:
        """What was set for a number, or the default."""
        found = self._new.get(key, default)
        return self._old.get(key, default) if found is default else found

    def turn(self) -> None:
        """A training step has ended."""
        self._old, self._new = self._new, {}
