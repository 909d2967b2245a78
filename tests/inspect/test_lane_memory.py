"""Memory in use on devices, by their allocators and by records."""

from __future__ import annotations

import edutorch as torch
from edutorch.inspect.lane_memory import LaneMemory, allocator_stats


def test_books_are_read_as_cuda_reads_them_also_after_the_simulation():
    memory = LaneMemory()
    memory.live = True
    with torch.cuda.simulate(devices=2, memory="8MB"):
        memory.add_device("cuda:1")
        x = torch.ones(1000, device="cuda:1")
        torch.ones(3000, device="cuda:1")
        found = memory.of("cuda:1")
        assert found["now"] == torch.cuda.memory_allocated(1)
        assert found["peak"] == torch.cuda.max_memory_allocated(1)
        assert found["reserved"] == torch.cuda.memory_reserved(1)
    assert memory.of("cuda:1") == found and found["limit"] == 8 * 2**20
    assert memory.kinds["cuda:1"] == "simulated GPU"
    assert x.numel() == 1000


def test_another_simulation_has_books_of_its_own():
    memory = LaneMemory()
    memory.live = True
    for size in ("8MB", "16MB"):
        with torch.cuda.simulate(devices=1, memory=size):
            memory.add_device("cuda:0")
    assert memory.of("cuda:0")["limit"] == 16 * 2**20


def test_device_that_is_not_there_is_counted_by_records():
    memory = LaneMemory()
    memory.live = True
    memory.add_device("cuda:5")
    alloc = ("alloc", 1, 0, 0, 1, 0, 7, 100, 512, "cuda:5", "other", -1)
    for record in (alloc, alloc):  # the second is known
        memory.alloc(record)
    assert memory.of("cuda:5")["now"] == 512
    memory.free(("free", 2, 0, 0, 1, 0, 7, 100, "cuda:5", "other"))
    memory.free(("free", 3, 0, 0, 1, 0, 8, 100, "cuda:5", "other"))
    assert memory.of("cuda:5") == {
        "now": 0, "peak": 512, "limit": None, "reserved": None,
    }  # fmt: skip
    assert memory.names() == {"cuda:5"}


def test_meta_device_has_no_books_of_a_gpu():
    memory = LaneMemory()
    memory.live = True
    with torch.cuda.simulate(devices=1):
        memory.add_device("meta")
        memory.add_device("cpu")
    assert memory.of("meta")["limit"] is None


def test_held_counts_what_was_given_back():
    with torch.cuda.simulate(devices=1) as gpus:
        assert gpus is not None
        x = torch.ones(1000, device="cuda:0")
        memory = LaneMemory()
        memory.add_device("cuda:0")
        books = memory._allocators["cuda:0"]
        assert allocator_stats(books)["now"] == 4096
        del x
        assert allocator_stats(books)["now"] == 0
