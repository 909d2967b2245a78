"""Streams and events: queues of a device's work, and points in them.

On simulated GPUs values are computed in the order of the program, and streams are
queues of simulated time (`device_clock.py`): work of different streams overlaps, and
the host continues. On real GPUs streams and events are CuPy's (`cupy_streams.py`). The
CPU has one stream and no events. Each thread has its own current stream on every
device.
"""

from __future__ import annotations

import itertools
import threading
import time
from typing import Any

from ..devices import CPU, current_cuda, to_device
from ..devices import device as Device
from . import cupy_streams, gpus, simulated

__all__ = ["Event", "Stream", "current_stream", "default_stream", "set_stream"]

NUMBERS = {"cpu": 0, "cuda": 1}  # PyTorch's numbers of kinds of devices
_sequence = itertools.count(1).__next__


def accelerator(device: Any) -> Device:
    """The device of a stream or event: by default a GPU, if there is one.

    Raises:
        RuntimeError: for a GPU on a machine without one.
    """
    found = gpus.gpus()
    if device is None:
        return CPU if found is None else Device("cuda", current_cuda())
    if found is None and isinstance(device, int):
        raise RuntimeError("Cannot access accelerator device when none is available.")
    named = to_device(device)
    if named.type == "cuda" and found is None:
        raise RuntimeError("PyTorch is not linked with support for cuda devices")
    return named


def clock_of(device: Device) -> Any:
    """The simulated time of a device; None of one that is not simulated."""
    found = gpus.gpus() if device.type == "cuda" else None
    return found.clock(device) if found is not None and found.simulated else None


class Stream:
    """A queue of work on a device; in its block it is the current one.

    Args:
        device: by default the current GPU, if there is one, else the CPU.
        priority: of a real GPU's stream; simulated ones have no priorities.

    Raises:
        RuntimeError: for a GPU on a machine without one.

    Example:
        >>> import edutorch as torch
        >>> torch.Stream("cpu")
        torch.Stream device_type=cpu, device_index=-1, stream_id=0
        >>> with torch.cuda.simulate(), torch.Stream() as side:
        ...     torch.accelerator.current_stream() == side
        True
    """

    device: Device
    stream_id: int
    priority: int

    def __new__(cls, device: Any = None, *, priority: int = 0) -> Stream:
        made: Stream = cls.made(accelerator(device), priority)
        return made

    @classmethod
    def made(cls, device: Device, priority: int = 0, number: int | None = None) -> Any:
        """A stream of a device: the default one is number 0, the CPU has no other."""
        stream = object.__new__(cupy_streams.class_on(cls, device, "stream"))
        given = number
        if number is None:
            number = 0 if device is CPU else _sequence()
        stream.device, stream.priority, stream.stream_id = device, priority, number
        return cupy_streams.with_native(stream, given)

    @property
    def device_index(self) -> int:
        """The number of the device, -1 for the CPU."""
        return -1 if self.device.index is None else self.device.index

    @property
    def device_type(self) -> int:
        """PyTorch's number of the kind of device: 0 is the CPU, 1 a GPU."""
        return NUMBERS[self.device.type]

    @property
    def native_handle(self) -> int:
        """The device library's handle, which does not exist.

        Raises:
            RuntimeError: always.
        """
        raise RuntimeError("Backend doesn't support getting stream native handle.")

    def query(self) -> bool:
        """Whether the queue is empty."""
        clock = clock_of(self.device)
        return clock is None or clock.host.reached(clock.ready(self.stream_id))

    def is_capturing(self) -> bool:
        """Whether work is being captured: always False."""
        return False

    def synchronize(self) -> None:
        """Wait for the queue to be empty."""
        clock = clock_of(self.device)
        if clock is None:
            finish(self.device)
        else:
            clock.host.wait_until(clock.ready(self.stream_id))

    def wait_event(self, event: Any) -> None:
        """Make later work wait for an event."""
        event.wait(self)

    def wait_stream(self, stream: Any) -> None:
        """Make later work wait for another stream.

        Raises:
            RuntimeError: on the CPU, which has no events.
        """
        self.wait_event(stream.record_event())

    def record_event(self, event: Any = None) -> Any:
        """Put an event into the queue.

        Raises:
            RuntimeError: on the CPU, which has no events.
        """
        event = Event(self.device) if event is None else event
        event.record(self)
        return event

    def __enter__(self) -> Stream:
        _mine.outer = (*_mine.outer, current_stream(self.device))
        set_stream(self)
        return self

    def __exit__(self, *exception: object) -> None:
        *rest, before = _mine.outer
        _mine.outer = tuple(rest)
        set_stream(before)

    def _identity(self) -> tuple[Any, ...]:
        return self.device, self.stream_id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def __repr__(self) -> str:
        return (
            f"torch.Stream device_type={self.device.type}, "
            f"device_index={self.device_index}, stream_id={self.stream_id}"
        )


class Event:
    """A point in a queue, which can be waited for and timed.

    Args:
        device: by default the current GPU, if there is one, else the CPU.
        enable_timing: whether `elapsed_time` may be called.
        blocking: whether the host sleeps while it waits for a real GPU.
        interprocess: accepted; events stay in their process.

    Raises:
        RuntimeError: for a GPU on a machine without one.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     first = torch.Event(enable_timing=True)
        ...     last = torch.Event(enable_timing=True)
        ...     first.record(), last.record()
        ...     first.elapsed_time(last) >= 0
        (None, None)
        True
    """

    device: Device
    event_id: int
    enable_timing: bool
    moment: float | None

    def __new__(
        cls,
        device: Any = None,
        *,
        enable_timing: bool = False,
        blocking: bool = False,
        interprocess: bool = False,
    ) -> Event:
        made: Event = cls.made(accelerator(device), enable_timing, blocking)
        return made

    @classmethod
    def made(cls, device: Device, enable_timing: bool, blocking: bool = False) -> Any:
        """An event of a device that has not been recorded."""
        event = object.__new__(cupy_streams.class_on(cls, device, "event"))
        event.device, event.enable_timing = device, bool(enable_timing)
        event.event_id, event.moment = 0, None
        return cupy_streams.with_native(event, blocking)

    def record(self, stream: Any = None) -> None:
        """Mark this moment in a stream, by default the current one.

        Raises:
            RuntimeError: on the CPU, which has no events.
        """
        if self.device.type == "cpu":
            raise RuntimeError("cpu backend doesn't support events.")
        stream = current_stream(self.device) if stream is None else stream
        clock = clock_of(stream.device)
        if clock is None:
            finish(self.device)
            self.moment = time.perf_counter()
        else:
            self.moment = clock.reached(stream.stream_id)
        self.event_id = self.event_id or _sequence()

    def synchronize(self) -> None:
        """Wait for the event to complete."""
        clock = clock_of(self.device)
        if clock is not None and self.moment is not None:
            clock.host.wait_until(self.moment)

    def query(self) -> bool:
        """Whether the event has completed."""
        clock = clock_of(self.device)
        if clock is None or self.moment is None:
            return True
        return bool(clock.host.reached(self.moment))

    def wait(self, stream: Any = None) -> None:
        """Make later work in a stream wait for this event."""
        clock = clock_of(self.device if stream is None else stream.device)
        if clock is not None and self.moment is not None:
            stream = current_stream(self.device) if stream is None else stream
            clock.hold(stream.stream_id, self.moment)

    def elapsed_time(self, end_event: Any) -> float:
        """Milliseconds from this event to another.

        Raises:
            ValueError: if timing was not enabled, or one was not recorded.
            RuntimeError: if one has not completed.
        """
        start: Any = self.moment
        end: Any = end_event.moment
        cupy_streams.check_timed(self, end_event, start, end)
        clock = clock_of(self.device)
        if clock is not None and max(start, end) > clock.host.now:
            raise RuntimeError(
                "CUDA error: device not ready\n  the simulated GPU has not come to the "
                "event yet. Hint: wait for it with event.synchronize() or "
                "torch.cuda.synchronize()"
            )
        return float((end - start) * 1e3)

    def ipc_handle(self) -> Any:
        """A handle for other processes: not supported.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(
            "torch.Event ipc is not supported yet, please open an issue if you need "
            "this!"
        )

    @classmethod
    def from_ipc_handle(cls, device: Any, ipc_handle: bytes) -> Any:
        """An event from another process: not supported.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(
            "torch.Event ipc is not supported yet, please open an issue if you need "
            "this!"
        )

    def __repr__(self) -> str:
        index = -1 if self.device.index is None else self.device.index
        return (
            f"torch.Event device_type={self.device.type}, device_index={index}, "
            f"event_flag={int(self.enable_timing)}, event_id={self.event_id}"
        )


class _PerThread(threading.local):
    def __init__(self) -> None:
        self.streams: dict[tuple[Device, Any], Any] = {}
        self.outer: tuple[Any, ...] = ()  # the previous ones, for nested blocks


_mine = _PerThread()
_defaults: dict[tuple[Device, Any], Any] = {}


def _place(device: Device) -> tuple[Device, Any]:
    """A device, and the real GPUs that serve it: a simulation's streams end with it."""
    return device, cupy_streams.real_gpu(device)


def default_stream(device: Device, kind: type[Stream] = Stream) -> Any:
    """The stream on which a device runs work by default."""
    place = _place(device)
    if place not in _defaults:
        _defaults[place] = kind.made(device, number=0)
    return _defaults[place]


def current_stream(device: Device, kind: type[Stream] = Stream) -> Any:
    """The current stream of this thread on a device."""
    return _mine.streams.get(_place(device)) or default_stream(device, kind)


def set_stream(stream: Any) -> None:
    """Make a stream the current one of this thread on its device."""
    _mine.streams[_place(stream.device)] = stream
    cupy_streams.make_current(stream)


def _stream_number(device: Device) -> int:
    """The number of this thread's current stream on a device."""
    current = _mine.streams.get(_place(device))
    return 0 if current is None else int(current.stream_id)


simulated.stream_number = _stream_number


def finish(device: Device) -> None:
    """Wait until a real GPU has finished its work; others always have."""
    found = gpus.gpus()
    if device.type == "cuda" and found is not None and not found.simulated:
        with found.xp.cuda.Device(device.index):
            found.xp.cuda.get_current_stream().synchronize()
