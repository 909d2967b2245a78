"""An array in another dtype, rounded as PyTorch rounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.compiled import MIN_SIZE, CompiledKernels

__all__ = ["cast", "copy_into"]

HALF = np.dtype(np.float16)
SINGLE = np.dtype(np.float32)
DOUBLE = np.dtype(np.float64)
BITS = np.dtype(np.uint16)

_compiled = CompiledKernels("casts")


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
        x = cast(x, SINGLE)
    if x.size >= MIN_SIZE and type(x) is np.ndarray:
        y = _compiled_cast(x, dtype)
        if y is not None:
            return y.view(dtype)
    return x.astype(dtype)


def _compiled_cast(x: Any, dtype: Any) -> Any:
    """float32 as the bits of float16, or float16 as float32; None without a kernel."""
    if x.dtype is SINGLE and dtype == HALF:
        return _compiled.elementwise("float16_from_float32", x, dtype=BITS)
    if x.dtype is HALF and dtype == SINGLE:
        return _compiled.elementwise("float32_from_float16", x.view(BITS), dtype=SINGLE)
    return None


def copy_into(y: Any, x: Any) -> None:
    """Copy `x` into the array `y`, in the dtype of `y`.

    Example:
        >>> y = np.zeros(1, np.float16)
        >>> copy_into(y, np.array([1 + 2**-11 + 2**-40]))
        >>> y
        array([1.], dtype=float16)
    """
    if x.dtype == DOUBLE and y.dtype == HALF:
        x = x.astype(SINGLE)
    if x.shape == y.shape and {x.dtype, y.dtype} == {HALF, SINGLE}:  # compiled
        x = cast(x, y.dtype)
    np.copyto(y, x, casting="unsafe")
