"""Switches of the whole process, as context managers.

`kernels("plain")` makes every operation plain Python and NumPy, which is what one
wants under a debugger.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

__all__ = ["kernels", "kernel_mode", "plain", "under_debugger"]

_MODES: Final = ("auto", "plain", "fast")
_MONITORING: Any = getattr(sys, "monitoring", None)  # from Python 3.12 on


class _Choice(threading.local):
    """The kernels of a thread: those of the whole process, but inside `kernels`."""

    kernels = os.environ.get("EDUTORCH_KERNELS", "auto")


_choice = _Choice()


def kernel_mode() -> str:
    """Which kernels this thread runs: "auto", "plain" or "fast", see `kernels`."""
    return _choice.kernels


def plain() -> bool:
    """Whether operations of this thread run the formulas of their docstrings.

    So it is inside `kernels("plain")`, where the environment variable EDUTORCH_KERNELS
    is "plain", and under a debugger unless "fast" was asked for.

    Example:
        >>> import edutorch as torch
        >>> with torch.config.kernels("plain"):
        ...     torch.config.plain()
        True
    """
    mode = _choice.kernels
    return mode == "plain" or (mode == "auto" and under_debugger())


def under_debugger() -> bool:
    """Whether somebody steps through this thread, and wants to see plain Python.

    Example:
        >>> under_debugger() == (sys.gettrace() is not None)
        True
    """
    if sys.gettrace() is not None:
        return True
    if _MONITORING is None:
        return False
    return _MONITORING.get_tool(_MONITORING.DEBUGGER_ID) is not None


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
