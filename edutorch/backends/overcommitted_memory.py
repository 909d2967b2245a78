"""Arrays larger than the available memory, whose pages are allocated when written.

A simulated GPU may have more memory than this computer. Memory that is allocated there
but not written takes no memory here; only writing to more of it than there is fails.
"""

from __future__ import annotations

import math
import mmap
import sys
import types
from typing import Any

import numpy as np

__all__ = ["NUMPY", "reserved"]

NO_RESERVE = getattr(mmap, "MAP_NORESERVE", 0x4000)  # named since Python 3.13


def reserved(shape: Any, dtype: Any = float) -> Any:
    """An array of zeros, whose pages are allocated when they are written.

    Raises:
        MemoryError: where the system does not reserve addresses without memory.

    Example:
        >>> from edutorch.backends.overcommitted_memory import reserved
        >>> reserved((1 << 20, 1 << 10), "float32").shape
        (1048576, 1024)
    """
    kind = np.dtype(dtype)
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    if not sys.platform.startswith("linux"):
        raise MemoryError
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NO_RESERVE
    try:
        memory = mmap.mmap(-1, math.prod(sizes) * kind.itemsize, flags=flags)
    except (OSError, OverflowError):
        raise MemoryError from None
    return np.frombuffer(memory, kind).reshape(sizes)


def _or_reserved(make: Any) -> Any:
    """Wrap a function that creates arrays: those that do not fit are only reserved."""

    def made(shape: Any, dtype: Any = float, **settings: Any) -> Any:
        try:
            return make(shape, dtype, **settings)
        except MemoryError:
            return reserved(shape, dtype)

    return made


NUMPY: Any = types.SimpleNamespace(**vars(np))  # as simulated GPUs use it
NUMPY.zeros, NUMPY.empty = _or_reserved(np.zeros), _or_reserved(np.empty)
