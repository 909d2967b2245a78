"""The library that an array belongs to: NumPy, CuPy, or that of the meta device.

CuPy serves NumPy's functions and operators, with two exceptions that are met here: most
of its ufuncs cannot reduce (`reduce_with`), and NumPy arrays cannot be combined with
CuPy (`to_device_of`).
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .meta import META, MetaArray

__all__ = [
    "array_module", "host_array", "on_gpu", "to_device_of", "reduce_with",
]  # fmt: skip


def array_module(x: Any) -> Any:
    """The library that made `x`: CuPy for an array on a GPU, else NumPy.

    Sparse arrays and numbers are NumPy's; arrays on the meta device have a module of
    their own, which computes shapes and dtypes only.

    Example:
        >>> array_module(np.zeros(3)).__name__
        'numpy'
    """
    kind = type(x)
    if kind is np.ndarray:
        return np
    if kind is MetaArray:
        return META.xp
    if kind.__module__.partition(".")[0] == "cupy":
        return sys.modules["cupy"]
    return np


def on_gpu(x: Any) -> bool:
    """Whether `x` is an array of CuPy.

    Example:
        >>> on_gpu(np.zeros(3))
        False
    """
    return type(x).__module__.partition(".")[0] == "cupy"


REDUCTIONS = {
    "maximum": "max", "minimum": "min", "logical_and": "all", "logical_or": "any",
}  # fmt: skip


def reduce_with(ufunc: Any, x: Any, axis: Any, keepdims: bool = False) -> Any:
    """`ufunc.reduce`, also on a GPU, where it is another function.

    Args:
        ufunc: one of REDUCTIONS.

    Shape: (*) -> (* without axis)

    Example:
        >>> reduce_with(np.maximum, np.array([[1, 5], [3, 2]]), 0)
        array([3, 5])
    """
    if type(x) is np.ndarray or not on_gpu(x):
        return ufunc.reduce(x, axis=axis, keepdims=keepdims)
    function = getattr(sys.modules["cupy"], REDUCTIONS[ufunc.__name__])
    return function(x, axis=axis, keepdims=keepdims)


def to_device_of(x: Any, other: Any) -> Any:
    """`x`, on the device of `other`, so that an operation can combine them.

    Beside an array of CuPy, a NumPy array without dimensions becomes a NumPy number,
    which costs no transfer.

    Example:
        >>> to_device_of(np.array(3.0), np.zeros(2))
        array(3.)
    """
    if type(x) is not np.ndarray or type(other) is np.ndarray or not on_gpu(other):
        return x
    return x[()] if x.ndim == 0 and x.dtype.isbuiltin else _uploaded(x)


def host_array(x: Any) -> Any:
    """An array of NumPy with the values of `x`: `x` itself, or a copy from a GPU.

    Example:
        >>> host_array(np.array([1, 2]))
        array([1, 2])
    """
    return x.get() if on_gpu(x) else np.asarray(x)


def _uploaded(x: Any) -> Any:
    """A NumPy array, copied to the current GPU."""
    return sys.modules["cupy"].asarray(x)
