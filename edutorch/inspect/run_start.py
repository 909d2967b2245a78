"""Determines when the first step of a training run began."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from .event_fields import DURATION, KIND, MOD_TRAINING, MOD_WHAT, OP_NODE
from .run_series import WINDOW

__all__ = ["FirstStep"]

MODULES: Final = ("mod",)
OPS: Final = 1000  # that compute no gradient, after which they are no longer heard


class FirstStep:
    """Listens to modules and operations until the first step has ended.

    The step begins when a module is called in training mode; without modules, with the
    first operation that has a gradient, or else with the backward pass. A model that is
    tried long before the training, or in an earlier cell, is no part of it.

    Operations are costly to hear: it listens to them only until one shows how the
    program computes, and to `OPS` at most.

    Attributes:
        began: when it began; None if nothing was heard of it.
        listen: called with the kinds of records to hear from now on, besides those of
            the recorder; None if nobody listens.

    Example:
        >>> first = FirstStep()
        >>> first.start(lambda kinds: None)
        >>> for now in (3.0, 20.0, 21.0):
        ...     first.hear(("root", 0, 0, 0, 0, 0, 2.5), now)
        >>> first.began
        20.0
    """

    def __init__(self) -> None:
        self.began: float | None = None
        self.listen: Callable[[tuple[str, ...]], None] | None = None
        self._heard = 0.0
        self._ops = 0  # still to hear

    def start(self, listen: Callable[[tuple[str, ...]], None]) -> None:
        """Begin to listen."""
        self.listen, self._ops = listen, OPS
        listen((*MODULES, "op"))

    def hear(self, record: tuple[Any, ...], now: float) -> None:
        """Handle a record before the first step has ended."""
        if self.listen is None:
            return
        if record[KIND] == "op":
            now -= record[DURATION] / 1e9
            self._ops -= 1
        if self._ops > 0 and _tells_how(record):
            self._ops = 0
        if self._ops == 0:
            self._ops = -1
            self.listen(MODULES)
        if _trains(record):
            if self.began is None or now - self._heard > WINDOW:
                self.began = now
            self._heard = now

    def forget(self) -> None:
        """Forget what a notebook cell computed before the training."""
        self.began = None

    def end(self) -> None:
        """Stop listening: the beginning is known."""
        listen, self.listen = self.listen, None
        if listen is not None:
            listen(())


def _tells_how(record: tuple[Any, ...]) -> bool:
    """Whether the program calls modules, or computes gradients without them."""
    return bool(record[KIND] == "mod" or (record[KIND] == "op" and record[OP_NODE]))


def _trains(record: tuple[Any, ...]) -> bool:
    """Whether a record is a part of a training step."""
    if record[KIND] == "mod":
        return record[MOD_WHAT] == "enter" and bool(record[MOD_TRAINING])
    return bool(record[KIND] == "root" or (record[KIND] == "op" and record[OP_NODE]))
