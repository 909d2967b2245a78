"""The base of all recorders: a name, a level, `open` and `close`."""

from __future__ import annotations

import weakref
from types import TracebackType
from typing import Any, ClassVar, Protocol, Self

from .. import events
from ..interrupts import finish, uninterrupted

__all__ = ["Recorder"]


class Collector(Protocol):
    """What listens in a recorder's name; it must not refer to the recorder."""

    def handle(self, record: tuple[Any, ...]) -> None:
        """Take one record, on the thread where it happened."""


class Recorder:
    """Listens to events from `open()` to `close()`, under a name of its own.

    Opening a second recorder with the same name replaces the first one, so a
    cell that is run again never listens twice. A recorder that is forgotten
    stops listening, because only its collector is known to the stream.

    Args:
        name: the key of the subscription.
        collector: receives the records.
        level: 1 graph, time and allocations; 2 and sampled statistics; 3 and exact
            ranges of all values.

    Subclasses name in `kinds` the records they need; None means all.

    Example:
        >>> import edutorch as torch
        >>> recorder = torch.inspect.GradientRecorder(torch.nn.Linear(1, 1))
        >>> recorder.is_open, recorder.open().is_open
        (False, True)
        >>> recorder.close()
        >>> recorder.is_open
        False
    """

    kinds: ClassVar[tuple[str, ...] | None] = None

    def __init__(self, name: str, collector: Collector, level: int = 1) -> None:
        self.name = name
        self.level = level
        self._collector = collector
        self._end: weakref.finalize | None = None

    @property
    def is_open(self) -> bool:
        """Whether records still arrive."""
        return self._end is not None and self._end.alive

    def open(self) -> Self:
        """Start listening; opening twice changes nothing."""
        if not self.is_open:
            handle, kinds = self._collector.handle, self.kinds
            rest = getattr(self._collector, "handle_rest", None)
            with uninterrupted():
                listen = events.listen(self.name, handle, self.level, kinds, rest)
                self._started(listen)
                self._end = weakref.finalize(self, listen.close)
        return self

    def close(self) -> None:
        """Stop listening; what was recorded stays. Closing twice is fine."""
        if self._end is not None:
            self._end()

    def _started(self, subscription: events.Subscription) -> None:
        """Called with the subscription once records may arrive."""

    def __enter__(self) -> Self:
        try:
            return self.open()
        except BaseException:  # the block, which would close it, does not begin
            self.close()
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        finish(self.close)
