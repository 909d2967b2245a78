"""OpenBLAS, the library that computes NumPy's matrix products.

Note [Threads that spin]
After a product OpenBLAS's threads wait for the next one without sleeping: for 2^26
cycles, some 20 ms. Until then they take a core from everything else that has several
threads, as convolutions here do. After 2^22 cycles, about 1 ms, they still meet the
products that follow each other in a recurrent layer, and are asleep for the rest.

Note [Threads that a fork has ended]
OpenBLAS ends its threads before a fork, and starts them for the next product. Its
function that sets their number starts them, too, and then they spin, beside a worker of
a data loader in the parent process, and within the worker in the child. So as long as
they are ended only the number is changed.
"""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import Any

import numpy as np

__all__ = [
    "CYCLES",
    "library",
    "set_number_of_ended_threads",
    "sleep_soon",
    "spinning_cycles",
]

TIMEOUT = "OPENBLAS_THREAD_TIMEOUT"  # the binary logarithm of cycles
CYCLES = 22
NAMES = ("openblas_read_env", "openblas_thread_timeout", "blas_thread_shutdown_")
NUMBERS = ("blas_server_avail", "blas_num_threads", "blas_cpu_number")


@cache
def library() -> Any:
    """The extension module through which NumPy calls it, as a C library."""
    numpy: Any = np
    return ctypes.CDLL(numpy._core._multiarray_umath.__file__)


def spinning_cycles() -> int:
    """The binary logarithm of the cycles that threads spin; 0 if it was not set.

    Example:
        >>> spinning_cycles() in range(64)
        True
    """
    known = all(hasattr(library(), name) for name in NAMES)
    return int(library().openblas_thread_timeout()) if known else 0


def sleep_soon() -> bool:
    """Make threads that wait for products sleep soon; returns whether they now do.

    See Note [Threads that spin]. A value of OPENBLAS_THREAD_TIMEOUT in the environment
    is left as it is. OpenBLAS reads the variable when it is loaded, which was before
    this; so it reads it again, and ends its threads, which begin anew with the next
    product. No product may be under way in another thread.

    Example:
        >>> sleep_soon() in (True, False)
        True
    """
    if TIMEOUT in os.environ or not all(hasattr(library(), name) for name in NAMES):
        return False
    os.environ[TIMEOUT] = str(CYCLES)
    try:
        library().openblas_read_env()
    finally:
        del os.environ[TIMEOUT]
    library().blas_thread_shutdown_()
    return True


def set_number_of_ended_threads(n: int) -> bool:
    """Let the next product start `n` threads; whether they were ended.

    See Note [Threads that a fork has ended].

    Example:
        >>> set_number_of_ended_threads(2**30)  # more than it has ever started
        False
    """
    found = _numbers()
    if found is None:
        return False
    running, most, number = found
    if running.value or n > most.value:
        return False
    number.value = n
    return True


@cache
def _numbers() -> tuple[ctypes.c_int, ...] | None:
    """Whether threads run, how many there are at most, and for the next product."""
    if not all(hasattr(library(), name) for name in NUMBERS):
        return None
    return tuple(ctypes.c_int.in_dll(library(), name) for name in NUMBERS)
