"""Streams and events of GPUs."""

from __future__ import annotations

import threading

import pytest

import edutorch as torch


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
