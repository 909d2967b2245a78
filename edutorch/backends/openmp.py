"""OpenMP, which runs loops in threads; here Python's threads do."""

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
