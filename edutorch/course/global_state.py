"""Checks that an answer does not change the library's modes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Self

from ..autograd.modes import (
    is_anomaly_enabled,
    is_grad_enabled,
    set_anomaly_enabled,
    set_grad,
)
from ..dtypes import get_default_dtype, set_default_dtype

__all__ = ["Change", "GlobalState"]

_MODES: Final[dict[str, tuple[Callable[[], Any], Callable[[Any], Any], str]]] = {
    "whether gradients are recorded": (
        is_grad_enabled,
        set_grad,
        (
            "set_grad_enabled(...) stays in force after the call: "
            "with torch.no_grad(): ends with its block"
        ),
    ),
    "the default dtype": (
        get_default_dtype,
        set_default_dtype,
        (
            "set_default_dtype(...) stays in force after the call: give dtype=... "
            "where a tensor is made"
        ),
    ),
    "anomaly detection": (
        is_anomaly_enabled,
        set_anomaly_enabled,
        "with torch.autograd.detect_anomaly(): ends with its block",
    ),
}


@dataclass(frozen=True)
class Change:
    """A changed mode and the likely mistake."""

    words: str
    after: Any
    before: Any
    mistake: str


class GlobalState:
    """Restores the modes of the library after its block, and reports changes.

    Attributes:
        changed: the modes that the block changed.

    Example:
        >>> import edutorch as torch
        >>> with GlobalState() as state:
        ...     _ = torch.set_grad_enabled(False)
        >>> state.changed[0].words, torch.is_grad_enabled()
        ('whether gradients are recorded', True)
    """

    def __init__(self) -> None:
        self.changed: list[Change] = []

    def __enter__(self) -> Self:
        self._before = {words: read() for words, (read, *_) in _MODES.items()}
        return self

    def __exit__(self, *error: object) -> None:
        for words, (read, write, mistake) in _MODES.items():
            now, before = read(), self._before[words]
            if now != before:
                self.changed.append(Change(words, now, before, mistake))
                write(before)
