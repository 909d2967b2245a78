"""What a process may give up for speed: memory given back, and garbage looked for.

The C library returns the memory of a large array to the system when the array goes, and
takes new pages for the next, one fault for each 4 KB and all filled with zeros. A
training step makes and drops the same arrays again and again: keeping up to 256 MB at
the end of the heap takes a third off a softmax of 28 MB with its gradient, so every
process that imports edutorch does so.
"""

from __future__ import annotations

import ctypes
import gc
import os
import sys

__all__ = ["is_kept", "keep_memory", "freeze_collector"]

# Numbers of <malloc.h>.
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
KEPT = 2**28  # bytes at the end of the heap
LARGEST = 2**25  # bytes: larger arrays get memory of their own; the library's limit

_kept = False


def keep_memory() -> bool:
    """Ask the C library to keep memory; False where it cannot be asked.

    The environment variable EDUTORCH_KEEP_MEMORY=0 leaves the library as it is.

    Example:
        >>> keep_memory() in (True, False)
        True
    """
    global _kept
    if os.environ.get("EDUTORCH_KEEP_MEMORY", "1") == "0":
        return False
    if not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:  # musl has none
        return False
    _kept = bool(mallopt(MMAP_THRESHOLD, LARGEST) and mallopt(TRIM_THRESHOLD, KEPT))
    return _kept


def is_kept() -> bool:
    """Whether the C library has been asked to keep memory.

    Example:
        >>> is_kept() in (True, False)
        True
    """
    return _kept


def freeze_collector() -> int:
    """Set aside what importing has made, which lives as long as the process.

    The garbage collector then no longer looks through it while a long graph grows.
    Returns how many objects are set aside.

    Example:
        >>> import gc
        >>> before = gc.get_freeze_count()
        >>> freeze_collector() > before
        True
        >>> gc.unfreeze()
    """
    gc.collect()  # what is garbage already must not be set aside
    gc.freeze()
    return gc.get_freeze_count()
