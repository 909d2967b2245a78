"""The base class of all recorders: a name, a level, `open` and `close`."""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable
from types import TracebackType
from typing import Any, ClassVar, Protocol, Self

from .. import events
from ..interrupts import finish, uninterrupted

__all__ = ["NullRecorder", "Recorder"]


class Collector(Protocol):
    """The listener of a recorder; it must not refer to the recorder."""

    def handle(self, record: tuple[Any, ...]) -> None:
        """Handle one record, on the thread where it happened."""


class _Guard:
    """Closes a subscription whose handler fails, without referring to the recorder.

    Attributes:
        error: the exception with which the handler failed.
        meant: types of exceptions that it raises deliberately in the watched program.
    """

    def __init__(self, meant: tuple[type[Exception], ...]) -> None:
        self.error: Exception | None = None
        self.meant = meant
        self.close: Callable[[], None] | None = None

    def __call__(self, error: Exception) -> bool:
        if isinstance(error, self.meant):
            return False
        self.error = error.with_traceback(None)  # its frames would hold tensors
        if self.close is not None:
            self.close()
        return True


class Recorder:
    """Listens to events from `open()` to `close()` and has a unique name.

    Opening a second recorder with the same name replaces the first one, so a
    cell that is run again never listens twice. A recorder without references stops
    listening, because the stream refers only to its collector.

    Args:
        name: the key of the subscription.
        collector: receives the records.
        level: 1 for the graph, times and allocations; 2 also for sampled statistics; 3
            also for exact ranges of all values.

    A recorder that fails stops listening, and the watched program continues; `error`
    says why, and so does a warning when the recorder is closed.

    Subclasses name in `kinds` the records they need; None means all. What they raise
    on purpose is named in `meant`; those whose handlers cannot fail are not `guarded`.
    A recorder sets `can_skip_steps` to False if it needs every step, or is cheap.

    Attributes:
        subscription: its place in the stream; None before it opens.

    Example:
        >>> import edutorch as torch
        >>> recorder = torch.inspect.GradientRecorder(torch.nn.Linear(1, 1))
        >>> recorder.is_open, recorder.open().is_open
        (False, True)
        >>> recorder.close()
        >>> recorder.is_open
        False
    """

    kinds: tuple[str, ...] | None = None
    meant: ClassVar[tuple[type[Exception], ...]] = ()
    guarded: ClassVar[bool] = True
    can_skip_steps: bool = True

    def __init__(self, name: str, collector: Collector, level: int = 1) -> None:
        self.name = name
        self.level = level
        self._collector = collector
        self._end: weakref.finalize[..., Any] | None = None
        self._guard = _Guard(self.meant)
        self.subscription: events.Subscription | None = None

    @property
    def error(self) -> Exception | None:
        """The error that stopped the recorder; None if there was none."""
        return self._guard.error

    def take_error(self) -> Exception | None:
        """Like `error`, but returns it only once, so that it is reported once."""
        error, self._guard.error = self._guard.error, None
        return error

    @property
    def is_open(self) -> bool:
        """Whether the recorder is receiving records."""
        return self._end is not None and self._end.alive

    def open(self) -> Self:
        """Start listening; opening twice has no effect."""
        if not self.is_open:
            handle, kinds = self._collector.handle, self.kinds
            other = getattr(self._collector, "handle_other", None)
            with uninterrupted():
                guard = self._guard if self.guarded else None
                listen = events.listen(
                    self.name, handle, self.level, kinds, other, guard
                )
                self.subscription = listen
                self._started(listen)
                self._end = self._guard.close = weakref.finalize(self, listen.close)
        return self

    def close(self) -> None:
        """Stop listening; the recorded data remain. Closing twice has no effect."""
        if self._end is not None:
            self._end()
        error = self.take_error()
        if error is not None:
            words = f"{self.name} stopped: {type(error).__name__}: {error}"
            warnings.warn(words, RuntimeWarning, stacklevel=2)

    def _started(self, subscription: events.Subscription) -> None:
        """Called with the subscription once records may arrive."""

    def __enter__(self) -> Self:
        try:
            return self.open()
        except BaseException:  # no `with` block will close it
            self.close()
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        finish(self.close)


class NullRecorder(Recorder):
    """A recorder that records nothing, for views of data that were recorded earlier."""

    def __init__(self) -> None:
        super().__init__("", self)

    def open(self) -> Self:
        """Do nothing."""
        return self

    def handle(self, record: tuple[Any, ...]) -> None:
        """Never called."""
