"""Streams and events of GPUs: `edutorch.Stream` and `Event` with a GPU's names."""

from __future__ import annotations

from typing import Any

from .. import backends, devices
from ..backends import gpus, streams
from .setup import _index, is_available

__all__ = [
    "Event", "ExternalStream", "Stream", "StreamContext", "current_stream",
    "default_stream", "get_stream_from_external", "set_stream", "stream",
]  # fmt: skip


def _gpu(device: Any) -> devices.device:
    """A GPU by any of its names, the current one by default.

    Raises:
        AssertionError: if there is no GPU.
    """
    gpu = devices.device("cuda", _index(device))
    backends.backend_of(gpu)
    return gpu


class Stream(streams.Stream):
    """A queue of work on a GPU.

    Raises:
        RuntimeError: if there is no GPU.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.Stream().query()
        True
    """

    def __new__(cls, device: Any = None, priority: int = 0, **kwargs: Any) -> Stream:
        if not is_available():
            raise RuntimeError("torch.cuda.Stream requires CUDA support")
        made: Stream = cls.made(_gpu(device), priority, kwargs.get("stream_id"))
        return made

    @property
    def cuda_stream(self) -> int:
        """The number of the stream, 0 of the default one."""
        return self.stream_id

    def record_event(self, event: Any = None) -> Any:
        """Put an event into the queue."""
        return super().record_event(Event() if event is None else event)

    def __repr__(self) -> str:
        return (
            f"<torch.cuda.Stream device={self.device} "
            f"cuda_stream={self.cuda_stream:#x}>"
        )


class ExternalStream(Stream):
    """A stream that another library made, by its number.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.ExternalStream(9).cuda_stream
        9
    """

    def __new__(
        cls, stream_ptr: int, device: Any = None, **kwargs: Any
    ) -> ExternalStream:
        made: ExternalStream = cls.made(_gpu(device), 0, stream_ptr)
        return made


def get_stream_from_external(data_ptr: int, device: Any = None) -> Stream:
    """The stream that another library made, by its number.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.get_stream_from_external(9)
        <torch.cuda.Stream device=cuda:0 cuda_stream=0x9>
    """
    return ExternalStream(data_ptr, device)


def default_stream(device: Any = None) -> Stream:
    """The stream on which work runs by default.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.default_stream() == torch.cuda.current_stream()
        True
    """
    found: Stream = _as_cuda(streams.default_stream(_gpu(device), Stream))
    return found


def current_stream(device: Any = None) -> Stream:
    """The current stream of this thread.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.current_stream().query()
        True
    """
    found: Stream = _as_cuda(streams.current_stream(_gpu(device), Stream))
    return found


def _as_cuda(stream: Any) -> Any:
    """The same stream with a GPU's names."""
    if isinstance(stream, Stream):
        return stream
    return Stream.made(stream.device, stream.priority, stream.stream_id)


def set_stream(stream: Stream | None) -> None:
    """Let this thread's work on the stream's GPU go there; None changes nothing.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.set_stream(torch.cuda.current_stream())
    """
    if stream is not None:
        streams.set_stream(stream)


class StreamContext:
    """A block in which another stream is current, and "cuda" means its GPU.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     own = torch.cuda.Stream()
        ...     with torch.cuda.stream(own):
        ...         torch.cuda.current_stream() is own
        True
    """

    def __init__(self, stream: Stream | None) -> None:
        self.stream = stream

    def __enter__(self) -> None:
        if self.stream is not None:
            self.device_before = devices.current_cuda()
            self.stream.__enter__()
            gpus.make_current(self.stream.device_index)

    def __exit__(self, *exception: object) -> None:
        if self.stream is not None:
            self.stream.__exit__()
            gpus.make_current(self.device_before)


def stream(stream: Stream | None) -> StreamContext:
    """A block in which another stream is current; None changes nothing.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(), torch.cuda.stream(None):
        ...     torch.cuda.current_stream() == torch.cuda.default_stream()
        True
    """
    return StreamContext(stream)


class Event(streams.Event):
    """A point in a queue, which can be waited for and timed.

    Raises:
        RuntimeError: if there is no GPU.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     a, b = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        ...     a.record(), b.record()
        ...     a.elapsed_time(b) >= 0
        (None, None)
        True
    """

    def __new__(
        cls,
        enable_timing: bool = False,
        blocking: bool = False,
        interprocess: bool = False,
        external: bool = False,
    ) -> Event:
        if not is_available():
            raise RuntimeError("Tried to instantiate dummy base class Event")
        made: Event = cls.made(_gpu(None), enable_timing, blocking)
        return made

    @property
    def cuda_event(self) -> int:
        """The number of the event, 0 before it is recorded."""
        return self.event_id

    def __repr__(self) -> str:
        if not self.cuda_event:
            return "<torch.cuda.Event uninitialized>"
        return f"<torch.cuda.Event {self.cuda_event:#x}>"
