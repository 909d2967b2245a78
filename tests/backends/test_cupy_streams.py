"""Streams and events of real GPUs, with a substitute for CuPy."""

from __future__ import annotations

import contextlib
import types

import pytest

import edutorch as torch
from edutorch.backends import gpus


class Stream:
    """A queue that is always empty."""

    done = True

    def __init__(self, non_blocking=False, priority=0, ptr=64):
        self.ptr, self.waits, self.used = ptr, [], 0

    def use(self):
        self.used += 1

    def synchronize(self):
        pass

    def is_capturing(self):
        return False

    def wait_event(self, event):
        self.waits.append(event)


class Event:
    """A point in a queue."""

    done, ptr = True, 96

    def __init__(self, block, disable_timing):
        self.stream = None

    def record(self, stream):
        self.stream = stream

    def synchronize(self):
        pass


Stream.null = Stream(ptr=0)
CUDA = types.SimpleNamespace(
    Stream=Stream, ExternalStream=lambda ptr: Stream(ptr=ptr), Event=Event,
    get_current_stream=lambda: Stream.null, get_elapsed_time=lambda a, b: 2.5,
)  # fmt: skip


class Gpus:
    """The backend of one real GPU."""

    xp, simulated, allocators = types.SimpleNamespace(cuda=CUDA), False, (None,)

    def allocator(self, where):
        return None

    def on(self, where):
        return contextlib.nullcontext()


@pytest.fixture(autouse=True)
def real_gpu():
    before = gpus.use(Gpus())
    yield
    gpus.restore(before)


def test_stream_is_cupys_and_is_used_in_its_block():
    side = torch.cuda.Stream()
    assert side.cuda_stream == side.native_handle == 64
    with torch.cuda.stream(side):
        assert side.native.used == 1
        assert torch.cuda.current_stream() is side
    assert side.query() and not side.is_capturing()
    side.synchronize()


def test_stream_waits_for_what_another_one_was_given():
    first, second = torch.cuda.Stream(), torch.cuda.Stream()
    second.wait_stream(first)
    (event,) = second.native.waits
    assert event.stream is first.native


def test_event_is_recorded_waited_for_and_timed():
    a, b = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    with pytest.raises(ValueError, match="must be recorded before"):
        a.elapsed_time(b)
    a.record()
    b.record(torch.cuda.Stream())
    assert a.query()
    a.synchronize()
    assert a.elapsed_time(b) == 2.5
    assert a.native.stream is Stream.null
    with pytest.raises(ValueError, match="enable_timing=True"):
        a.elapsed_time(torch.cuda.Event())


def test_simulated_gpus_have_streams_of_their_own():
    with torch.cuda.simulate():
        assert not hasattr(torch.cuda.Stream(), "native")
