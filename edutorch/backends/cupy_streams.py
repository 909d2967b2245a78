"""Streams and events of real GPUs, on top of CuPy's.

`streams.py` has the classes. On a real GPU, objects are instances of subclasses made
here, whose attribute `native` is CuPy's stream or event.
"""

from __future__ import annotations

import functools
from typing import Any

from . import gpus

__all__ = ["check_timed", "class_on", "make_current", "real_gpu", "with_native"]


def real_gpu(device: Any) -> Any:
    """The backend of a real GPU, None for every other device."""
    if device.type != "cuda":
        return None
    found = gpus.gpus()
    return None if found is None or found.simulated else found


def class_on(cls: Any, device: Any, mixin: str) -> Any:
    """The class of a stream or event on a device: on a real GPU, a subclass."""
    return cls if real_gpu(device) is None else _subclass(cls, _MIXINS[mixin])


@functools.cache
def _subclass(cls: Any, mixin: Any) -> Any:
    if issubclass(cls, mixin):
        return cls
    names = {"__doc__": cls.__doc__, "__module__": cls.__module__}
    return type(cls.__name__, (mixin, cls), names)


def check_timed(start: Any, end: Any, *recorded: Any) -> None:
    """Check that the time between two events can be measured.

    Args:
        recorded: what each event has recorded, or None.

    Raises:
        ValueError: if timing was not enabled, or one was not recorded.
    """
    if not (start.enable_timing and end.enable_timing):
        raise ValueError(
            "Both events must be created with argument 'enable_timing=True'."
        )
    if None in recorded:
        raise ValueError(
            "Both events must be recorded before calculating elapsed time."
        )


def with_native(made: Any, *settings: Any) -> Any:
    """A new stream or event, with the corresponding one of CuPy."""
    found = real_gpu(made.device)
    if found is not None:
        with found.on(made.device):
            made.open(found.xp.cuda, *settings)
    return made


def make_current(stream: Any) -> None:
    """Queue CuPy's work of this thread in a stream of a real GPU."""
    found = real_gpu(stream.device)
    if found is not None and hasattr(stream, "native"):  # else of a simulated one
        with found.on(stream.device):
            stream.native.use()


class RealStream:
    """The methods of a stream on a real GPU."""

    native: Any

    def open(self: Any, cuda: Any, number: int | None) -> None:
        """Make CuPy's stream; a number is the address of an existing one."""
        if number is None:
            self.native = cuda.Stream(non_blocking=True, priority=self.priority)
            self.stream_id = int(self.native.ptr)
        elif number == 0:
            self.native = cuda.Stream.null
        else:
            self.native = cuda.ExternalStream(number)

    @property
    def native_handle(self) -> int:
        """The address of CUDA's stream."""
        return int(self.native.ptr)

    def query(self) -> bool:
        """Whether the queue is empty."""
        return bool(self.native.done)

    def is_capturing(self) -> bool:
        """Whether work is being captured."""
        return bool(self.native.is_capturing())

    def synchronize(self) -> None:
        """Wait for the queue to be empty."""
        self.native.synchronize()

    def wait_event(self, event: Any) -> None:
        """Make later work wait for an event."""
        if event.native is not None:
            self.native.wait_event(event.native)

    def wait_stream(self, stream: Any) -> None:
        """Make later work wait for the work queued in another stream."""
        self.wait_event(stream.record_event())


class RealEvent:
    """The methods of an event on a real GPU."""

    native: Any = None

    def open(self: Any, cuda: Any, blocking: bool) -> None:
        """Prepare CuPy's event, which is made when first recorded, as in PyTorch."""
        self.make = functools.partial(
            cuda.Event, block=blocking, disable_timing=not self.enable_timing
        )
        self.current = cuda.get_current_stream
        self.elapsed = cuda.get_elapsed_time

    def record(self: Any, stream: Any = None) -> None:
        """Record the event in a stream, by default the current one."""
        with real_gpu(self.device).on(self.device):
            if self.native is None:
                self.native = self.make()
                self.event_id = int(self.native.ptr)
            self.native.record(self.current() if stream is None else stream.native)

    def synchronize(self) -> None:
        """Wait for the event to complete."""
        if self.native is not None:
            self.native.synchronize()

    def query(self) -> bool:
        """Whether the event has completed."""
        return self.native is None or bool(self.native.done)

    def wait(self: Any, stream: Any = None) -> None:
        """Make a stream wait for this event, by default the current one."""
        if self.native is not None:
            waiting = self.current() if stream is None else stream.native
            waiting.wait_event(self.native)

    def elapsed_time(self: Any, end_event: Any) -> float:
        """Milliseconds from this event to another.

        Raises:
            ValueError: if timing was not enabled, or one was not recorded.
            RuntimeError: if one has not completed.
        """
        check_timed(self, end_event, self.native, end_event.native)
        if not (self.query() and end_event.query()):
            raise RuntimeError(
                "Both events must be completed before calculating elapsed time."
            )
        return float(self.elapsed(self.native, end_event.native))


_MIXINS = {"stream": RealStream, "event": RealEvent}
