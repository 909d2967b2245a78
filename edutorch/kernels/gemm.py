"""Matrix products that are added to what an array holds, by OpenBLAS's `gemm`.

NumPy's products overwrite their result: adding a bias takes another pass over it, by
one thread. `gemm` adds the product to the bias while it writes the result.

Reference: Dongarra, Du Croz, Hammarling, Duff (1990), "A set of level 3 basic linear
algebra subprograms".
"""

from __future__ import annotations

from ctypes import c_double, c_float, c_int, c_int64, c_void_p
from functools import cache
from typing import Any, Final

import numpy as np

from edutorch.backends.openblas import library
from edutorch.config import plain

__all__ = ["MIN_SIZE", "affine"]

MIN_SIZE: Final = 2**19  # of the result; less stays in the cache, where adding is cheap

# The builds with 64-bit integers; the names of others do not tell which they take.
_NAMES: Final = ("scipy_cblas_{}gemm64_", "cblas_{}gemm64_")
_NUMBERS: Final = {"f": ("s", c_float), "d": ("d", c_double)}

# Constants of the C interface.
_ROW_MAJOR, _AS_IT_IS, _TRANSPOSED = 101, 111, 112


def affine(x: Any, w: Any, b: Any) -> Any:
    """The affine map of rows, or None if `gemm` cannot compute it.

    Math: y = x wᵀ + b
    Shape: (n, k), (m, k), (m) -> (n, m)

    Example:
        >>> y = affine(np.ones((256, 3)), np.ones((64, 3)), np.ones(64))
        >>> None if y is None else y[0, :3]
        array([4., 4., 4.])
    """
    if plain() or not _fit(x, w, b):
        return None
    gemm = _gemm(x.dtype)
    if gemm is None:
        return None
    (n, k), m = x.shape, len(w)
    y = np.empty((n, m), x.dtype)
    y[...] = b
    gemm(
        _ROW_MAJOR, _AS_IT_IS, _TRANSPOSED, n, m, k,
        1, x.ctypes.data, k, w.ctypes.data, k, 1, y.ctypes.data, m,
    )  # fmt: skip
    return y


def _fit(x: Any, w: Any, b: Any) -> bool:
    """Whether shapes, dtypes and memory are those that `gemm` reads."""
    return (
        type(x) is type(w) is type(b) is np.ndarray
        and x.ndim == w.ndim == 2
        and x.shape[1] == w.shape[1] > 0
        and b.shape == w.shape[:1]
        and x.dtype == w.dtype == b.dtype
        and all(a.flags.c_contiguous and a.flags.aligned for a in (x, w))
    )


@cache
def _gemm(dtype: Any) -> Any:
    """OpenBLAS's function for arrays of a dtype, or None without one."""
    if dtype.char not in _NUMBERS or not dtype.isnative:
        return None
    letter, number = _NUMBERS[dtype.char]
    names = [name.format(letter) for name in _NAMES]
    found = next((getattr(library(), n) for n in names if hasattr(library(), n)), None)
    if found is not None:
        order, size, matrix = c_int, c_int64, (c_void_p, c_int64)
        found.argtypes = (
            order, order, order, size, size, size, number, *matrix, *matrix, number,
            *matrix,
        )  # fmt: skip
        found.restype = None
    return found
