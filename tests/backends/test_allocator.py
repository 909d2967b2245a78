"""The caching allocator's books."""

from __future__ import annotations

import pytest

from edutorch.backends.allocator import MIB, CachingAllocator
from edutorch.errors import OutOfMemoryError


def test_sizes_are_rounded_and_small_blocks_share_a_segment():
    books = CachingAllocator(64 * MIB, 0)
    first, second = books.allocate(1), books.allocate(600)
    assert (first.rounded, second.rounded) == (512, 1024)
    assert books.allocated == 1536 and books.requested == 601
    assert books.reserved == 2 * MIB


def test_middling_and_large_blocks_have_segments_of_their_own_sizes():
    books = CachingAllocator(100 * MIB, 0)
    books.allocate(3 * MIB)
    assert books.reserved == 20 * MIB
    books.allocate(31 * MIB)
    assert books.reserved == 52 * MIB


def test_freed_block_is_used_again_without_new_memory():
    books = CachingAllocator(64 * MIB, 0)
    block = books.allocate(4 * MIB)
    block.release()
    books.update_statistics()
    assert books.allocated == 0 and books.reserved == 20 * MIB
    books.allocate(4 * MIB)
    assert books.reserved == 20 * MIB


def test_neighbours_join_when_they_are_freed():
    books = CachingAllocator(20 * MIB, 0)
    blocks = [books.allocate(5 * MIB) for _ in range(4)]
    for block in blocks:
        block.release()
    whole = books.allocate(18 * MIB)
    assert whole.offset == 0 and books.reserved == 20 * MIB


def test_release_twice_counts_once():
    books = CachingAllocator(64 * MIB, 0)
    block = books.allocate(512)
    block.release()
    block.release()
    books.update_statistics()
    assert books.allocated == 0 and books.counters["allocation"].freed == 1


def test_full_device_gives_back_its_cache_before_it_fails():
    books = CachingAllocator(22 * MIB, 0)
    books.allocate(MIB // 2).release()
    books.update_statistics()
    assert books.reserved == 2 * MIB
    books.allocate(21 * MIB)
    assert books.counters.events["num_alloc_retries"] == 1
    assert books.reserved >= 21 * MIB


def test_out_of_memory_says_what_a_gpu_says_and_books_nothing():
    books = CachingAllocator(8 * MIB, 1)
    books.allocate(6 * MIB)
    before = books.allocated, books.reserved
    with pytest.raises(OutOfMemoryError) as caught:
        books.allocate(4 * MIB)
    text = str(caught.value)
    assert text.startswith(
        "CUDA out of memory. Tried to allocate 4.00 MiB. GPU 1 has a "
    )
    assert "total capacity of 8.00 MiB of which 2.00 MiB is free." in text
    assert "expandable_segments:True" in text
    assert (books.allocated, books.reserved) == before
    assert books.counters.events["num_ooms"] == 1


def test_peaks_start_anew_after_a_reset():
    books = CachingAllocator(64 * MIB, 0)
    books.allocate(4 * MIB).release()
    books.reset_peaks()
    assert books.peak_allocated == 0 and books.peak_reserved == books.reserved


def test_no_bytes_need_no_block():
    assert CachingAllocator(MIB, 0).allocate(0) is None


def test_limit_is_what_the_program_may_reserve():
    books = CachingAllocator(64 * MIB, 0)
    books.limit = 4 * MIB
    books.allocate(3 * MIB)
    with pytest.raises(OutOfMemoryError):
        books.allocate(3 * MIB)


def test_free_blocks_of_segments_in_use_are_counted_as_split():
    books = CachingAllocator(64 * MIB, 0)

    def split():
        books.update_statistics()
        counted = books.counters["inactive_split"]
        return counted.current, books.counters["inactive_split_bytes"].current

    def truly():
        free = [b.nbytes for s in books.segments if s.split for b in s.blocks if b.free]
        return len(free), sum(free)

    blocks = [books.allocate(n) for n in (5 * MIB, 3 * MIB, 600, 5 * MIB, 700, 9 * MIB)]
    assert split() == truly() != (0, 0)
    for at in (1, 3, 0, 4, 2, 5):
        blocks[at].release()
        assert split() == truly()
        if at == 3:
            blocks[at] = books.allocate(4 * MIB)
            assert split() == truly()
