"""x wᵀ + b in one call of OpenBLAS's `gemm`.

NumPy's product overwrites its output, so adding a bias takes a second pass, in one
thread. `gemm` adds the product to what the output holds: the bias.

Reference: Dongarra, Du Croz, Hammarling, Duff (1990), "A set of level 3 basic linear
algebra subprograms".
"""

from __future__ import annotations

from ctypes import c_double, c_float, c_int, c_int64, c_void_p
from functools import cache
from typing import Any, Final

import numpy as np

from edutorch.backends.openblas import library
from edutorch.backends.threads import blas_threads
from edutorch.config import plain
from edutorch.kernels.products import pieces_on_fewer_threads

__all__ = ["MIN_SIZE", "affine"]

MIN_SIZE: Final = 2**16  # of y; for a smaller one the call of `gemm` takes longer

# Builds with 64-bit integers only: other names do not tell how wide theirs are.
NAMES: Final = ("scipy_cblas_{}gemm64_", "cblas_{}gemm64_")
_C_TYPES: Final = {"f": ("s", c_float), "d": ("d", c_double)}

# Constants of the C interface.
_ROW_MAJOR, _NO_TRANS, _TRANS = 101, 111, 112


def affine(x: Any, w: Any, b: Any) -> Any:
    """The affine map of rows, or None if `gemm` cannot compute it.

    Math: y = x wᵀ + b
    Shape: (n, k), (m, k), (m) -> (n, m)

    Example:
        >>> y = affine(np.ones((256, 3)), np.ones((64, 3)), np.ones(64))
        >>> y is None or bool((y == 4).all())
        True
    """
    if plain() or not _gemm_accepts(x, w, b):
        return None
    gemm = _gemm_function(x.dtype)
    if gemm is None:
        return None
    (n, k), m = x.shape, len(w)
    y = np.empty((n, m), x.dtype)
    y[...] = b

    def add(first: int, end: int) -> None:
        gemm(
            _ROW_MAJOR, _NO_TRANS, _TRANS, n, m, end - first,
            1, x[:, first:].ctypes.data, k, w[:, first:].ctypes.data, k,
            1, y.ctypes.data, m,
        )  # fmt: skip

    threads, pieces = pieces_on_fewer_threads(x, w.T)
    if not pieces:
        add(0, k)
    else:
        with blas_threads(threads):
            for first, end in pieces:
                add(first, end)
    return y


def _gemm_accepts(x: Any, w: Any, b: Any) -> bool:
    """Whether `gemm` can read these arrays where they are."""
    return (
        type(x) is type(w) is type(b) is np.ndarray
        and x.ndim == w.ndim == 2
        and x.shape[1] == w.shape[1] > 0
        and b.shape == w.shape[:1]
        and x.dtype == w.dtype == b.dtype
        and all(a.flags.c_contiguous and a.flags.aligned for a in (x, w))
    )


@cache
def _gemm_function(dtype: Any) -> Any:
    """OpenBLAS's function for arrays of a dtype, or None without one."""
    if dtype.char not in _C_TYPES or not dtype.isnative:
        return None
    letter, number = _C_TYPES[dtype.char]
    names = [name.format(letter) for name in NAMES]
    found = next((getattr(library(), n) for n in names if hasattr(library(), n)), None)
    if found is not None:
        order, size, matrix = c_int, c_int64, (c_void_p, c_int64)
        found.argtypes = (
            order, order, order, size, size, size, number, *matrix, *matrix, number,
            *matrix,
        )  # fmt: skip
        found.restype = None
    return found
