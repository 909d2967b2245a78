"""Memory accounting with CuPy, with a substitute for a GPU's pool."""

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
    counts = cupy_gpu._MemoryCounts(Pool(), contextlib.nullcontext(), 0, 10_000)
    allocation = counts.count_allocation(700)
    assert allocation.rounded == 1024
    assert (counts.allocated, counts.reserved) == (1024, 4096)
    allocation.release()
    allocation.release()
    assert counts.allocated == 0 and counts.counters["allocation"].freed == 1
    assert counts.peak_allocated == 1024
    counts.empty_cache()
    assert counts.reserved == 0


def test_no_cupy_means_no_gpus(monkeypatch):
    real = builtins.__import__

    def without_cupy(name, *args, **kwargs):
        if name == "cupy":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_cupy)
    assert cupy_gpu.find_gpus() is None


def test_counters_of_the_books_start_anew_together():
    counts = cupy_gpu._MemoryCounts(Pool(), contextlib.nullcontext(), 0, 10_000)
    allocation = counts.count_allocation(700)
    counts.counters.reset_totals()
    allocation.release()
    counts.update_statistics()
    found = counts.counters.stats()
    for measure in ("allocated_bytes", "active_bytes", "requested_bytes"):
        assert found[measure]["all"]["freed"] == 1024
        assert found[measure]["all"]["allocated"] == 0
