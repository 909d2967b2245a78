"""The processor that a thread runs on, and how it leaves one that others use.

Note [Two threads on one processor]
Linux wakes a thread on the processor where it ran last, or on the one that wakes it.
If most processors were busy a moment ago, it does not look for an idle one. So a thread
of the pool may wake up on the processor of its caller, and takes turns with it although
another one is idle; and so it does at the next wake-up. On two processors, work in two
threads then takes longer than in one. A thread that finds itself on a processor in use
moves to another one.
"""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from typing import Any

__all__ = ["current_processor", "move_off"]

UNKNOWN = -1  # where the system does not report it


def _find() -> Any:
    """The C library's function, which is called without releasing the GIL."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    return getattr(ctypes.PyDLL(None), "sched_getcpu", None)


_sched_getcpu = _find()


def current_processor() -> int:
    """The number of the processor that runs this thread, or -1.

    Example:
        >>> current_processor() >= -1
        True
    """
    return UNKNOWN if _sched_getcpu is None else _sched_getcpu()


def move_off(used: set[int]) -> None:
    """Move this thread to a processor that is not in `used`, and add it to `used`.

    See Note [Two threads on one processor]. Afterwards the thread may run on the same
    processors as before. It is not moved if no other processor is free.

    Example:
        >>> used = set()
        >>> move_off(used)
        >>> used == {current_processor()}
        True
    """
    here = current_processor()
    if here in used and here != UNKNOWN:
        with suppress(OSError):  # a sandbox may refuse it
            allowed = os.sched_getaffinity(0)
            if others := allowed - used:
                os.sched_setaffinity(0, others)
                os.sched_setaffinity(0, allowed)
                here = current_processor()
    used.add(here)
