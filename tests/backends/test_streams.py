"""Streams and events of any device, as PyTorch without a GPU has them."""

from __future__ import annotations

import pytest

import edutorch as torch


@pytest.fixture(autouse=True)
def _no_gpu(monkeypatch):
    monkeypatch.setattr("edutorch.backends.gpus.gpus", lambda: None)


def test_streams_of_the_cpu_are_one():
    stream = torch.Stream(priority=-1)
    told = "torch.Stream device_type=cpu, device_index=-1, stream_id=0"
    assert repr(stream) == told and stream == torch.Stream("cpu")
    assert hash(stream) == hash(torch.Stream())
    assert (stream.device_index, stream.device_type, stream.stream_id) == (-1, 0, 0)
    assert stream.query() and not stream.is_capturing()
    assert stream.synchronize() is None
    with stream as entered:
        assert entered is stream
    with pytest.raises(RuntimeError, match="Backend doesn't support"):
        _ = stream.native_handle


def test_events_of_the_cpu_cannot_be_recorded():
    event = torch.Event(enable_timing=True)
    assert repr(event) == (
        "torch.Event device_type=cpu, device_index=-1, event_flag=1, event_id=0"
    )
    assert event.query() and event.wait() is None and event.synchronize() is None
    stream = torch.Stream()
    stream.wait_event(event)
    for call in (event.record, stream.record_event, lambda: stream.wait_stream(stream)):
        with pytest.raises(RuntimeError, match="cpu backend doesn't support events."):
            call()
    with pytest.raises(NotImplementedError, match="ipc is not supported"):
        event.ipc_handle()
    with pytest.raises(NotImplementedError, match="ipc is not supported"):
        torch.Event.from_ipc_handle("cpu", b"")


def test_gpus_that_are_not_there_are_refused():
    with pytest.raises(RuntimeError, match="not linked with support for cuda"):
        torch.Stream("cuda")
    with pytest.raises(RuntimeError, match="Cannot access accelerator device"):
        torch.Event(1)
