"""Protection from keys of dictionaries and sets chosen to collide."""

from __future__ import annotations

from collections import Counter
from pickle import UnpicklingError
from typing import Any

__all__ = ["KeyChecker"]

KEY_PARTS = 1000  # parts of a tuple that is a key: its hash visits every one
SAME_HASH = 100  # keys of one container; finding one among them visits all
_HASHABLE = (type(None), bool, int, float, complex, str, bytes)


class KeyChecker:
    """Checks keys before they are put into containers.

    The hash of a tuple visits all its parts; of a tuple of two times the same tuple,
    forty times over, that are 2**40 visits. Numbers can be chosen to have the same hash
    (those of text cannot), so that putting in n of them takes n**2 comparisons.
    """

    def __init__(self) -> None:
        self._counts: dict[int, tuple[Any, Counter[int]]] = {}

    def check(self, key: Any, target: Any) -> None:
        """Refuse a key that cannot be hashed quickly, or found quickly in `target`.

        Raises:
            UnpicklingError: for such a key.
        """
        if type(key) is str:
            return
        _check_parts(key)
        # The container is stored, too, so that no other one can get its id.
        _, counts = self._counts.setdefault(id(target), (target, Counter()))
        counts[hash(key)] += 1
        if counts[hash(key)] > SAME_HASH:
            raise UnpicklingError("too many keys have the same hash")


def _check_parts(key: Any) -> None:
    waiting, visited = [key], 0
    while waiting:
        part = waiting.pop()
        visited += 1
        if type(part) is tuple and visited + len(waiting) + len(part) <= KEY_PARTS:
            waiting.extend(part)
        elif not _is_builtin(part):
            raise UnpicklingError(f"a key of type {type(part).__name__} is not allowed")


def _is_builtin(part: Any) -> bool:
    return type(part) in _HASHABLE or type(part).__name__ in ("dtype", "device", "Size")
