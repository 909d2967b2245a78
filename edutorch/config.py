"""Switches of the whole process, as context managers.

`kernels("plain")` makes every operation plain Python and NumPy, which is what one
wants under a debugger.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["kernels", "kernel_mode"]

_MODES: Final = ("auto", "plain", "fast")


class _Choice(threading.local):
    """The kernels of a thread: those of the whole process, but inside `kernels`."""

    kernels = os.environ.get("EDUTORCH_KERNELS", "auto")


_choice = _Choice()


def kernel_mode() -> str:
    """Which kernels this thread runs: "auto", "plain" or "fast", see `kernels`."""
    return _choice.kernels


@contextmanager
def kernels(mode: str) -> Iterator[None]:
    """Choose the kernels of this thread inside a `with` block.

    The environment variable EDUTORCH_KERNELS chooses them for the whole process.

    Args:
        mode: "auto" takes compiled kernels where Numba is installed and they are
            compiled already, never under a debugger; "plain" takes Python and NumPy
            only; "fast" takes compiled kernels and waits until they are compiled.

    Raises:
        ValueError: for another mode.

    Example:
        >>> import edutorch as torch
        >>> with torch.config.kernels("plain"):
        ...     torch.config.kernel_mode()
        'plain'
    """
    if mode not in _MODES:
        raise ValueError(f"kernels() expects one of {_MODES}, got {mode!r}")
    before = _choice.kernels
    try:
        _choice.kernels = mode
        yield
    finally:
        _choice.kernels = before
