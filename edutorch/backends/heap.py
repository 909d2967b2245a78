"""Memory that arrays leave is kept for the next ones.

The C library gives a large array's memory back to the system when the array goes, and
gets new pages, one fault for each 4 KB and all filled with zeros, for the next. A
training step makes and drops the same arrays again and again: keeping up to 256 MB at
the end of the heap saves a tenth of a ResNet's step, and 40 % of a softmax of 28 MB.
"""

from __future__ import annotations

import ctypes
import gc
import os
import sys

__all__ = ["keep_memory", "spare_collector"]

# Numbers of <malloc.h>.
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
KEPT = 2**28  # bytes at the end of the heap
LARGEST = 2**25  # bytes: larger arrays get memory of their own; the library's limit


def keep_memory() -> bool:
    """Ask the C library to keep memory; False where it cannot be asked.

    The environment variable EDUTORCH_KEEP_MEMORY=0 leaves the library as it is.

    Example:
        >>> keep_memory() in (True, False)
        True
    """
    if not (_wanted() and sys.platform.startswith("linux")):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:  # musl has none
        return False
    return bool(mallopt(MMAP_THRESHOLD, LARGEST) and mallopt(TRIM_THRESHOLD, KEPT))


def spare_collector() -> int:
    """Set aside what importing has made, which lives as long as the process.

    The garbage collector would look through it again and again while a long graph
    grows: half of the time of its forward pass. Returns how many objects are set aside.
    The environment variable EDUTORCH_KEEP_MEMORY=0 leaves the collector as it is.

    Example:
        >>> spare_collector() == gc.get_freeze_count()
        True
    """
    if _wanted():
        gc.collect()  # what is garbage already must not be set aside
        gc.freeze()
    return gc.get_freeze_count()


def _wanted() -> bool:
    return os.environ.get("EDUTORCH_KEEP_MEMORY", "1") != "0"
