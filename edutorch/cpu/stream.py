"""Streams of the CPU, for device-independent programs; work runs immediately."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

__all__ = ["Event", "Stream", "StreamContext", "current_stream", "stream"]


class Stream:
    """A stream that is always empty, because the CPU runs every op immediately.

    Example:
        >>> Stream().wait_stream(Stream())
    """

    def __init__(self, priority: int = -1) -> None:
        pass

    def wait_stream(self, stream: Any) -> None:
        """Nothing to wait for."""

    def record_event(self) -> None:
        """Nothing to note."""

    def wait_event(self, event: Any) -> None:
        """Nothing to wait for."""


class Event:
    """A mark in a stream, which has always been passed.

    Example:
        >>> Event().query()
        True
    """

    def query(self) -> bool:
        """Whether all before the mark is done: yes."""
        return True

    def record(self, stream: Any = None) -> None:
        """Set the mark."""

    def synchronize(self) -> None:
        """Nothing to wait for."""

    def wait(self, stream: Any = None) -> None:
        """Nothing to wait for."""


_current = Stream()


def current_stream(device: Any = None) -> Stream:
    """The stream of the innermost `stream` block, or the usual one.

    Example:
        >>> current_stream() is current_stream()
        True
    """
    return _current


class StreamContext(AbstractContextManager[None]):
    """A block with another current stream; None leaves it as it is.

    Example:
        >>> own = Stream()
        >>> with StreamContext(own):
        ...     current_stream() is own
        True
    """

    def __init__(self, stream: Stream | None) -> None:
        self.stream = stream

    def __enter__(self) -> None:
        global _current
        self.before = _current
        _current = self.stream or _current

    def __exit__(self, *exception: object) -> None:
        global _current
        _current = self.before


def stream(stream: Stream | None) -> AbstractContextManager[None]:
    """A block with another current stream.

    Example:
        >>> with stream(None):
        ...     pass
    """
    return StreamContext(stream)
