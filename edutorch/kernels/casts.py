"""An array in another dtype, rounded as PyTorch rounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.compiled import CompiledKernels, run_elementwise

__all__ = ["cast", "copy_into"]

HALF = np.dtype(np.float16)
SINGLE = np.dtype(np.float32)
DOUBLE = np.dtype(np.float64)
BITS = np.dtype(np.uint16)
MIN_SIZE = 2**9  # below, NumPy is as fast

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
        if x.dtype is SINGLE and dtype == HALF:
            y = _converted("float16_from_float32", x, BITS)
        elif x.dtype is HALF and dtype == SINGLE:
            y = _converted("float32_from_float16", x.view(BITS), SINGLE)
        else:
            y = None
        if y is not None:
            return y.view(dtype)
    return x.astype(dtype)


def _converted(kernel: str, x: Any, dtype: Any) -> Any:
    """The result of a compiled conversion, or None if there is none for x."""
    run = _compiled.find(kernel, x)
    if run is None:
        return None
    y = np.empty_like(x, dtype)
    run_elementwise(run, x, y)
    return y


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
