"""OpenMP, which is not used: loops run in Python's threads."""

from __future__ import annotations

__all__ = ["is_available"]


def is_available() -> bool:
    """Whether it is used: never.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.openmp.is_available()
        False
    """
    return False
