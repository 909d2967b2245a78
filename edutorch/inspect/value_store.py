"""Copies of values, kept while they are in use, within a memory limit."""

from __future__ import annotations

import heapq
import threading
from collections.abc import Iterable
from typing import Any

import numpy as np

__all__ = ["LIMIT", "ValueStore", "host_copy"]

LIMIT = 256 << 20  # bytes


def host_copy(array: Any) -> np.ndarray | None:
    """Real or complex numbers on the host, in memory of their own.

    Of a sparse array the stored values; None if there are no values.

    Example:
        >>> x = np.ones(2)
        >>> copy = host_copy(x)
        >>> x[0] = 5
        >>> copy.tolist()
        [1.0, 1.0]
    """
    array = getattr(array, "_data", array)
    if isinstance(array, (bool, int, float, np.generic)):
        array = np.array(array)
    if type(array) is not np.ndarray:
        cupy = type(array).__module__.startswith("cupy")
        array = array.get() if cupy else getattr(array, "values", None)
    if type(array) is not np.ndarray:  # a meta tensor has no values
        return None
    if array.dtype.kind not in "fiubc":  # 16-bit floats that NumPy lacks
        if array.dtype.itemsize > 2:
            return None
        return array.astype(np.float32)
    return np.array(array, order="C")


class ValueStore:
    """Numbered copies; the largest are dropped when the limit is exceeded.

    Args:
        limit: bytes of all copies together.

    Attributes:
        nbytes: the size of all copies.

    Example:
        >>> store = ValueStore(limit=100)
        >>> small, large = store.keep(np.ones(2)), store.keep(np.zeros(11))
        >>> store.get(small).tolist(), store.get(large)
        ([1.0, 1.0], None)
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = limit
        self.nbytes = 0
        self._lock = threading.Lock()
        self._arrays: dict[int, np.ndarray] = {}
        self._dropped: dict[int, tuple[tuple[int, ...], str]] = {}
        self._largest: list[tuple[int, int]] = []  # heap of (-bytes, number)
        self._newest = 0

    def keep(self, array: Any, candidates: Iterable[int] = ()) -> int:
        """Copy an array and return the copy's number; 0 if it has no values.

        Args:
            array: an array, tensor or number.
            candidates: numbers of copies that are reused if their values are equal.
        """
        copy = host_copy(array)
        if copy is None:
            return 0
        for number in candidates:
            known = self._arrays.get(number)
            if known is not None and _same(known, copy):
                return number
        with self._lock:
            self._newest += 1
            number = self._newest
            self._arrays[number] = copy
            self.nbytes += copy.nbytes
            heapq.heappush(self._largest, (-copy.nbytes, number))
            while self.nbytes > self.limit:
                self._drop(heapq.heappop(self._largest)[1])
        return number

    def _drop(self, number: int) -> None:
        array = self._arrays.pop(number)
        self._dropped[number] = array.shape, str(array.dtype)
        self.nbytes -= array.nbytes

    def get(self, number: int) -> np.ndarray | None:
        """The copy with this number; None if it was dropped. Do not modify it."""
        return self._arrays.get(number)

    def dropped(self, number: int) -> tuple[tuple[int, ...], str] | None:
        """Shape and dtype of a dropped copy; None for any other number."""
        return self._dropped.get(number)

    def clear(self) -> None:
        """Forget all copies; the numbering continues."""
        with self._lock:
            self._arrays.clear()
            self._dropped.clear()
            self._largest.clear()
            self.nbytes = 0


def _same(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays are equal bit by bit, so that a nan equals itself."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    return bool(a.reshape(-1).view(np.uint8).data == b.reshape(-1).view(np.uint8).data)
