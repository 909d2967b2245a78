"""Determines when the first step of a training run began."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .event_fields import KIND, MOD_TRAINING, MOD_WHAT
from .run_series import WINDOW

__all__ = ["FirstStep"]


class FirstStep:
    """Listens to calls of modules until the first step has ended.

    The step begins when a module is called in training mode, or else with its backward
    pass. A model that is tried long before the training is no part of it.

    Attributes:
        began: when it began; None if nothing was heard of it.
        stop_hearing: ends listening to modules; None if nobody listens.

    Example:
        >>> first = FirstStep()
        >>> first.stop_hearing = lambda: None
        >>> for now in (3.0, 20.0, 21.0):
        ...     first.hear(("root", 0, 0, 0, 0, 0, 2.5), now)
        >>> first.began
        20.0
    """

    def __init__(self) -> None:
        self.began: float | None = None
        self.stop_hearing: Callable[[], None] | None = None
        self._heard = 0.0

    def hear(self, record: tuple[Any, ...], now: float) -> None:
        """Handle a record before the first step has ended."""
        if self.stop_hearing is None or not _trains(record):
            return
        if self.began is None or now - self._heard > WINDOW:
            self.began = now
        self._heard = now

    def end(self) -> None:
        """Stop listening to modules: the beginning is known."""
        if self.stop_hearing is not None:
            self.stop_hearing()
            self.stop_hearing = None


def _trains(record: tuple[Any, ...]) -> bool:
    """Whether a record is a backward pass, or a call of a module in training mode."""
    if record[KIND] != "mod":
        return bool(record[KIND] == "root")
    return record[MOD_WHAT] == "enter" and bool(record[MOD_TRAINING])
