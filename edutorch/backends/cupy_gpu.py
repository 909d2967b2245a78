"""Real GPUs through CuPy, whose memory pool allocates.

CuPy is imported when a GPU is first requested, never before.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from contextlib import nullcontext
from types import ModuleType
from typing import Any, Final

import numpy as np

from ..devices import device as Device
from ..errors import OutOfMemoryError
from .counters import Counter, Counters

__all__ = ["CupyGpus", "find_gpus"]

UPDATE_AFTER: Final = 1000  # the longest queue of changes


class _Allocation:
    """Bytes of one storage, counted on its device."""

    __slots__ = ("counts", "rounded")

    def __init__(self, counts: _MemoryCounts, rounded: int) -> None:
        self.counts: _MemoryCounts | None = counts
        self.rounded = rounded

    def release(self) -> None:
        """Count the bytes as free; the memory itself belongs to the array."""
        counts, self.counts = self.counts, None
        if counts is not None:
            counts.changes.append(-self.rounded)


class _MemoryCounts:
    """The memory of edutorch's tensors on one GPU, and what CuPy's pool reserves.

    Every operation allocates, so an allocation or release only appends its bytes to a
    queue; they are summed, in order, when the counts are read.
    """

    def __init__(self, pool: Any, gpu: Any, index: int, capacity: int) -> None:
        self.pool, self.gpu = pool, gpu
        self.index, self.capacity = index, capacity
        self.lock = threading.RLock()
        self.changes: deque[int] = deque()
        self._counters = Counters()
        self.blocks = self._share("allocation", "active")
        self.bytes = self._share("allocated_bytes", "active_bytes", "requested_bytes")
        self._reserved = self._share("reserved_bytes")
        self._peak_reserved = 0

    def _share(self, first: str, *others: str) -> Counter:
        """One counter for several measures; all blocks count as large."""
        shared = self._counters[first]
        for measure in (first, *others):
            pools = self._counters.by_pool[measure]
            pools["all"] = pools["large_pool"] = shared
        return shared

    def count_allocation(self, nbytes: int) -> _Allocation:
        """Count `nbytes` as allocated, until the handle is released."""
        rounded = (nbytes + 511) // 512 * 512
        self.changes.append(rounded)
        if len(self.changes) > UPDATE_AFTER:
            self.update_statistics()
        return _Allocation(self, rounded)

    def update_statistics(self) -> None:
        """Add up what was allocated and released since last time."""
        with self.lock:
            changes = [self.changes.popleft() for _ in range(len(self.changes))]
            if changes:
                _add_up(self.bytes, np.array(changes))
                _add_up(self.blocks, np.sign(changes))

    @property
    def counters(self) -> Counters:
        """Allocation statistics, as far as CuPy reports them."""
        self.update_statistics()
        self._reserved.current, self._reserved.peak = self.reserved, self.peak_reserved
        return self._counters

    @property
    def limit(self) -> int:
        with self.gpu:
            return int(self.pool.get_limit()) or self.capacity

    @limit.setter
    def limit(self, nbytes: int) -> None:
        with self.gpu:
            self.pool.set_limit(nbytes)

    @property
    def allocated(self) -> int:
        self.update_statistics()
        return self.bytes.current

    @property
    def peak_allocated(self) -> int:
        self.update_statistics()
        return self.bytes.peak

    requested = allocated

    @property
    def reserved(self) -> int:
        with self.gpu:
            return int(self.pool.total_bytes())

    @property
    def peak_reserved(self) -> int:
        """The peak of the pool, which shrinks only in `empty_cache`."""
        self._peak_reserved = max(self._peak_reserved, self.reserved)
        return self._peak_reserved

    @property
    def free(self) -> int:
        """The bytes of the GPU that no program uses."""
        return int(self.gpu.mem_info[0])

    def empty_cache(self) -> None:
        self._peak_reserved = self.peak_reserved
        with self.gpu:
            self.pool.free_all_blocks()

    def out_of_memory(self, nbytes: int) -> OutOfMemoryError:
        """The error of an allocation that failed, in PyTorch's words."""
        self.counters.events["num_ooms"] += 1
        unused = max(self.reserved - self.allocated, 0)
        return OutOfMemoryError(
            f"CUDA out of memory. Tried to allocate {_size(nbytes)}. GPU {self.index} "
            f"has a total capacity of {_size(self.capacity)} of which "
            f"{_size(self.free)} is free. Of the allocated memory "
            f"{_size(self.allocated)} is allocated by PyTorch, and {_size(unused)} is "
            "reserved by PyTorch but unallocated. If reserved but unallocated memory "
            "is large try setting PYTORCH_ALLOC_CONF=expandable_segments:True to avoid "
            "fragmentation.  See documentation for Memory Management"
        )

    def reset_peaks(self) -> None:
        self.update_statistics()
        self._counters.reset_peaks()
        self._peak_reserved = self.reserved


def _size(nbytes: int) -> str:
    """Format a number of bytes for a message."""
    for unit, size in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if nbytes >= size:
            return f"{nbytes / size:.2f} {unit}"
    return f"{nbytes} bytes"


def _add_up(counter: Counter, changes: np.ndarray[Any, Any]) -> None:
    """Add up changes in order."""
    highest = counter.current + int(np.cumsum(changes).max())
    counter.peak = max(counter.peak, highest)
    allocated = int(changes[changes > 0].sum())
    total = int(changes.sum())
    counter.current += total
    counter.allocated += allocated
    counter.freed += allocated - total


class CupyGpus:
    """The backend of the machine's GPUs.

    Attributes:
        xp: CuPy.
        compiles: whether CUDA source can be compiled and run; a substitute for CuPy
            computes with NumPy.
    """

    simulated = False

    def __init__(self, cupy: Any) -> None:
        self.xp = cupy
        self.compiles = type(cupy) is ModuleType
        self.count = int(cupy.cuda.runtime.getDeviceCount())
        self.allocators = [self._memory_counts(i) for i in range(self.count)]
        self._resident: dict[int, int] = {}
        self._held: list[tuple[Any, Any]] = []  # events, and memory until they are done

    def _memory_counts(self, index: int) -> _MemoryCounts:
        with self.xp.cuda.Device(index) as gpu:
            return _MemoryCounts(
                self.xp.get_default_memory_pool(), gpu, index, int(gpu.mem_info[1])
            )

    def allocator(self, device: Device) -> _MemoryCounts:
        """The counts of one device.

        Raises:
            RuntimeError: if there is no such device.
        """
        if (device.index or 0) >= self.count:
            raise RuntimeError("CUDA error: invalid device ordinal")
        return self.allocators[device.index or 0]

    def on(self, device: Device) -> Any:
        """A block in which CuPy works on a device; empty if there is only one GPU."""
        if self.count == 1:
            return _NOTHING
        return self.xp.cuda.Device(device.index or 0)

    def resident_blocks(self, device: Device) -> int:
        """Blocks of 256 threads that a device runs at once."""
        index = device.index or 0
        if index not in self._resident:
            known = self.xp.cuda.runtime.getDeviceProperties(index)
            each = known.get("maxThreadsPerMultiProcessor", 2048) // 256
            self._resident[index] = int(known.get("multiProcessorCount", 1) * each)
        return self._resident[index]

    def allow_tf32(self, allowed: bool) -> None:
        """Let cuBLAS round factors of float32 to TF32, or not."""
        if self.compiles:
            linalg = self.xp._core._routines_linalg
            kind = linalg.COMPUTE_TYPE_TF32 if allowed else linalg.COMPUTE_TYPE_DEFAULT
            linalg.set_compute_type(np.dtype(np.float32), kind)

    def pinned(self, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """A copy of a host array in page-locked memory, which a GPU reads by itself."""
        memory = self.xp.cuda.alloc_pinned_memory(max(array.nbytes, 1))
        flat = np.frombuffer(memory, array.dtype, array.size)
        copy: np.ndarray[Any, Any] = flat.reshape(array.shape)
        copy[...] = array
        return copy

    def is_pinned(self, array: np.ndarray[Any, Any]) -> bool:
        """Whether a host array is in page-locked memory."""
        kind = getattr(self.xp.cuda, "PinnedMemoryPointer", None)
        base: Any = array
        while base is not None:
            if isinstance(base, memoryview):
                base = base.obj
            if kind is not None and isinstance(base, kind):
                return True
            base = getattr(base, "base", None)
        return False

    def allocate(self, device: Device, nbytes: int) -> _Allocation:
        """Count `nbytes` that an array already holds."""
        if self._held and self._held[0][0].done:
            self._release_done()
        return self.allocators[device.index or 0].count_allocation(nbytes)

    def upload(self, array: Any, device: Device) -> Any:
        """A copy of a host array on the GPU, or of another GPU's array.

        Raises:
            OutOfMemoryError: when the GPU is out of memory.
        """
        counts = self.allocator(device)
        try:
            with self.on(device):
                return self.xp.asarray(array)
        except self.xp.cuda.memory.OutOfMemoryError:
            raise counts.out_of_memory(int(array.nbytes)) from None

    def upload_async(self, array: Any, device: Device) -> Any:
        """An asynchronous copy of page-locked memory to the GPU.

        Other memory is copied before this returns.
        """
        pinned = isinstance(array, np.ndarray) and self.is_pinned(array)
        if not (pinned and array.flags.c_contiguous):
            return self.upload(array, device)
        self.allocator(device)
        cuda = self.xp.cuda
        with self.on(device):
            made = self.xp.empty(array.shape, array.dtype)
            made.set(array, cuda.get_current_stream())
            done = cuda.Event(disable_timing=True)
            done.record()
        self._hold(done, array)
        return made

    def record_stream(
        self, storage: Any, array: Any, device: Device, stream: Any
    ) -> None:
        """Keep the memory of a storage until a stream has finished its current work.

        CuPy gives freed memory to the next array of the stream that has allocated it,
        even if another stream still reads it.
        """
        freed = weakref.finalize(storage, self._free_behind, array.data, device, stream)
        freed.atexit = False

    def _free_behind(self, memory: Any, device: Device, stream: Any) -> None:
        """Free memory when a stream has finished its work so far."""
        with self.on(device):
            done = self.xp.cuda.Event(disable_timing=True)
            done.record(stream)
        self._hold(done, memory)

    def _hold(self, done: Any, memory: Any) -> None:
        """Keep memory until an event is done."""
        self._release_done()
        self._held.append((done, memory))

    def _release_done(self) -> None:
        """Free the held memory whose events are done."""
        self._held = [held for held in self._held if not held[0].done]

    def download(self, array: Any) -> np.ndarray[Any, Any]:
        """A host copy of a GPU array."""
        found: np.ndarray[Any, Any] = self.xp.asnumpy(array)
        return found


_NOTHING = nullcontext()


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
