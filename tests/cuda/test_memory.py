"""Memory of a GPU, as its functions tell it."""

from __future__ import annotations

import gc

import edutorch as torch


def test_allocation_and_release_are_seen():
    with torch.cuda.simulate(devices=2, memory="64MB"):
        x = torch.ones(1000, device="cuda:1")
        assert torch.cuda.memory_allocated(1) == 4096
        assert torch.cuda.memory_allocated(0) == 0
        assert torch.cuda.memory_reserved("cuda:1") == 2 * 2**20
        del x
        gc.collect()
        assert torch.cuda.memory_allocated(1) == 0
        assert torch.cuda.max_memory_allocated(1) == 4096
        torch.cuda.reset_peak_memory_stats(1)
        assert torch.cuda.max_memory_allocated(1) == 0
        with torch.cuda.device(1):
            torch.cuda.empty_cache()
        assert torch.cuda.memory_reserved(1) == 0
        assert torch.cuda.mem_get_info(1) == (64 * 2**20, 64 * 2**20)


def test_saved_values_hold_memory_until_backward():
    with torch.cuda.simulate(devices=1):
        x = torch.ones(1000, device="cuda", requires_grad=True)
        y = (x * 2).exp().sum()
        held = torch.cuda.memory_allocated()
        y.backward()
        gc.collect()
        assert held == 2 * 4096 + 512  # x, what exp saved, and the sum
        assert torch.cuda.memory_allocated() == held  # the gradient took exp's place


def test_stats_and_summary_tell_the_same():
    with torch.cuda.simulate(devices=1):
        x = torch.ones(100, device="cuda")
        stats = torch.cuda.memory_stats()
        assert (
            stats["allocated_bytes.all.current"] == x.untyped_storage().rounded == 512
        )
        assert stats["allocation.all.current"] == 1 and stats["num_ooms"] == 0
        summary = torch.cuda.memory_summary()
        assert "(simulated)" in summary and "512 B" in summary
        assert len({len(line) for line in summary.splitlines()}) == 1
