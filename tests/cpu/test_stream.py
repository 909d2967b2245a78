"""Streams of the CPU have no effect."""

import edutorch as torch


def test_streams_are_current_inside_their_blocks():
    usual, own = torch.cpu.current_stream(), torch.cpu.Stream()
    with torch.cpu.stream(own):
        assert torch.cpu.current_stream() is own
        with torch.cpu.stream(None):
            assert torch.cpu.current_stream() is own
    assert torch.cpu.current_stream() is usual


def test_streams_and_events_have_nothing_to_wait_for():
    stream, event = torch.cpu.Stream(), torch.cpu.Event()
    event.record(stream)
    event.synchronize()
    assert event.query()
    assert event.wait() is None
    waits = stream.wait_stream(stream), stream.wait_event(event), stream.record_event()
    assert waits == (None,) * 3
