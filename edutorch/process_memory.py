"""Memory of the process: keeping freed memory, and rejecting impossible requests.

The C library returns the memory of a large array to the system when the array is freed,
and requests new pages for the next one, with a page fault for each 4 KB. A training
step allocates and frees arrays of the same sizes again and again. Keeping up to 256 MB
at the end of the heap saves a third of the time of a softmax of 28 MB and its gradient,
so importing edutorch enables this.
"""

from __future__ import annotations

import ctypes
import gc
import math
import os
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = [
    "allocate", "allocation_error", "check_memory", "dimensions_error",
    "freeze_collector", "keep_memory", "keeps_freed_memory",
]  # fmt: skip

# Numbers of <malloc.h>.
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
KEPT = 2**28  # bytes at the end of the heap
LARGEST = 2**25  # bytes: larger arrays get their own memory; the library's limit

_kept = False


def keep_memory() -> bool:
    """Let the C library keep freed memory; False where it cannot.

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


def keeps_freed_memory() -> bool:
    """Whether the C library keeps freed memory.

    Example:
        >>> keeps_freed_memory() in (True, False)
        True
    """
    return _kept


def freeze_collector() -> int:
    """Exempt what imports have created from garbage collection.

    The garbage collector then no longer looks through it while a long graph grows.
    Returns how many objects are exempt.

    Example:
        >>> import gc
        >>> before = gc.get_freeze_count()
        >>> freeze_collector() > before
        True
        >>> gc.unfreeze()
    """
    gc.collect()  # existing garbage must not be exempt
    gc.freeze()
    return gc.get_freeze_count()


def allocate(make: Callable[..., Any], shape: Any, dtype: Any) -> Any:
    """The array that `make` gives, or PyTorch's refusal of more than there is.

    Raises:
        RuntimeError: for more memory than there is, or than can be addressed.

    Example:
        >>> allocate(np.zeros, (2,), np.float32)
        array([0., 0.], dtype=float32)
    """
    try:
        return make(shape, dtype)
    except MemoryError:
        nbytes = math.prod(_sizes(shape)) * np.dtype(dtype).itemsize
        raise allocation_error(nbytes) from None
    except ValueError as error:
        if (refusal := dimensions_error(str(error))) is not None:
            raise refusal from None
        raise RuntimeError(  # more bytes than 64 bits can count
            f"Storage size calculation overflowed with sizes={_sizes(shape)}"
        ) from None


def dimensions_error(text: str) -> RuntimeError | None:
    """The refusal of more dimensions than NumPy's arrays have; None for another error.

    Example:
        >>> str(dimensions_error("maximum supported dimension .. 64, found 65"))[:36]
        'Received a tensor with 65 dimensions'
    """
    if not text.startswith("maximum supported dimension"):
        return None
    return RuntimeError(
        f"Received a tensor with {text.rpartition(' ')[2]} dimensions, but only "
        "tensors with up to 64 dims are supported!"
    )


def _sizes(shape: Any) -> list[int]:
    return list(shape) if isinstance(shape, (tuple, list)) else [shape]


LARGE = 2**24  # elements, above which checking first takes no time in comparison


def check_memory(shape: Any, dtype: Any) -> None:
    """Refuse a large array before it is computed in wider numbers, or in parts.

    Raises:
        RuntimeError: for more memory than there is.

    Example:
        >>> check_memory((2, 3), np.float32)
    """
    if math.prod(_sizes(shape)) > LARGE:
        allocate(np.empty, shape, dtype)  # addresses, of which no page is touched


def allocation_error(nbytes: int) -> RuntimeError:
    """PyTorch's refusal of more memory than there is.

    Example:
        >>> str(allocation_error(8))[-48:]
        ' 8 bytes. Error code 12 (Cannot allocate memory)'
    """
    return RuntimeError(
        "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't "
        f"allocate memory: you tried to allocate {nbytes} bytes. Error code 12 (Cannot "
        "allocate memory)"
    )
