"""Streams, events and captured graphs of real GPUs, on the stand-in."""

from __future__ import annotations

import gc

import pytest

import edutorch as torch
from edutorch.backends import gpus

pytest.importorskip("cupy", reason="needs cupy, whose names the stand-in has")


def test_stream_is_current_in_its_block_and_events_order_and_time_it(cuda):
    x = torch.ones(4, device="cuda")
    side = torch.cuda.Stream(priority=-1)
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        assert torch.cuda.current_stream() == side
        assert cuda.cuda.get_current_stream().ptr == side.cuda_stream
        first.record()
        y = x + x
        last.record()
    assert cuda.cuda.get_current_stream().ptr == 0
    torch.cuda.current_stream().wait_event(last)
    assert y.tolist() == [2, 2, 2, 2]
    assert last.query()
    assert side.query()
    assert first.elapsed_time(last) >= 0
    with pytest.raises(ValueError, match="must be recorded before"):
        first.elapsed_time(torch.cuda.Event(enable_timing=True))


def test_copy_that_does_not_wait_keeps_its_source_until_it_is_done(cuda, monkeypatch):
    event = type(cuda.cuda.Event())
    found = gpus.gpus()
    monkeypatch.setattr(found, "is_pinned", lambda array: True)
    monkeypatch.setattr(event, "done", False)
    y = torch.arange(3.0).to("cuda", non_blocking=True)
    assert len(found._held) == 1
    monkeypatch.setattr(event, "done", True)
    assert (y + 1).tolist() == [1, 2, 3]
    assert found._held == []


def test_memory_that_another_stream_uses_is_freed_behind_its_work(cuda, monkeypatch):
    event = type(cuda.cuda.Event())
    found, side = gpus.gpus(), torch.cuda.Stream()
    x = torch.ones(3, device="cuda")
    x.record_stream(side)
    monkeypatch.setattr(event, "done", False)
    address = x.data_ptr()
    view = x[1:]
    del x
    gc.collect()
    assert found._held == []  # a view still has it
    del view
    gc.collect()
    assert [memory.ptr for _, memory in found._held] == [address]
    monkeypatch.setattr(event, "done", True)
    torch.ones(3, device="cuda")
    assert found._held == []


def test_graph_captures_a_stream_with_a_pool_and_is_launched_in_the_current_one(cuda):
    allocator = cuda.cuda.get_allocator()
    graph, side = torch.cuda.CUDAGraph(), torch.cuda.Stream()
    with pytest.raises(RuntimeError, match="without a preceding successful capture"):
        graph.replay()
    with torch.cuda.graph(graph, stream=side):
        assert torch.cuda.is_current_stream_capturing()
        assert cuda.cuda.get_allocator() == graph.pool().malloc
    assert not torch.cuda.is_current_stream_capturing()
    assert cuda.cuda.get_allocator() == allocator
    graph.replay()
    with torch.cuda.stream(side):
        graph.replay()
    assert graph._graph.launches == [0, side.cuda_stream]
    graph.reset()
    with pytest.raises(RuntimeError, match="without a preceding successful capture"):
        graph.pool()


def test_default_stream_is_not_captured(cuda):
    graph = torch.cuda.CUDAGraph()
    with pytest.raises(RuntimeError, match="must be captured on a non-default stream"):
        graph.capture_begin()


def test_graphs_may_share_a_pool(cuda):
    pool = torch.cuda.graph_pool_handle()
    graphs = [torch.cuda.CUDAGraph() for _ in range(2)]
    for graph in graphs:
        with torch.cuda.graph(graph, pool=pool):
            torch.ones(2, device="cuda")
        assert graph.pool() is pool


def test_default_stream_after_a_simulation_is_the_real_one_again(cuda):
    real = torch.cuda.default_stream()
    with torch.cuda.simulate():
        simulated = torch.cuda.default_stream()
        assert not hasattr(simulated, "native")
        torch.cuda.set_stream(torch.cuda.Stream())
    assert torch.cuda.current_stream() is torch.cuda.default_stream() is real
    assert real.native is cuda.cuda.Stream.null
