"""OpenBLAS, the library that computes NumPy's matrix products.

Note [Threads that spin]
After a product OpenBLAS's threads wait for the next one without sleeping: for 2^26
cycles, some 20 ms. Until then they take a core from everything else that has several
threads, as convolutions here do. After 2^22 cycles, about 1 ms, they still meet the
products that follow each other in a recurrent layer, and are asleep for the rest.

Note [Threads that a fork has stopped]
OpenBLAS stops its threads before a fork and starts them again with the next product.
Its function that sets their number starts them, too, and they would spin: in the parent
process beside a data loader's worker, and in the worker itself. So only their number is
changed. If they are running, the function does nothing else either, unless the number
is larger than any before.
"""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import Any

import numpy as np

__all__ = [
    "LOG2_CYCLES",
    "library",
    "log2_spin_cycles",
    "set_number_of_threads",
    "sleep_soon",
]

TIMEOUT = "OPENBLAS_THREAD_TIMEOUT"  # the binary logarithm of cycles
LOG2_CYCLES = 22
TIMEOUT_SYMBOLS = (
    "openblas_read_env",
    "openblas_thread_timeout",
    "blas_thread_shutdown_",
)
COUNT_SYMBOLS = ("blas_server_avail", "blas_num_threads", "blas_cpu_number")


@cache
def library() -> Any:
    """NumPy's extension module, which is linked to OpenBLAS, as a C library."""
    numpy: Any = np
    return ctypes.CDLL(numpy._core._multiarray_umath.__file__)


def log2_spin_cycles() -> int:
    """The binary logarithm of the cycles that threads spin; 0 if it was not set.

    Example:
        >>> log2_spin_cycles() in range(64)
        True
    """
    known = all(hasattr(library(), name) for name in TIMEOUT_SYMBOLS)
    return int(library().openblas_thread_timeout()) if known else 0


def sleep_soon() -> bool:
    """Make threads that wait for products sleep soon; returns whether they now do.

    See Note [Threads that spin]. A value of OPENBLAS_THREAD_TIMEOUT in the environment
    is left as it is. OpenBLAS has read the variable when it was loaded; here it reads
    it again and stops its threads, which the next product starts. No product may be
    under way in another thread.

    Example:
        >>> sleep_soon() in (True, False)
        True
    """
    if TIMEOUT in os.environ or not all(
        hasattr(library(), name) for name in TIMEOUT_SYMBOLS
    ):
        return False
    os.environ[TIMEOUT] = str(LOG2_CYCLES)
    try:
        library().openblas_read_env()
    finally:
        del os.environ[TIMEOUT]
    library().blas_thread_shutdown_()
    return True


def set_number_of_threads(n: int) -> bool:
    """Set how many threads products use; False if so many were never started.

    See Note [Threads that a fork has stopped].

    Example:
        >>> set_number_of_threads(2**30)
        False
    """
    found = _counts()
    if found is None:
        return False
    _, most, number = found
    if n > most.value:
        return False
    number.value = n
    return True


@cache
def _counts() -> tuple[ctypes.c_int, ...] | None:
    """Whether threads run; the most that were started; those of the next product."""
    if not all(hasattr(library(), name) for name in COUNT_SYMBOLS):
        return None
    return tuple(ctypes.c_int.in_dll(library(), name) for name in COUNT_SYMBOLS)
