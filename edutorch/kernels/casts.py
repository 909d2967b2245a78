"""An array in another dtype, rounded as PyTorch rounds."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["cast", "copy_into"]

HALF = np.dtype(np.float16)
DOUBLE = np.dtype(np.float64)


def cast(x: Any, dtype: Any) -> Any:
    """A copy of an array in another NumPy dtype.

    float64 becomes float16 through float32: it is rounded twice, which differs
    from NumPy's single rounding where the first one ends halfway between two numbers.

    Example:
        >>> x = np.array([1 + 2**-11 + 2**-40])
        >>> cast(x, np.float16), x.astype(np.float16)
        (array([1.], dtype=float16), array([1.001], dtype=float16))
    """
    if x.dtype == DOUBLE and dtype == HALF:
        x = x.astype(np.float32)
    return x.astype(dtype)


def copy_into(y: Any, x: Any) -> None:
    """Copy `x` into the array `y`, in the dtype of `y`.

    Example:
        >>> y = np.zeros(1, np.float16)
        >>> copy_into(y, np.array([1 + 2**-11 + 2**-40]))
        >>> y
        array([1.], dtype=float16)
    """
    if x.dtype == DOUBLE and y.dtype == HALF:
        x = x.astype(np.float32)
    np.copyto(y, x, casting="unsafe")
