"""Memory of a GPU, as its functions tell it."""

from __future__ import annotations

import gc

import pytest

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


def test_empty_cache_is_that_of_all_gpus():
    with torch.cuda.simulate(devices=2, memory="64MB"):
        x = [torch.ones(1000, device=f"cuda:{i}") for i in range(2)]
        del x
        gc.collect()
        torch.cuda.empty_cache()
        assert [torch.cuda.memory_reserved(i) for i in range(2)] == [0, 0]


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
        nested = torch.cuda.memory_stats_as_nested_dict()
        assert nested["active"]["small_pool"]["current"] == 1
        assert list(stats) == sorted(stats) and len(stats) == 123
        assert stats["requested_bytes.all.current"] == 400


def test_without_a_gpu_nothing_is_held(monkeypatch):
    monkeypatch.setattr("edutorch.backends.gpus.gpus", lambda: None)
    assert torch.cuda.memory_allocated() == torch.cuda.max_memory_reserved() == 0
    assert torch.cuda.memory_stats() == torch.cuda.memory_stats_as_nested_dict() == {}
    assert torch.cuda.empty_cache() is None
    with pytest.raises(KeyError):
        torch.cuda.memory_summary()
    with pytest.raises(AssertionError, match="not compiled with CUDA"):
        torch.cuda.mem_get_info()


def test_program_may_be_limited_to_a_part_of_the_memory():
    with torch.cuda.simulate(devices=1, memory="64MB"):
        torch.cuda.set_per_process_memory_fraction(0.25)
        with pytest.raises(torch.cuda.OutOfMemoryError):
            torch.ones(20 * 2**18, device="cuda")
        assert torch.cuda.get_per_process_memory_fraction() == 0.25
        with pytest.raises(TypeError, match="must be `float`"):
            torch.cuda.set_per_process_memory_fraction(1)
        with pytest.raises(ValueError, match="Allowed range: 0~1"):
            torch.cuda.set_per_process_memory_fraction(1.5)


def test_totals_start_anew_after_a_reset():
    with torch.cuda.simulate(devices=1):
        x = torch.ones(100, device="cuda")
        torch.cuda.reset_accumulated_memory_stats()
        stats = torch.cuda.memory_stats()
        assert stats["allocation.all.allocated"] == 0
        assert stats["allocation.all.current"] == 1
        assert torch.cuda.device_memory_used() == 2 * 2**20
        assert torch.cuda.get_allocator_backend() == "native"
        torch.cuda.ipc_collect()
        del x


@pytest.mark.parametrize("old", ["reset_max_memory_allocated", "reset_max_memory_cached",
                                 "memory_cached", "max_memory_cached"])  # fmt: skip
def test_old_names_warn(old):
    with torch.cuda.simulate(), pytest.warns(FutureWarning, match=f"cuda.{old}"):
        getattr(torch.cuda, old)()


def test_page_locked_memory_is_not_there():
    assert torch.cuda.host_memory_stats() == {}
    assert torch.cuda.host_memory_stats_as_nested_dict() == {}
    with pytest.raises(RuntimeError, match="no pluggable allocators"):
        torch.cuda.CUDAPluggableAllocator("own.so", "take", "free")


def test_snapshot_shows_each_block_where_it_lies():
    with torch.cuda.simulate(devices=2, memory="64MB"):
        x, y = torch.ones(200, device="cuda"), torch.ones(1000, device="cuda")
        z = torch.ones(2**20, device="cuda:1")
        del x
        small, middle = torch.cuda.memory_snapshot()
        blocks = [(b["size"], b["state"], b["requested_size"]) for b in small["blocks"]]
        assert blocks[:2] == [
            (1024, "inactive", 800),
            (4096, "active_allocated", 4000),
        ]
        ends = [b["address"] + b["size"] for b in small["blocks"]]
        starts = [b["address"] for b in small["blocks"]]
        assert starts == [small["address"], *ends[:-1]]
        assert ends[-1] == small["address"] + small["total_size"]
        assert (middle["device"], middle["active_size"]) == (1, z.nbytes)
        assert torch.cuda.memory._snapshot()["segments"][0] == small
        del y


def test_functions_are_also_in_the_package():
    memory = torch.cuda.memory
    for name in memory.__all__:
        assert name in {"CUDAPluggableAllocator"} | set(torch.cuda.__all__), name
        assert getattr(torch.cuda, name) is getattr(memory, name)
    assert torch.cuda.memory.reset_peak_host_memory_stats() is None
