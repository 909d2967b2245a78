"""Adding values at indices, which may repeat.

`np.add.at` is fast only for flat arrays, so rows are added element by element, which is
faster than sorting them and adding runs (0.22 ms instead of 0.45 ms for 700 rows of 200
into 10,000).
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from edutorch.backends.array_modules import array_module
from edutorch.kernels.compiled import CompiledKernels
from edutorch.kernels.sliding_windows import Shape, accumulator

__all__ = [
    "gather_planes",
    "plane_index",
    "scatter_add_flat",
    "scatter_add_rows",
    "scatter_planes",
]

MIN_SIZE = 2**8  # below, looking up a kernel costs more than it saves

_compiled = CompiledKernels("scatter")


def scatter_add_flat(index: Any, values: Any, size: int) -> Any:
    """Sums of the values that share an index.

    Math: y[i] = sum_(j: index[j] = i) values[j]
    Shape: (M), (M) -> (size)

    Example:
        >>> scatter_add_flat(np.array([0, 2, 0]), np.array([1.0, 2.0, 4.0]), 3)
        array([5., 0., 2.])
    """
    xp = array_module(values)
    y = xp.zeros(size, accumulator(values.dtype))
    xp.add.at(y, index, values.astype(y.dtype, copy=False))
    return y.astype(values.dtype, copy=False)


def scatter_add_rows(index: Any, rows: Any, size: int) -> Any:
    """Sums of the rows that share an index.

    Math: y[i] = sum_(j: index[j] = i) rows[j]
    Shape: (M), (M, D) -> (size, D)

    Example:
        >>> scatter_add_rows(np.array([1, 1]), np.array([[1.0, 2.0], [3.0, 4.0]]), 2)
        array([[0., 0.],
               [4., 6.]])
    """
    width = rows.shape[1]
    run = _compiled.find("scatter_add_rows", rows) if rows.size > MIN_SIZE else None
    if run is not None and index.dtype == np.int64 and index.flags.carray:
        y = np.zeros((size, width), rows.dtype)
        run(rows, y, index)  # which refuses indices out of range
        return y
    _check_indices(index, size)
    xp = array_module(rows)
    cells = xp.asarray(index)[:, None] * width + xp.arange(width)  # (M, D)
    flat = scatter_add_flat(cells.reshape(-1), rows.reshape(-1), size * width)
    return flat.reshape(size, width)


def _check_indices(index: Any, size: int) -> None:
    """Refuse indices that are not rows: they may have changed since the forward."""
    if index.size and (index.min() < 0 or index.max() >= size):
        raise IndexError("index out of range in self")


def scatter_planes(g: Any, index: Any, x_shape: Shape) -> Any:
    """Add each g to the cell of its (n, c) plane that `index` names.

    Shape: (N, C, *S'), (N, C, *S') -> (N, C, *S) = x_shape
    """
    flat = plane_index(index, x_shape).reshape(-1)
    return scatter_add_flat(flat, g.reshape(-1), prod(x_shape)).reshape(x_shape)


def gather_planes(x: Any, index: Any) -> Any:
    """The values at the cells that `index` names: the transpose of `scatter_planes`.

    Shape: (N, C, *S), (N, C, *S') -> (N, C, *S')
    """
    return x.reshape(-1)[plane_index(index, x.shape)]


def plane_index(index: Any, x_shape: Shape) -> Any:
    """Indices into planes, as indices into the whole flattened array."""
    planes, cells = prod(x_shape[:2]), prod(x_shape[2:])
    start = array_module(index).arange(planes, dtype=np.int64) * cells
    return index + start.reshape(*x_shape[:2], *(1,) * (index.ndim - 2))
