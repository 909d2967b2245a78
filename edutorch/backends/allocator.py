"""A caching allocator's books, as PyTorch keeps them for a GPU.

Sizes are rounded to 512 bytes. Memory is asked of the device in segments (2 MiB for
small blocks, 20 MiB for middling ones, whole 2 MiB multiples for large ones), cut
into blocks, and kept when blocks are freed: `reserved` counts segments, `allocated`
blocks in use. When the device is full, free segments are given back before an
allocation fails. No bytes are moved here; only the numbers are real.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import Final

from .. import events
from ..errors import OutOfMemoryError

__all__ = ["Block", "CachingAllocator", "MIB"]

MIB: Final = 2**20
ROUND: Final = 512
SMALL: Final = MIB  # blocks up to this come from segments of 2 MiB
SMALL_SEGMENT: Final = 2 * MIB
MIDDLE: Final = 10 * MIB  # blocks below this come from segments of 20 MiB
MIDDLE_SEGMENT: Final = 20 * MIB


class Segment:
    """A piece of the device's memory, cut into blocks."""

    def __init__(self, nbytes: int, small: bool) -> None:
        self.nbytes = nbytes
        self.small = small
        self.blocks = [Block(self, 0, nbytes)]

    @property
    def unused(self) -> bool:
        """Whether no block is in use."""
        return len(self.blocks) == 1 and self.blocks[0].free


class Block:
    """A part of a segment, free or in use; `release()` gives it back."""

    __slots__ = ("segment", "offset", "nbytes", "requested", "free", "allocator")

    def __init__(self, segment: Segment, offset: int, nbytes: int) -> None:
        self.segment, self.offset, self.nbytes = segment, offset, nbytes
        self.requested = 0
        self.free = True
        self.allocator: CachingAllocator | None = None

    @property
    def rounded(self) -> int:
        """The bytes set aside."""
        return self.nbytes

    def release(self) -> None:
        """Give the block back; safe at any time, also during garbage collection."""
        allocator, self.allocator = self.allocator, None
        if allocator is not None:
            allocator.returned.append(self)  # booked at the next question or request


class CachingAllocator:
    """The books of one device.

    Args:
        capacity: bytes of the device.
        index: its number, for messages.
    """

    def __init__(self, capacity: int, index: int) -> None:
        self.capacity, self.index = capacity, index
        self.segments: list[Segment] = []
        self.returned: deque[Block] = deque()
        self.lock = threading.RLock()
        self.allocated = self.requested = self.reserved = 0
        self.peak_allocated = self.peak_reserved = 0
        self.allocations = self.frees = self.retries = self.failures = 0
        self.total_allocated = self.total_freed = 0

    def allocate(self, nbytes: int) -> Block | None:
        """A block of at least `nbytes`, from the cache or from the device.

        Raises:
            OutOfMemoryError: when the device has no room; nothing is booked then.
        """
        if nbytes == 0:
            return None
        size = -(-nbytes // ROUND) * ROUND
        with self.lock:
            self.settle()
            block = self._cached(size) or self._fresh(size)
            if block is None:
                self.retries += 1
                self.empty_cache()
                block = self._fresh(size)
            if block is None:
                self.failures += 1
                events.mark(f"out of memory: +{_size(nbytes)}")
                raise self._out_of_memory(nbytes)
            return self._take(block, size, nbytes)

    def settle(self) -> None:
        """Book the blocks that were given back since last time."""
        with self.lock:
            while self.returned:
                self._put_back(self.returned.popleft())

    def empty_cache(self) -> None:
        """Give unused segments back to the device."""
        with self.lock:
            self.settle()
            for segment in [s for s in self.segments if s.unused]:
                self.segments.remove(segment)
                self.reserved -= segment.nbytes

    def _cached(self, size: int) -> Block | None:
        """The smallest free block that is large enough, from the fitting pool."""
        small = size <= SMALL
        free = [
            block
            for segment in self.segments
            if segment.small == small
            for block in segment.blocks
            if block.free and block.nbytes >= size
        ]
        return min(free, key=lambda block: block.nbytes, default=None)

    def _fresh(self, size: int) -> Block | None:
        if size <= SMALL:
            want = SMALL_SEGMENT
        elif size < MIDDLE:
            want = MIDDLE_SEGMENT
        else:
            want = -(-size // (2 * MIB)) * 2 * MIB
        if self.reserved + want > self.capacity:
            want = size  # the last bytes of a small device are not wasted on rounding
        if self.reserved + want > self.capacity:
            return None
        segment = Segment(want, size <= SMALL)
        self.segments.append(segment)
        self.reserved += want
        self.peak_reserved = max(self.peak_reserved, self.reserved)
        return segment.blocks[0]

    def _take(self, block: Block, size: int, requested: int) -> Block:
        rest = block.nbytes - size
        if rest >= (ROUND if block.segment.small else SMALL):
            blocks = block.segment.blocks
            blocks.insert(
                blocks.index(block) + 1, Block(block.segment, block.offset + size, rest)
            )
            block.nbytes = size
        block.free, block.requested, block.allocator = False, requested, self
        self.allocated += block.nbytes
        self.requested += requested
        self.total_allocated += block.nbytes
        self.allocations += 1
        self.peak_allocated = max(self.peak_allocated, self.allocated)
        return block

    def _put_back(self, block: Block) -> None:
        block.free = True
        self.allocated -= block.nbytes
        self.requested -= block.requested
        self.total_freed += block.nbytes
        self.frees += 1
        blocks = block.segment.blocks
        at = blocks.index(block)
        for left in (at, at - 1):  # join with the next block, then with the one before
            if (
                0 <= left < len(blocks) - 1
                and blocks[left].free
                and blocks[left + 1].free
            ):
                blocks[left].nbytes += blocks.pop(left + 1).nbytes

    def reset_peaks(self) -> None:
        """Start new peaks from what is in use now."""
        with self.lock:
            self.settle()
            self.peak_allocated, self.peak_reserved = self.allocated, self.reserved

    def _out_of_memory(self, nbytes: int) -> OutOfMemoryError:
        unused = self.reserved - self.allocated
        return OutOfMemoryError(
            f"CUDA out of memory. Tried to allocate {_size(nbytes)}. GPU {self.index} "
            f"has a total capacity of {_size(self.capacity)} of which "
            f"{_size(self.capacity - self.reserved)} is free. Of the allocated memory "
            f"{_size(self.allocated)} is allocated by PyTorch, and {_size(unused)} is "
            "reserved by PyTorch but unallocated. If reserved but unallocated memory "
            "is "
            "large try setting PYTORCH_ALLOC_CONF=expandable_segments:True to avoid "
            "fragmentation.  See documentation for Memory Management"
        )


def _size(nbytes: int) -> str:
    for unit, scale in (("GiB", 2**30), ("MiB", MIB), ("KiB", 2**10)):
        if nbytes >= scale:
            return f"{nbytes / scale:.2f} {unit}"
    return f"{nbytes} bytes"
