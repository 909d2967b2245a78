"""Arguments that are text, which programs may also pass as bytes."""

from __future__ import annotations

from typing import Any

__all__ = ["as_text"]


def as_text(value: Any) -> Any:
    """An argument that should be text: PyTorch's argument parser also takes bytes.

    Anything else is returned as it is.

    Example:
        >>> as_text(b"mean"), as_text("sum"), as_text(1)
        ('mean', 'sum', 1)
    """
    return value.decode() if isinstance(value, bytes) else value
