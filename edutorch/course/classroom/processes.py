"""Finds and ends all processes that a program has started."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

__all__ = ["adopt_orphans", "descendants", "end"]

CHILD_SUBREAPER: Final = 36  # of prctl


def adopt_orphans() -> None:
    """Become the parent of orphaned descendants of this process (Linux)."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants(process: int) -> set[int]:
    """All descendants of a process; empty on other systems than Linux.

    Example:
        >>> os.getpid() in descendants(os.getppid()) or not Path("/proc").exists()
        True
    """
    children: dict[int, list[int]] = {}
    for child, parent in _parents():
        children.setdefault(parent, []).append(child)
    found: set[int] = set()
    waiting = [process]
    while waiting:
        new = [p for p in children.get(waiting.pop(), ()) if p not in found]
        found.update(new)
        waiting += new
    return found


def end(first: int, keep: set[int], seconds: float = 5.0) -> bool:
    """Kill a process, its descendants, and orphans that this process has adopted.

    Args:
        first: the process.
        keep: children that this process had before, which stay.
        seconds: how long to try, against programs that start themselves again.

    Returns:
        Whether all have ended.
    """
    stop = time.monotonic() + seconds
    while True:
        # An orphan is adopted a moment later, and then remains a zombie until it is
        # waited for: it has ended once it is no longer found.
        left = descendants(first) | (descendants(os.getpid()) - keep)
        left |= {first} if Path(f"/proc/{first}").exists() else set()
        if not left:
            return True
        if time.monotonic() > stop:
            return not any(_lives(process) for process in left)
        for process in left:
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)
        for process in left:
            with contextlib.suppress(OSError):
                os.waitpid(process, os.WNOHANG)
        time.sleep(0.02)


def _parents() -> Iterator[tuple[int, int]]:
    """Each process on this machine with its parent."""
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError):
            # The name is in parentheses, and may contain some itself.
            fields = entry.read_text(errors="replace").rpartition(")")[2].split()
            yield int(entry.parent.name), int(fields[1])


def _lives(process: int) -> bool:
    """Whether a process is running: a zombie is not."""
    try:
        text = Path(f"/proc/{process}/stat").read_text(errors="replace")
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] not in ("Z", "X")
