"""Switches of the whole process, as context managers.

`kernels("plain")` makes every operation plain Python and NumPy, which is what one
wants under a debugger.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["kernels", "kernel_mode"]

_MODES: Final = ("auto", "plain")
_kernels = os.environ.get("EDUTORCH_KERNELS", "auto")


def kernel_mode() -> str:
    """Which kernels run: "auto" (the fastest there are) or "plain" (NumPy only)."""
    return _kernels


@contextmanager
def kernels(mode: str) -> Iterator[None]:
    """Choose the kernels inside a `with` block: "auto" or "plain".

    Raises:
        ValueError: for another mode.

    Example:
        >>> import edutorch as torch
        >>> with torch.config.kernels("plain"):
        ...     torch.config.kernel_mode()
        'plain'
    """
    global _kernels
    if mode not in _MODES:
        raise ValueError(f"kernels() expects one of {_MODES}, got {mode!r}")
    before, _kernels = _kernels, mode
    try:
        yield
    finally:
        _kernels = before
