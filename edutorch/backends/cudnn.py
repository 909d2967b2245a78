"""Settings of cuDNN: stored for programs that set them, without effect."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["flags", "is_available", "version"]

enabled = True
benchmark = False
benchmark_limit = 10
deterministic = False
allow_tf32 = True


def is_available() -> bool:
    """Whether cuDNN is used: always False.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.cudnn.is_available()
        False
    """
    return False


def version() -> None:
    """The version of cuDNN: always None.

    Example:
        >>> import edutorch as torch
        >>> print(torch.backends.cudnn.version())
        None
    """
    return


@contextmanager
def flags(
    enabled: bool = False,
    benchmark: bool = False,
    benchmark_limit: int = 10,
    deterministic: bool = False,
    allow_tf32: bool = True,
) -> Iterator[None]:
    """Set the switches for a `with` block.

    Example:
        >>> import edutorch as torch
        >>> with torch.backends.cudnn.flags(deterministic=True):
        ...     torch.backends.cudnn.deterministic
        True
    """
    settings = {
        "enabled": enabled,
        "benchmark": benchmark,
        "benchmark_limit": benchmark_limit,
        "deterministic": deterministic,
        "allow_tf32": allow_tf32,
    }
    before = {name: globals()[name] for name in settings}
    globals().update(settings)
    try:
        yield
    finally:
        globals().update(before)
