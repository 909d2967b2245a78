"""Streams and events: queues of GPU work, and points in them.

Work is given to a GPU in the order of the program, whatever the stream, and events
are moments of the host's clock at which the GPU had finished.
"""

from __future__ import annotations

import time
from typing import Any

from .setup import is_available, is_simulated, synchronize

__all__ = ["Event", "Stream", "current_stream", "default_stream", "stream"]


class Stream:
    """A queue of work on a GPU.

    Example:
        >>> import edutorch as torch
        >>> torch.cuda.Stream().query()
        True
    """

    def __init__(self, device: Any = None, priority: int = 0) -> None:
        self.device, self.priority = device, priority

    def synchronize(self) -> None:
        """Wait for the queue to be empty."""

    def query(self) -> bool:
        """Whether the queue is empty."""
        return True

    def wait_stream(self, stream: Stream) -> None:
        """Let later work wait for another queue."""

    def wait_event(self, event: Event) -> None:
        """Let later work wait for an event."""

    def record_event(self, event: Event | None = None) -> Event:
        """Put an event into the queue."""
        event = event or Event()
        event.record(self)
        return event


_default = Stream()
_current = _default


def default_stream(device: Any = None) -> Stream:
    """The queue that work goes to unless told otherwise.

    Example:
        >>> import edutorch as torch
        >>> torch.cuda.default_stream() is torch.cuda.current_stream()
        True
    """
    return _default


def current_stream(device: Any = None) -> Stream:
    """The queue that work goes to now.

    Example:
        >>> import edutorch as torch
        >>> torch.cuda.current_stream().query()
        True
    """
    return _current


class stream:  # noqa: N801 (PyTorch's name)
    """In this block work goes to another queue.

    Example:
        >>> import edutorch as torch
        >>> s = torch.cuda.Stream()
        >>> with torch.cuda.stream(s):
        ...     torch.cuda.current_stream() is s
        True
    """

    def __init__(self, stream: Stream | None) -> None:
        self.stream = stream

    def __enter__(self) -> None:
        global _current
        self.before, _current = _current, self.stream or _current

    def __exit__(self, *exception: object) -> None:
        global _current
        _current = self.before


class Event:
    """A point in a queue, which can be waited for and timed.

    Example:
        >>> import edutorch as torch
        >>> a, b = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        >>> a.record(), b.record()
        (None, None)
        >>> a.elapsed_time(b) >= 0
        True
    """

    def __init__(
        self,
        enable_timing: bool = False,
        blocking: bool = False,
        interprocess: bool = False,
    ) -> None:
        self.enable_timing = enable_timing
        self._moment: float | None = None

    def record(self, stream: Stream | None = None) -> None:
        """Mark this moment; a real GPU first finishes what it was given."""
        if is_available() and not is_simulated():
            synchronize()
        self._moment = time.perf_counter()

    def synchronize(self) -> None:
        """Wait until the point is reached."""

    def query(self) -> bool:
        """Whether the point was reached."""
        return True

    def wait(self, stream: Stream | None = None) -> None:
        """Let a queue wait for this point."""

    def elapsed_time(self, end_event: Event) -> float:
        """Milliseconds from this event to another.

        Raises:
            ValueError: if timing was not enabled, or one was not recorded.
        """
        if not (self.enable_timing and end_event.enable_timing):
            raise ValueError(
                "Both events must be created with argument 'enable_timing=True'."
            )
        if self._moment is None or end_event._moment is None:
            raise ValueError(
                "Both events must be recorded before calculating elapsed time."
            )
        return (end_event._moment - self._moment) * 1e3
