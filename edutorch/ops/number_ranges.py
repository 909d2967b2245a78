"""Converts Python numbers to a dtype, with PyTorch's error on overflow."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..kernels.float8 import to_float8
from .argument_errors import argument_error

__all__: list[str] = []

_LARGEST = {
    t: dtypes.finfo(t).max
    for t in dtypes.ALL
    if t.is_floating_point and t.numpy not in dtypes.FLOAT8
}
_LEAST_AND_LARGEST = {
    t.numpy: (np.iinfo(t.numpy).min, np.iinfo(t.numpy).max)
    for t in dtypes.ALL
    if t.kind == dtypes.INTEGER
}
_SIZED = {"uint8": "uint8_t", "int8": "int8_t", "int16": "int16_t", "int64": "int64_t"}


def checked_number(value: Any, dtype: dtypes.dtype, *, single: bool = False) -> Any:
    """The number, after checking that a dtype can represent it.

    Args:
        single: whether a single element is filled; PyTorch then skips the check
            for 16-bit floats.

    Raises:
        RuntimeError: if it cannot.
        OverflowError: for an integer that no number may be.

    Example:
        >>> import edutorch as torch
        >>> checked_number(300, torch.int8)
        Traceback (most recent call last):
        RuntimeError: value cannot be converted to type int8_t without overflow
    """
    largest = _LARGEST.get(dtype)
    if type(value) is float and largest is not None and abs(value) <= largest:
        return value if dtype is not dtypes.float16 else float(np.float32(value))
    if not isinstance(value, (int, float, complex, np.generic)):
        raise argument_error() or TypeError(
            f"a number is needed here, not {type(value).__name__}"
        )
    if type(value) is int and not dtypes.LEAST <= value < dtypes.BEYOND:
        raise argument_error() or dtypes.integer_overflow(value)
    kind = dtype.numpy.kind
    fits = True
    if isinstance(value, complex) and kind == "b":
        value = bool(value)
    elif isinstance(value, complex) and kind not in "cW":
        fits, value = value.imag == 0, value.real
    if dtype.numpy in dtypes.FLOAT8:
        return to_float8(value, dtype.numpy)
    if kind in "iu" and fits:
        fits, value = in_range(value, dtype.numpy)
    elif dtype.is_complex:
        limit = _LARGEST[dtype.to_real()]
        fits = not any(limit < abs(v) < float("inf") for v in (value.real, value.imag))
    elif largest is not None and fits:
        asks = dtype.itemsize > 2 or not single
        fits = not (asks and largest < abs(value) < float("inf"))
    if not fits:
        raise overflow_error(dtype)
    return value


def real_number(value: Any) -> Any:
    """A number, or the real part of a complex one without an imaginary part."""
    real = isinstance(value, complex) and value.imag == 0
    return value.real if real else value


def compute_dtype(dtype: dtypes.dtype) -> dtypes.dtype:
    """The dtype to compute in: float32 for 16-bit floats, else the dtype itself.

    Example:
        >>> import edutorch as torch
        >>> compute_dtype(torch.float16), compute_dtype(torch.int8)
        (torch.float32, torch.int8)
    """
    half = dtype.is_floating_point and dtype.itemsize == 2
    return dtypes.float32 if half else dtype


def overflow_error(dtype: dtypes.dtype) -> RuntimeError:
    """The error for a number that a dtype cannot represent."""
    name = _SIZED.get(dtype.name, dtype.c_name)
    return RuntimeError(f"value cannot be converted to type {name} without overflow")


def in_range(value: Any, dtype: Any) -> tuple[bool, int]:
    """Whether an integer dtype can represent a number, and the converted number."""
    if value != value or value in (float("inf"), -float("inf")):
        return False, 0
    number, (least, largest) = int(value), _LEAST_AND_LARGEST[dtype]
    if least == 0 and value < 0:  # negative integers wrap around, as in C
        if isinstance(value, (float, np.floating)):
            return False, 0
        return -number <= largest, number % (largest + 1)
    return least <= value <= largest, number
