"""A table of records of the latest training steps, bounded in size."""

from __future__ import annotations

from typing import Any, Final, Generic, TypeVar

__all__ = ["RotatingTable"]

V = TypeVar("V")
MOST: Final = 10_000  # entries after which it rotates, in a program without steps


class RotatingTable(Generic[V]):
    """A table with integer keys that drops entries set before the last two rotations.

    It is rotated at the end of each training step, and after `MOST` entries.

    Example:
        >>> seen = RotatingTable()
        >>> seen[1] = "a"; seen.rotate(); seen[2] = "b"
        >>> seen.get(1), seen.get(2), len(seen)
        ('a', 'b', 2)
        >>> seen.rotate(); seen.get(1), seen.get(2)
        (None, 'b')
    """

    def __init__(self) -> None:
        self._new: dict[int, V] = {}
        self._old: dict[int, V] = {}

    def __setitem__(self, key: int, value: V) -> None:
        self._new[key] = value
        if len(self._new) >= MOST:
            self.rotate()

    def __len__(self) -> int:
        return len(self._new.keys() | self._old.keys())

    def get(self, key: int, default: Any = None) -> V | Any:
        """The value for a key, or the default."""
        found = self._new.get(key, default)
        return self._old.get(key, default) if found is default else found

    def rotate(self) -> None:
        """Drop the old half; the new half becomes the old half."""
        self._old, self._new = self._new, {}
