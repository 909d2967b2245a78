"""Tensors from NumPy arrays: unsupported arrays, and canonical dtype objects.

The library compares dtypes by identity, which is fast. An array that was unpickled, or
whose dtype has metadata or went through `newbyteorder`, has an equal dtype that is
another object; it is replaced here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes

__all__ = ["validated_array"]


def validated_array(array: Any) -> Any:
    """The same memory as an `ndarray` whose dtype is the one the library knows.

    Raises:
        TypeError: for an array of a type that tensors cannot have.
        ValueError: for foreign byte orders, negative strides, and strides that are
            not whole numbers of elements.
    """
    dtype = dtypes.of_array(array).numpy
    size = array.itemsize
    for step in array.strides:
        if step < 0 or step % size:
            _refuse_strides(array)
    if type(array) is not np.ndarray:
        array = array.view(np.ndarray)
    return array if array.dtype is dtype else array.view(dtype)


def _refuse_strides(array: Any) -> None:
    if any(s % array.itemsize for s in array.strides):
        raise ValueError(
            "given numpy array strides not a multiple of the element byte size. Copy "
            "the numpy array to reallocate the memory."
        )
    raise ValueError(
        "At least one stride in the given numpy array is negative, and tensors "
        "with negative strides are not currently supported. (You can probably "
        "work around this by making a copy of your array  with array.copy().) "
    )
