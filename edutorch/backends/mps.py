"""Apple's GPUs, which edutorch does not support."""

from __future__ import annotations

__all__ = ["is_available", "is_built", "is_macos_or_newer"]


def is_available() -> bool:
    """Whether there is such a GPU: always False.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.mps.is_available()
        False
    """
    return False


def is_built() -> bool:
    """Whether code for such GPUs is included: always False.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.mps.is_built()
        False
    """
    return False


def is_macos_or_newer(major: int, minor: int) -> bool:
    """Whether macOS is of this version or newer, with such GPUs: always False.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.mps.is_macos_or_newer(13, 0)
        False
    """
    return False
