"""Reduce a gradient to the shape and dtype of its input.

Broadcasting in the forward repeats elements; its transpose sums the gradients of the
copies. The engine does this for all ops.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray

from .. import dtypes
from ..kernels.casts import cast
from ..kernels.sums import column_sums, leading_sums
from ..tensor.complex_parts import without_imag
from ..tensor.tensor import Tensor

__all__ = ["cast_like_input", "sum_to"]


def cast_like_input(
    g: Any, shape: tuple[int, ...], dtype: Any, node: Any, nr: int = 0
) -> Any:
    """`g` in the given shape and NumPy dtype.

    Raises:
        RuntimeError: if the shape is not one that broadcasting could have produced.
    """
    if type(g) is ndarray and g.shape[1:] == shape and g.ndim == 2:
        sums = column_sums if g.dtype.char in "fd" else _column_sums
        return sums(g).astype(dtype, copy=False)  # the commonest: a bias
    if tuple(g.shape) != shape:
        if not _broadcasts(shape, tuple(g.shape)):
            edge = nr - sum(i < nr for i in node.constants)
            raise RuntimeError(
                f"Function {node.name()} returned an invalid gradient at index {edge} "
                f"- got {list(g.shape)} but expected shape compatible with "
                f"{list(shape)}"
            )
        g = sum_to(g, shape)
    if isinstance(g, Tensor):
        if g._data.dtype != dtype:
            real = g.is_complex() and np.dtype(dtype).kind not in "cW"
            g = (g.real if real else g).to(dtypes.of_numpy[np.dtype(dtype)])
        return g
    if g.dtype != dtype:
        g = cast(without_imag(g, dtype), dtype)
    return g


def _broadcasts(small: tuple[int, ...], large: tuple[int, ...]) -> bool:
    if len(small) > len(large):
        return False
    tail = large[len(large) - len(small) :]
    return all(a in (1, b) for a, b in zip(small, tail, strict=True))


def sum_to(g: Any, shape: tuple[int, ...]) -> Any:
    """Sum `g` over the dimensions that broadcasting added to `shape` or stretched."""
    leading = len(g.shape) - len(shape)
    axes = tuple(range(leading)) + tuple(
        i + leading for i, n in enumerate(shape) if n == 1 and g.shape[i + leading] != 1
    )
    if isinstance(g, Tensor):
        if not shape:
            return g.sum()
        g = g.sum(axes, keepdim=True) if axes else g
        return g.reshape(shape) if leading else g  # attached by ops
    if not axes:
        return g.reshape(shape)
    if g.ndim == 2 and axes == (0,):
        return _column_sums(g).reshape(shape)
    total = leading_sums(g, axes)
    if total is None:
        total = np.add.reduce(g, axis=axes, keepdims=True)
    return total.reshape(shape)


def _column_sums(g: Any) -> Any:
    """The sums of a matrix's columns; for floats a GEMV beats a strided sum."""
    if type(g) is ndarray and g.dtype.char in "fd":
        return column_sums(g)
    half = g.dtype.itemsize == 2 and g.dtype.kind in "fV"  # summed in single
    return np.add.reduce(g, axis=0, dtype=np.float32 if half else None)
