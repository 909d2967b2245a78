"""The classes of named results, such as that of `max`: `torch.return_types`."""

from __future__ import annotations

from typing import Any

from .ops.return_types import RETURN_TYPES

__all__: list[str] = []


def __getattr__(name: str) -> Any:
    """The class of the results of an operation."""
    if name in RETURN_TYPES:
        return RETURN_TYPES[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """The operations that give such results."""
    return sorted(RETURN_TYPES)
