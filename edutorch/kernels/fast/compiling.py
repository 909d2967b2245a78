"""How loops are compiled: serial, without the interpreter's lock, cached on disk.

Kernels are compiled when their file is imported, for the dtypes that they name and
for arrays in the standard order of memory. Nothing is ever compiled later.

# Note [Loops that become vector instructions]
- Take a row first (`row = x[i]`) and run over it with `range(row.size)`.
- Three arrays in a loop at most: more are compared for overlap, and given up.
- Sums may be reordered (`fastmath`), but nan and infinity keep their meaning.
- Numbers of another dtype widen the whole loop: write `x.dtype.type(0)`, not `0`.
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

__all__ = ["FLOATS", "SINGLE", "exact", "helper", "kernel"]

FLOATS = ("float32", "float64")
SINGLE = ("float32",)

# What may be assumed of arithmetic: any order of additions, a product and a sum
# rounded once; but not that there are no nan and no infinities.
_RELAXED = {"reassoc", "contract", "nsz", "arcp"}


def kernel(
    signature: str, dtypes: tuple[str, ...] = FLOATS, in_turn: bool = False
) -> Callable[[Any], Any]:
    """Compile a function for each of the dtypes, which stand for T in `signature`.

    Its attribute `dtypes` tells their characters.

    Args:
        in_turn: each operation as it is written, none reordered or fused.

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
            made = _cached(function, signatures, set() if in_turn else _RELAXED)
        made.dtypes = "".join(np.dtype(name).char for name in dtypes)
        return made

    return compiled


def _cached(function: Any, signatures: list[str], fastmath: set[str]) -> Any:
    """Compile a function, or load what is in the cache of `kernels/warmup.py`.

    Numba takes its folder from its configuration, which is other libraries', too.
    """
    on_disk = Path(function.__code__.co_filename).exists()  # else typed in
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
    """Compile a function that kernels call: each operation as it is written."""
    if njit is None:
        return function
    return njit(fastmath={"contract"}, error_model="numpy")(function)


def exact(function: Any) -> Any:
    """Compile a function that kernels call, and fuse no product with a sum."""
    return function if njit is None else njit(error_model="numpy")(function)
