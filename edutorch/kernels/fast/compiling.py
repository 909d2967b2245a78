"""Compiles loops with Numba: single-threaded, without the GIL, cached on disk.

A kernel is compiled when its file is imported, for the dtypes in its signature and for
C-contiguous arrays. Nothing is compiled later.

# Note [Loops that LLVM vectorises]
- Index a row first (`row = x[i]`), then iterate with `range(row.size)`.
- Use at most three arrays in a loop. With more, LLVM would need too many checks for
  overlapping memory, and does not vectorise.
- Additions may be reordered (`fastmath`), but nan and infinity are respected.
- A constant of a wider dtype makes the whole loop wider: write `x.dtype.type(0)`, not
  `0`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from edutorch.kernels.warmup import cache_folder

numba: Any
njit: Any
try:
    import numba
    from numba import njit
except ImportError:
    njit = None

__all__ = ["FLOATS", "SINGLE", "helper", "kernel", "unfused"]

FLOATS = ("float32", "float64")
SINGLE = ("float32",)

# LLVM may reorder additions and fuse a product with a sum, but not assume that nan and
# infinity do not occur.
_RELAXED = {"reassoc", "contract", "nsz", "arcp"}


def kernel(
    signature: str, dtypes: tuple[str, ...] = FLOATS, fastmath: bool = True
) -> Callable[[Any], Any]:
    """Compile a function for each dtype, which replaces T in `signature`.

    The attribute `dtypes` of the result has the characters of the dtypes.

    Args:
        fastmath: allow LLVM to reorder additions and to fuse products with sums.

    Example:
        >>> @kernel("void(T[::1])")
        ... def double(x):
        ...     for i in range(x.size):
        ...         x[i] *= 2
        >>> double.dtypes
        'fd'
    """

    def compiled(function: Any) -> Any:
        made = function
        if njit is not None:
            signatures = [signature.replace("T", name) for name in dtypes]
            made = _cached(function, signatures, _RELAXED if fastmath else set())
        made.dtypes = "".join(np.dtype(name).char for name in dtypes)
        return made

    return compiled


def _cached(function: Any, signatures: list[str], fastmath: set[str]) -> Any:
    """Compile a function, or load it from the cache of `kernels/warmup.py`.

    Numba reads the cache folder from its global configuration, which other libraries
    use, too; so the setting is restored afterwards.
    """
    on_disk = Path(function.__code__.co_filename).exists()  # no: typed at a prompt
    before = numba.config.CACHE_DIR
    try:
        numba.config.CACHE_DIR = str(cache_folder())
        return njit(
            signatures,
            nogil=True,
            cache=on_disk,
            fastmath=fastmath,
            error_model="numpy",
        )(function)
    finally:
        numba.config.CACHE_DIR = before


def helper(function: Any) -> Any:
    """Compile a function that kernels call. Additions keep their order."""
    if njit is None:
        return function
    return njit(fastmath={"contract"}, error_model="numpy")(function)


def unfused(function: Any) -> Any:
    """Compile a function that kernels call, without fused multiply-add."""
    return function if njit is None else njit(error_model="numpy")(function)
