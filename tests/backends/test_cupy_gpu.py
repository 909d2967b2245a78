"""CuPy's books, with a pool that stands in for a GPU's."""

from __future__ import annotations

import builtins
import contextlib

from edutorch.backends import cupy_gpu


class Pool:
    """A memory pool as CuPy has one."""

    total = 4096

    def total_bytes(self):
        return self.total

    def free_all_blocks(self):
        self.total = 0


def test_books_count_what_tensors_hold_and_the_pool_what_is_reserved():
    books = cupy_gpu._Books(Pool(), contextlib.nullcontext(), 0, 10_000)
    booking = books.book(700)
    assert booking.rounded == 1024
    assert (books.allocated, books.reserved) == (1024, 4096)
    booking.release()
    booking.release()
    assert books.allocated == 0 and books.counters["allocation"].freed == 1
    assert books.peak_allocated == 1024
    books.empty_cache()
    assert books.reserved == 0


def test_no_cupy_means_no_gpus(monkeypatch):
    real = builtins.__import__

    def without_cupy(name, *args, **kwargs):
        if name == "cupy":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_cupy)
    assert cupy_gpu.find_gpus() is None


def test_counters_of_the_books_start_anew_together():
    books = cupy_gpu._Books(Pool(), contextlib.nullcontext(), 0, 10_000)
    booking = books.book(700)
    books.counters.reset_totals()
    booking.release()
    books.settle()
    found = books.counters.stats()
    for measure in ("allocated_bytes", "active_bytes", "requested_bytes"):
        assert found[measure]["all"]["freed"] == 1024
        assert found[measure]["all"]["allocated"] == 0
