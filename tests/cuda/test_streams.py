"""Streams and events of GPUs."""

from __future__ import annotations

import gc
import threading

import pytest

import edutorch as torch
from edutorch.backends import gpus


def test_stream_block_restores():
    with torch.cuda.simulate():
        before = torch.cuda.current_stream()
        mine = torch.cuda.Stream()
        with torch.cuda.stream(mine), torch.cuda.stream(None):
            assert torch.cuda.current_stream() is mine
        assert torch.cuda.current_stream() == before == torch.cuda.default_stream()
        with mine:
            assert torch.accelerator.current_stream() is mine
        mine.wait_stream(before)
        mine.synchronize()
        assert mine.record_event().query()
        assert mine != before and mine == mine and mine != 3


def test_stream_of_another_gpu_makes_that_gpu_current():
    with torch.cuda.simulate(devices=2):
        there = torch.cuda.Stream(1)
        with torch.cuda.stream(there):
            assert torch.cuda.current_device() == 1
        assert torch.cuda.current_device() == 0
        assert torch.cuda.current_stream(1) == torch.cuda.default_stream("cuda:1")


def test_streams_are_current_in_their_thread_only():
    seen = []
    with torch.cuda.simulate(devices=2):
        torch.cuda.set_stream(own := torch.cuda.Stream())
        torch.cuda.set_device(1)
        thread = threading.Thread(
            target=lambda: seen.extend(
                [torch.cuda.current_stream(0), torch.cuda.current_device()]
            )
        )
        thread.start()
        thread.join()
        assert torch.cuda.current_stream(0) is own
        assert seen == [torch.cuda.default_stream(0), 0]
        torch.cuda.set_stream(torch.cuda.default_stream(0))
        torch.cuda.set_device(0)


def test_streams_and_events_show_themselves():
    with torch.cuda.simulate():
        text = "<torch.cuda.Stream device=cuda:0 cuda_stream=0x0>"
        assert repr(torch.cuda.default_stream()) == text
        event = torch.cuda.Event()
        assert repr(event) == "<torch.cuda.Event uninitialized>"
        event.record()
        assert repr(event).startswith("<torch.cuda.Event 0x")
        assert isinstance(event, torch.Event)
        assert isinstance(torch.cuda.ExternalStream(5), torch.Stream)


def test_streams_without_a_gpu_are_refused_as_by_pytorch(monkeypatch):
    monkeypatch.setattr("edutorch.backends.gpus.gpus", lambda: None)
    with pytest.raises(RuntimeError, match="requires CUDA support"):
        torch.cuda.Stream()
    with pytest.raises(RuntimeError, match="dummy base class Event"):
        torch.cuda.Event()
    with pytest.raises(AssertionError, match="not compiled with CUDA"):
        torch.cuda.current_stream()
    with torch.cuda.stream(None):
        pass


def test_events_measure_time_when_they_may():
    with torch.cuda.simulate():
        first, second = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        first.record()
        second.record()
        assert first.elapsed_time(second) >= 0
        with pytest.raises(ValueError, match="enable_timing=True"):
            torch.cuda.Event().elapsed_time(second)
        with pytest.raises(ValueError, match="must be recorded"):
            torch.cuda.Event(enable_timing=True).elapsed_time(second)


@pytest.fixture
def t4():
    with torch.cuda.simulate(devices=2, memory="4GB", like="T4"):
        yield gpus.gpus()


def timing_events(n=2):
    return [torch.cuda.Event(enable_timing=True) for _ in range(n)]


def test_elapsed_time_of_launches_is_that_of_the_slower_side(t4):
    small, large = torch.ones(8, device="cuda"), torch.ones(2**22, device="cuda")
    for x, each in ((small, 10e-6), (large, 4e-6 + 2 * 2**24 / 320e9)):
        torch.cuda.synchronize()
        first, last = timing_events()
        first.record()
        for _ in range(20):
            x.exp()
        last.record()
        assert not last.query() and first.query()
        with pytest.raises(RuntimeError, match="device not ready"):
            first.elapsed_time(last)
        last.synchronize()
        assert last.query()
        kernel = 4e-6 + 2 * x.nbytes / 320e9
        total = 20 * each + min(kernel, 10e-6)  # one of the shorter is not hidden
        assert first.elapsed_time(last) == pytest.approx(total * 1e3)


def test_host_that_reads_each_step_keeps_the_gpu_waiting(t4):
    x = torch.ones(500, 500, device="cuda")

    def seconds(reads):
        torch.cuda.synchronize()
        start, busy = t4.host.now, t4.clocks[0].busy()
        for _ in range(10):
            y = (x @ x).sum()
            if reads:
                y.item()
        torch.cuda.synchronize()
        return t4.host.now - start, t4.clocks[0].busy() - busy

    product = 4e-6 + 2 * 500**3 / 8.1e12
    total = 4e-6 + 250_000 * 4 / 320e9 + 4 / 320e9
    apart, worked = seconds(reads=True)
    # each step: launch the product, run both, launched meanwhile; copy 4 bytes
    step = 10e-6 + product + total + 10e-6 + 4 / 12e9 + 4 / 10e9
    assert apart == pytest.approx(10 * step)
    assert worked == pytest.approx(10 * (product + total))
    together, worked = seconds(reads=False)
    assert together == pytest.approx(10e-6 + worked)


def test_copies_on_two_streams_run_beside_a_product(t4):
    host = torch.zeros(25_000_000).pin_memory()  # 100 MB
    a = torch.ones(2048, 2048, device="cuda")
    up, down = torch.cuda.Stream(), torch.cuda.Stream()
    there = torch.zeros(25_000_000, device="cuda")
    torch.cuda.synchronize()
    start = t4.host.now
    with torch.cuda.stream(up):
        host.to("cuda", non_blocking=True)
    with torch.cuda.stream(down):
        there.to("cpu", non_blocking=True)
    a @ a
    assert t4.host.now - start == pytest.approx(30e-6)
    assert not up.query() and not down.query()
    torch.cuda.synchronize()
    copy = 10e-6 + 100e6 / 12e9
    product = 4e-6 + 2 * 2048**3 / 8.1e12
    assert product < copy
    # the second copy was launched last of the two that count
    assert t4.host.now - start == pytest.approx(20e-6 + copy)
    assert up.query() and down.query()


def test_the_same_work_on_one_stream_runs_one_after_the_other(t4):
    host = torch.zeros(25_000_000).pin_memory()
    a = torch.ones(2048, 2048, device="cuda")
    torch.cuda.synchronize()
    start = t4.host.now
    host.to("cuda", non_blocking=True)
    a @ a
    torch.cuda.synchronize()
    copy, product = 10e-6 + 100e6 / 12e9, 4e-6 + 2 * 2048**3 / 8.1e12
    assert t4.host.now - start == pytest.approx(10e-6 + copy + product)


def test_pageable_copy_makes_the_host_wait(t4):
    x = torch.zeros(25_000_000)
    for non_blocking in (False, True):
        start = t4.host.now
        x.to("cuda", non_blocking=non_blocking)
        seconds = 10e-6 + 10e-6 + 100e6 / 12e9 + 100e6 / 10e9
        assert t4.host.now - start == pytest.approx(seconds)


def test_stream_that_waits_begins_when_the_other_is_done(t4):
    x = torch.ones(2**22, device="cuda")
    side, other = torch.cuda.Stream(), torch.cuda.Stream()
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        x.exp()
        done = side.record_event()
    host = torch.zeros(1000).pin_memory()
    other.wait_event(done)
    with torch.cuda.stream(other):
        host.to("cuda", non_blocking=True)
    kernel, copy = list(t4.clocks[0].jobs)[-2:]
    assert copy.begin == kernel.end and copy.given < kernel.end
    torch.cuda.current_stream().wait_stream(other)
    x.exp()
    assert t4.clocks[0].jobs[-1].begin == copy.end
    done.wait(side)  # by the event's own method
    side.synchronize()
    assert t4.host.now == kernel.end and done.query()


def test_memory_that_a_stream_freed_is_kept_for_that_stream(t4):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        x = torch.ones(200, device="cuda")
    del x
    gc.collect()
    y = torch.ones(200, device="cuda")
    found = {s["stream"]: s["active_size"] for s in torch.cuda.memory_snapshot()}
    assert found == {side.stream_id: 0, 0: 1024} and y.is_cuda
