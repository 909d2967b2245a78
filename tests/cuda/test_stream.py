"""Streams and events."""

from __future__ import annotations

import pytest

import edutorch as torch


def test_stream_block_restores():
    before = torch.cuda.current_stream()
    mine = torch.cuda.Stream()
    with torch.cuda.stream(mine):
        assert torch.cuda.current_stream() is mine
    assert torch.cuda.current_stream() is before is torch.cuda.default_stream()
    mine.wait_stream(before)
    mine.synchronize()
    assert mine.record_event().query()


def test_events_measure_time_when_they_may():
    first, second = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    first.record()
    second.record()
    assert first.elapsed_time(second) >= 0
    with pytest.raises(ValueError, match="enable_timing=True"):
        torch.cuda.Event().elapsed_time(second)
    with pytest.raises(ValueError, match="must be recorded"):
        torch.cuda.Event(enable_timing=True).elapsed_time(second)
