"""The bookkeeping of a caching allocator, like PyTorch's for a GPU.

Sizes are rounded to 512 bytes. Memory is requested from the device in segments (2 MiB
for small blocks, 20 MiB for medium ones, whole 2 MiB multiples for large ones), cut
into blocks, and cached when blocks are freed: `reserved` counts segments, `allocated`
blocks in use. A request takes the smallest free block of its pool that is large enough
(best fit; of equal ones that at the lowest address), and cuts off what is left if that
is worth keeping. Each stream has its own blocks. When the device is full, free
segments are given back before an allocation fails. No bytes are moved here; only the
numbers are real, and stored statistics of PyTorch on an H100 are equal to them.
"""

from __future__ import annotations

import threading
from bisect import bisect_left, insort
from collections import deque
from typing import Any, Final

from .. import events
from ..errors import OutOfMemoryError
from .counters import Counters

__all__ = ["Block", "CachingAllocator", "MIB", "size_text"]

MIB: Final = 2**20
ROUND: Final = 512
SMALL: Final = MIB  # blocks up to this come from segments of 2 MiB
SMALL_SEGMENT: Final = 2 * MIB
MIDDLE: Final = 10 * MIB  # blocks below this come from segments of 20 MiB
MIDDLE_SEGMENT: Final = 20 * MIB
FIRST_ADDRESS: Final = 0x7F00_0000_0000  # where a process often sees the memory of GPUs


class Segment:
    """A region of the device's memory, divided into blocks."""

    def __init__(
        self, nbytes: int, small: bool, stream: int = 0, address: int = FIRST_ADDRESS
    ) -> None:
        self.nbytes = nbytes
        self.small = small
        self.stream = stream
        self.address = address
        self.blocks = [Block(self, 0, nbytes)]

    @property
    def unused(self) -> bool:
        """Whether no block is in use."""
        return not self.split and self.blocks[0].free

    @property
    def split(self) -> bool:
        """Whether it is cut into several blocks."""
        return len(self.blocks) > 1


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
        """The size of the block in bytes, rounded up."""
        return self.nbytes

    @property
    def address(self) -> int:
        """The address in the device's memory."""
        return self.segment.address + self.offset

    def release(self) -> None:
        """Free the block; safe at any time, also during garbage collection."""
        allocator, self.allocator = self.allocator, None
        if allocator is not None:
            allocator.returned.append(self)  # counted at the next query or request


class CachingAllocator:
    """The segments and blocks of one device, and its statistics.

    Args:
        capacity: bytes of the device.
        index: its number, for messages.

    Attributes:
        limit: how many bytes this program may reserve.
        counters: what happened so far.
    """

    def __init__(self, capacity: int, index: int) -> None:
        self.capacity = self.limit = capacity
        self.index = index
        self.segments: list[Segment] = []
        self._free: dict[tuple[bool, int], list[tuple[int, int, Block]]] = {}
        self.returned: deque[Block] = deque()
        self.lock = threading.RLock()
        self.counters = Counters()

    @property
    def allocated(self) -> int:
        """The bytes of blocks in use."""
        return self.counters["allocated_bytes"].current

    @property
    def requested(self) -> int:
        """The bytes requested for blocks in use, before rounding."""
        return self.counters["requested_bytes"].current

    @property
    def reserved(self) -> int:
        """The bytes of all segments."""
        return self.counters["reserved_bytes"].current

    @property
    def peak_allocated(self) -> int:
        """The most bytes that were in use."""
        return self.counters["allocated_bytes"].peak

    @property
    def peak_reserved(self) -> int:
        """The most bytes that were reserved."""
        return self.counters["reserved_bytes"].peak

    def allocate(self, nbytes: int, stream: int = 0) -> Block | None:
        """A block of at least `nbytes`, from a stream's cache or from the device.

        Raises:
            OutOfMemoryError: when the device is out of memory; nothing is counted then.
        """
        if nbytes == 0:
            return None
        size = -(-nbytes // ROUND) * ROUND
        with self.lock:
            self.update_statistics()
            block = self._cached(size, stream) or self._new_segment(size, stream)
            if block is None:
                self.counters.events["num_alloc_retries"] += 1
                self.empty_cache()
                block = self._new_segment(size, stream)
            if block is None:
                self.counters.events["num_ooms"] += 1
                where = f"cuda:{self.index}"
                events.emit("oom", events.clock(), 0, where, nbytes)
                events.mark(f"out of memory on {where}: +{size_text(nbytes)}")
                raise self._out_of_memory(nbytes)
            return self._split_block(block, size, nbytes)

    def update_statistics(self) -> None:
        """Process the blocks that were freed since the last call."""
        with self.lock:
            while self.returned:
                self._merge_block(self.returned.popleft())

    def empty_cache(self) -> None:
        """Return unused segments to the device."""
        with self.lock:
            self.update_statistics()
            self.counters.events["num_sync_all_streams"] += 1
            for segment in [s for s in self.segments if s.unused]:
                self._take(segment.blocks[0])
                self.segments.remove(segment)
                self._count_segment(segment, -1)
                self.counters.events["num_device_free"] += 1

    def _count_segment(self, segment: Segment, change: int) -> None:
        self.counters.add("segment", change, segment.small)
        self.counters.add("reserved_bytes", change * segment.nbytes, segment.small)

    def _count_block(self, block: Block, change: int) -> None:
        """Count a block that begins (1) or ceases (-1) to be in use."""
        small = block.segment.small
        for measure in ("allocation", "active"):
            self.counters.add(measure, change, small)
        for measure in ("allocated_bytes", "active_bytes"):
            self.counters.add(measure, change * block.nbytes, small)
        self.counters.add("requested_bytes", change * block.requested, small)

    def _count_split(self, segment: Segment, blocks: int, nbytes: int) -> None:
        """Count free blocks of a segment that others keep from being given back."""
        if blocks:
            self.counters.add("inactive_split", blocks, segment.small)
        if nbytes:
            self.counters.add("inactive_split_bytes", nbytes, segment.small)

    def _pool(self, segment: Segment) -> list[tuple[int, int, Block]]:
        """The free blocks among which those of a segment are, smallest first."""
        return self._free.setdefault((segment.small, segment.stream), [])

    def _keep(self, block: Block) -> None:
        """Add a free block to its pool."""
        insort(self._pool(block.segment), (block.nbytes, block.address, block))

    def _take(self, block: Block) -> None:
        """Remove a free block from its pool."""
        pool = self._pool(block.segment)
        del pool[bisect_left(pool, (block.nbytes, block.address))]

    def _cached(self, size: int, stream: int) -> Block | None:
        """The smallest free block that is large enough, from the fitting pool."""
        pool = self._free.get((size <= SMALL, stream), [])
        at = bisect_left(pool, (size, 0))
        return pool[at][2] if at < len(pool) else None

    def _address(self, nbytes: int) -> int:
        """The lowest address at which the device has room for a segment."""
        address = FIRST_ADDRESS
        for segment in sorted(self.segments, key=lambda segment: segment.address):
            if segment.address - address >= nbytes:
                break
            end = segment.address + segment.nbytes
            address = -(-end // SMALL_SEGMENT) * SMALL_SEGMENT
        return address

    def _new_segment(self, size: int, stream: int) -> Block | None:
        if size <= SMALL:
            want = SMALL_SEGMENT
        elif size < MIDDLE:
            want = MIDDLE_SEGMENT
        else:
            want = -(-size // (2 * MIB)) * 2 * MIB
        if self.reserved + want > self.limit:
            want = size  # the last bytes of a small device are not wasted on rounding
        if self.reserved + want > self.limit:
            return None
        segment = Segment(want, size <= SMALL, stream, self._address(want))
        self.segments.append(segment)
        self._keep(segment.blocks[0])
        self._count_segment(segment, 1)
        self.counters.events["num_device_alloc"] += 1
        return segment.blocks[0]

    def _split_block(self, block: Block, size: int, requested: int) -> Block:
        """Use a free block; split off the rest if it is large enough."""
        segment, rest = block.segment, block.nbytes - size
        split = segment.split
        self._take(block)
        if rest >= ROUND if segment.small else rest > SMALL:
            left = Block(segment, block.offset + size, rest)
            left.requested = block.requested  # PyTorch leaves the old value there
            segment.blocks.insert(segment.blocks.index(block) + 1, left)
            self._keep(left)
            block.nbytes = size
            self._count_split(segment, *((0, -size) if split else (1, rest)))
        elif split:
            self._count_split(segment, -1, -block.nbytes)
        block.free, block.requested, block.allocator = False, requested, self
        self._count_block(block, 1)
        return block

    def _merge_block(self, block: Block) -> None:
        """Process a freed block: merge it with free neighbours."""
        self._count_block(block, -1)
        block.free = True
        segment, freed = block.segment, block.nbytes
        blocks = segment.blocks
        at = blocks.index(block)
        free = [b for b in blocks[max(at - 1, 0) : at + 2] if b.free and b is not block]
        for other in free:
            self._take(other)
            blocks.remove(other)
            block.offset = min(block.offset, other.offset)
            block.nbytes += other.nbytes
        self._keep(block)
        if segment.split:
            self._count_split(segment, 1 - len(free), freed)
        elif free:
            self._count_split(segment, -len(free), freed - block.nbytes)

    def snapshot(self) -> list[dict[str, Any]]:
        """The segments and their blocks by address, under PyTorch's names."""
        with self.lock:
            self.update_statistics()
            ordered = sorted(self.segments, key=lambda segment: segment.address)
            return [self._described(segment) for segment in ordered]

    def _described(self, segment: Segment) -> dict[str, Any]:
        used = [block for block in segment.blocks if not block.free]
        return {
            "device": self.index,
            "address": segment.address,
            "total_size": segment.nbytes,
            "allocated_size": sum(block.nbytes for block in used),
            "active_size": sum(block.nbytes for block in used),
            "requested_size": sum(block.requested for block in used),
            "stream": segment.stream,
            "segment_type": "small" if segment.small else "large",
            "segment_pool_id": (0, 0),
            "is_expandable": False,
            "frames": [],
            "blocks": [
                {
                    "address": block.address,
                    "size": block.nbytes,
                    "requested_size": block.requested,
                    "state": "inactive" if block.free else "active_allocated",
                    "frames": [],
                }
                for block in segment.blocks
            ],
        }

    def reset_peaks(self) -> None:
        """Reset the peaks to the current values."""
        with self.lock:
            self.update_statistics()
            self.counters.reset_peaks()

    def _out_of_memory(self, nbytes: int) -> OutOfMemoryError:
        unused = self.reserved - self.allocated
        return OutOfMemoryError(
            f"CUDA out of memory. Tried to allocate {size_text(nbytes)}. "
            f"GPU {self.index} has a total capacity of {size_text(self.capacity)} of "
            f"which {size_text(self.capacity - self.reserved)} is free. Of the "
            f"allocated memory {size_text(self.allocated)} is allocated by PyTorch, "
            f"and {size_text(unused)} is "
            "reserved by PyTorch but unallocated. If reserved but unallocated memory "
            "is "
            "large try setting PYTORCH_ALLOC_CONF=expandable_segments:True to avoid "
            "fragmentation.  See documentation for Memory Management"
        )


def size_text(nbytes: int) -> str:
    """A size as text, as in PyTorch's messages: `8.00 MiB`."""
    for unit, scale in (("GiB", 2**30), ("MiB", MIB), ("KiB", 2**10)):
        if nbytes >= scale:
            return f"{nbytes / scale:.2f} {unit}"
    return f"{nbytes} bytes"
