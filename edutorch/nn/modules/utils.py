"""Sizes given once for all dimensions, or one for each."""

from __future__ import annotations

from typing import Any

__all__ = ["ntuple"]


def ntuple(value: Any, n: int) -> tuple[Any, ...]:
    """`value` repeated `n` times, unless it is a sequence already.

    Example:
        >>> from edutorch.nn.modules.utils import ntuple
        >>> ntuple(3, 2), ntuple((1, 2), 2)
        ((3, 3), (1, 2))
    """
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * n
