"""Real and imaginary parts of arrays, including complex32.

NumPy has them only for its own dtypes. `torch.complex32` uses a dtype of `ml_dtypes`,
of kind "W" instead of "c".
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from .storage import byte_range, strided_view

__all__ = ["COMPLEX32", "imag_part", "real_part", "without_imag"]

COMPLEX32 = np.dtype(ml_dtypes.complex32)
HALF = np.dtype(np.float16)


def real_part(x: Any) -> Any:
    """The real parts, as a writable view.

    Example:
        >>> real_part(np.array([1 + 2j]).astype(COMPLEX32))
        array([1.], dtype=float16)
    """
    return x.real if x.dtype.kind == "c" else _halves(x, 0)


def imag_part(x: Any) -> Any:
    """The imaginary parts, as a writable view.

    Example:
        >>> imag_part(np.array([1 + 2j]).astype(COMPLEX32))
        array([2.], dtype=float16)
    """
    return x.imag if x.dtype.kind == "c" else _halves(x, HALF.itemsize)


def _halves(x: Any, offset: int) -> Any:
    begin = byte_range(x)[0] + offset
    return strided_view(x, x.shape, x.strides, begin, HALF)


def without_imag(x: Any, dtype: Any) -> Any:
    """The real parts of a complex array that is to become one of a real dtype.

    For one of bools, whether either part is nonzero.
    """
    complexes, kind = "cW", np.dtype(dtype).kind
    if x.dtype.kind not in complexes or kind in complexes:
        return x
    return real_part(x) if kind != "b" or x.dtype.kind == "W" else x != 0
