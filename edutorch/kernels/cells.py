"""Values of all channels taken from cells of images, and added to them.

Channels lie side by side here, so that a place is one run of memory: rows are gathered
five times faster than single numbers.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from edutorch.kernels.lazy import LazyModule, array_module
from edutorch.kernels.pool import in_blocks
from edutorch.kernels.scatter import scatter_add_rows
from edutorch.kernels.sliding_windows import Shape, accumulator
from edutorch.kernels.twins import Twins, written_out

__all__ = [
    "add_cells", "bilinear_by_twin", "bilinear_gradients_by_twin", "channels_last",
    "take_cells",
]  # fmt: skip

_sparse = LazyModule("scipy.sparse")
_twins = Twins("cells")


def bilinear_by_twin(x: Any, rows: Any, columns: Any) -> Any:
    """Values of images between their cells, 0 outside; None where there is no twin.

    A place lies between four cells: as far from each as the others weigh.

    Shape: (N, C, H, W), (N, P), (N, P) -> (N, C, P)
    """
    run = _bilinear_twin("bilinear", x, rows, columns)
    if run is None:
        return None
    y = np.empty((*x.shape[:2], rows.shape[1]), x.dtype)
    n = len(x)
    in_blocks(lambda p: run(x[p], rows[p], columns[p], y[p]), n, 4 * y.size)
    return y


def bilinear_gradients_by_twin(g: Any, x: Any, rows: Any, columns: Any) -> Any:
    """Gradients of `bilinear_by_twin` for its three operands; None without a twin.

    Shape: (N, C, P), (N, C, H, W), (N, P), (N, P) -> as the last three
    """
    g = written_out(g)
    run = _bilinear_twin("bilinear_backward", x, rows, columns, g)
    if run is None:
        return None
    gx, g_rows, g_columns = np.zeros_like(x), np.zeros_like(rows), np.zeros_like(rows)

    def work(p: slice) -> None:
        run(g[p], x[p], rows[p], columns[p], gx[p], g_rows[p], g_columns[p])

    in_blocks(work, len(x), 8 * g.size)
    return gx, g_rows, g_columns


def _bilinear_twin(name: str, *arrays: Any) -> Any:
    """A twin, if all places are numbers: whole ones are not made of nan."""
    run = _twins.find(name, *arrays)
    if run is None or not arrays[0].size:
        return None
    places = arrays[1].sum() + arrays[2].sum()  # nan and infinity stay in sums
    return run if np.isfinite(places) else None


def channels_last(x: Any) -> Any:
    """The same numbers, with the channels of each cell side by side in memory.

    Shape: (N, C, *S) -> (N, C, *S)
    """
    xp = array_module(x)
    return xp.moveaxis(xp.ascontiguousarray(xp.moveaxis(x, 1, -1)), -1, 1)


def take_cells(x: Any, index: Any, inside: Any) -> Any:
    """The values at cells, 0 outside.

    Math: y[n, c, p] = x[n, c, index[n, p]]
    Shape: (N, C, *S), (N, P), (N, P) -> (N, C, P)

    Example:
        >>> x = np.array([[[5.0, 7.0]]])
        >>> take_cells(x, np.array([[1, 0]]), np.array([[True, False]]))
        array([[[7., 0.]]])
    """
    n, c = x.shape[:2]
    cells = prod(x.shape[2:])
    rows = x.reshape(n, c, cells).swapaxes(1, 2).reshape(n * cells, c)
    found = rows[_flat(index, cells)]  # (N, P, C)
    if not inside.all():
        found[~inside] = 0
    return found.swapaxes(1, 2)


def add_cells(x: Any, index: Any, inside: Any, shape: Shape) -> Any:
    """Values added to cells: the transpose of `take_cells`.

    A sparse matrix adds the rows: one entry for each, one column after the other.

    Math: y[n, c, index[n, p]] += x[n, c, p]
    Shape: (N, C, P), (N, P), (N, P) -> (N, C, *S) = shape

    Example:
        >>> x, one = np.array([[[5.0, 7.0]]]), np.array([[1, 1]])
        >>> add_cells(x, one, one == 1, (1, 1, 2))
        array([[[ 0., 12.]]])
    """
    n, c = shape[:2]
    if index.shape != inside.shape or not len(x) == len(index) == n:
        raise RuntimeError(
            f"Expected places in {n} images, but got those of {len(index)} images"
        )
    cells = prod(shape[2:])
    rows = x.swapaxes(1, 2)[inside].astype(accumulator(x.dtype), copy=False)
    flat = _flat(index, cells)[inside]
    if isinstance(x, np.ndarray):
        each = (np.ones(len(flat), rows.dtype), flat, np.arange(len(flat) + 1))
        y = _sparse.csc_matrix(each, shape=(n * cells, len(flat))) @ rows
    else:
        y = scatter_add_rows(flat, rows, n * cells)
    y = y.reshape(n, cells, c).swapaxes(1, 2).reshape(shape)
    return y.astype(x.dtype, copy=False)


def _flat(index: Any, cells: int) -> Any:
    """Cells of each image as cells of all images in one line."""
    return index + array_module(index).arange(len(index))[:, None] * cells
