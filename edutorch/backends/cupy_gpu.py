"""Real GPUs through CuPy; its memory pool keeps the books.

CuPy is imported when a GPU is first requested, never before.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import Any

import numpy as np

from ..devices import device
from ..errors import OutOfMemoryError
from .counters import Counters

__all__ = ["CupyGpus", "find_gpus"]


class _Booking:
    """Bytes of one storage on the books of its device."""

    __slots__ = ("books", "rounded")

    def __init__(self, books: _Books, rounded: int) -> None:
        self.books: _Books | None = books
        self.rounded = rounded

    def release(self) -> None:
        """Take the bytes off the books; the memory itself belongs to the array."""
        books, self.books = self.books, None
        if books is not None:
            books.returned.append(self.rounded)


class _Books:
    """What edutorch's tensors hold on one GPU, beside what CuPy's pool reserves."""

    def __init__(self, pool: Any, index: int, capacity: int) -> None:
        self.pool, self.index, self.capacity = pool, index, capacity
        self.lock = threading.RLock()
        self.returned: deque[int] = deque()
        self._counters = Counters()
        self.peak_reserved = 0

    def book(self, nbytes: int) -> _Booking:
        rounded = -(-nbytes // 512) * 512
        with self.lock:
            self.settle()
            self._count(rounded, 1)
            self.peak_reserved = max(self.peak_reserved, self.reserved)
        return _Booking(self, rounded)

    def settle(self) -> None:
        """Book what was given back since last time."""
        with self.lock:
            while self.returned:
                self._count(self.returned.popleft(), -1)

    def _count(self, nbytes: int, change: int) -> None:
        for measure in ("allocation", "active"):
            self._counters.add(measure, change, False)
        for measure in ("allocated_bytes", "active_bytes", "requested_bytes"):
            self._counters.add(measure, change * nbytes, False)

    @property
    def counters(self) -> Counters:
        """Allocation statistics, as far as CuPy reports them."""
        for counter in self._counters.by_pool["reserved_bytes"].values():
            counter.current, counter.peak = self.reserved, self.peak_reserved
        return self._counters

    @property
    def limit(self) -> int:
        return int(self.pool.get_limit()) or self.capacity

    @limit.setter
    def limit(self, nbytes: int) -> None:
        self.pool.set_limit(nbytes)

    @property
    def allocated(self) -> int:
        self.settle()
        return self._counters["allocated_bytes"].current

    @property
    def peak_allocated(self) -> int:
        return self._counters["allocated_bytes"].peak

    requested = allocated

    @property
    def reserved(self) -> int:
        return int(self.pool.total_bytes())

    def empty_cache(self) -> None:
        self.pool.free_all_blocks()

    def reset_peaks(self) -> None:
        self.settle()
        self._counters.reset_peaks()
        self.peak_reserved = self.reserved


class CupyGpus:
    """The backend of the machine's GPUs."""

    simulated = False

    def __init__(self, cupy: Any) -> None:
        self.xp = cupy
        self.count = int(cupy.cuda.runtime.getDeviceCount())
        self.allocators = [self._books(i) for i in range(self.count)]

    def _books(self, index: int) -> _Books:
        with self.xp.cuda.Device(index) as gpu:
            return _Books(
                self.xp.get_default_memory_pool(), index, int(gpu.mem_info[1])
            )

    def allocator(self, where: device) -> _Books:
        """The books of one device.

        Raises:
            RuntimeError: if there is no such device.
        """
        if (where.index or 0) >= self.count:
            raise RuntimeError("CUDA error: invalid device ordinal")
        return self.allocators[where.index or 0]

    def allocate(self, where: device, nbytes: int) -> _Booking:
        """Book `nbytes` that an array already holds."""
        return self.allocator(where).book(nbytes)

    def upload(self, array: np.ndarray[Any, Any], where: device) -> Any:
        """A copy of a host array on the GPU.

        Raises:
            OutOfMemoryError: when the GPU is out of memory.
        """
        self.allocator(where)
        try:
            with self.xp.cuda.Device(where.index or 0):
                return self.xp.asarray(array)
        except self.xp.cuda.memory.OutOfMemoryError as error:
            raise OutOfMemoryError(f"CUDA out of memory. {error}") from None

    def download(self, array: Any) -> np.ndarray[Any, Any]:
        """A host copy of a GPU array."""
        found: np.ndarray[Any, Any] = self.xp.asnumpy(array)
        return found


def find_gpus() -> CupyGpus | None:
    """The machine's GPUs, or None where CuPy or a working GPU is missing."""
    try:
        import cupy  # optional dependency: the `gpu` extra
    except ImportError:
        return None
    try:
        return CupyGpus(cupy) if cupy.cuda.runtime.getDeviceCount() > 0 else None
    except cupy.cuda.runtime.CUDARuntimeError:
        return None
