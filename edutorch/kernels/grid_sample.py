"""Grid sampling: gathers pixels with all their channels; its gradient scatters them.

The channels of a pixel are contiguous here, because gathering rows is five times faster
than gathering single numbers.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from edutorch.backends.array_modules import array_module
from edutorch.kernels.compiled import CompiledKernels, materialized
from edutorch.kernels.lazy_modules import LazyModule
from edutorch.kernels.scatter import scatter_add_rows
from edutorch.kernels.sliding_windows import Shape, accumulator
from edutorch.kernels.thread_pool import parallel_blocks

__all__ = [
    "bilinear_compiled", "bilinear_compiled_backward", "channels_last", "gather_pixels",
    "scatter_add_pixels",
]  # fmt: skip

_sparse = LazyModule("scipy.sparse")
_compiled = CompiledKernels("grid_sample")


def bilinear_compiled(x: Any, rows: Any, columns: Any) -> Any:
    """Bilinear samples of images, 0 outside; None if there is no compiled kernel.

    Math: y = sum of the four nearest pixels, each times (1 - |dy|) (1 - |dx|)

    Shape: (N, C, H, W), (N, P), (N, P) -> (N, C, P)
    """
    run = _find_bilinear("bilinear", x, rows, columns)
    if run is None:
        return None
    y = np.empty((*x.shape[:2], rows.shape[1]), x.dtype)
    n = len(x)
    parallel_blocks(
        lambda p: run(x[p], rows[p], columns[p], y[p]), n, 4 * y.size, uses_blas=False
    )
    return y


def bilinear_compiled_backward(g: Any, x: Any, rows: Any, columns: Any) -> Any:
    """Gradients of `bilinear_compiled` for its operands; None without a kernel.

    Shape: (N, C, P), (N, C, H, W), (N, P), (N, P) -> as the last three
    """
    g = materialized(g)
    run = _find_bilinear("bilinear_backward", x, rows, columns, g)
    if run is None:
        return None
    gx, g_rows, g_columns = np.zeros_like(x), np.zeros_like(rows), np.zeros_like(rows)

    def work(p: slice) -> None:
        run(g[p], x[p], rows[p], columns[p], gx[p], g_rows[p], g_columns[p])

    parallel_blocks(work, len(x), 8 * g.size, uses_blas=False)
    return gx, g_rows, g_columns


def _find_bilinear(name: str, *arrays: Any) -> Any:
    """The compiled kernel, if all coordinates are finite: nan has no integer part."""
    run = _compiled.find(name, *arrays)
    if run is None or not arrays[0].size:
        return None
    places = arrays[1].sum() + arrays[2].sum()  # nan and infinity stay in sums
    return run if np.isfinite(places) else None


def channels_last(x: Any) -> Any:
    """The same numbers, with the channels of each pixel contiguous in memory.

    Shape: (N, C, *S) -> (N, C, *S)
    """
    xp = array_module(x)
    return xp.moveaxis(xp.ascontiguousarray(xp.moveaxis(x, 1, -1)), -1, 1)


def gather_pixels(x: Any, index: Any, inside: Any) -> Any:
    """The values of pixels, 0 outside.

    Math: y[n, c, p] = x[n, c, index[n, p]]
    Shape: (N, C, *S), (N, P), (N, P) -> (N, C, P)

    Example:
        >>> x = np.array([[[5.0, 7.0]]])
        >>> gather_pixels(x, np.array([[1, 0]]), np.array([[True, False]]))
        array([[[7., 0.]]])
    """
    n, c = x.shape[:2]
    cells = prod(x.shape[2:])
    rows = x.reshape(n, c, cells).swapaxes(1, 2).reshape(n * cells, c)
    found = rows[_flat_index(index, cells)]  # (N, P, C)
    if not inside.all():
        found[~inside] = 0
    return found.swapaxes(1, 2)


def scatter_add_pixels(x: Any, index: Any, inside: Any, shape: Shape) -> Any:
    """Values added to pixels: the transpose of `gather_pixels`.

    A sparse matrix adds the rows: it has one entry in each column.

    Math: y[n, c, index[n, p]] += x[n, c, p]
    Shape: (N, C, P), (N, P), (N, P) -> (N, C, *S) = shape

    Example:
        >>> x, one = np.array([[[5.0, 7.0]]]), np.array([[1, 1]])
        >>> scatter_add_pixels(x, one, one == 1, (1, 1, 2))
        array([[[ 0., 12.]]])
    """
    n, c = shape[:2]
    if index.shape != inside.shape or not len(x) == len(index) == n:
        raise RuntimeError(
            f"Expected places in {n} images, but got those of {len(index)} images"
        )
    cells = prod(shape[2:])
    rows = x.swapaxes(1, 2)[inside].astype(accumulator(x.dtype), copy=False)
    flat = _flat_index(index, cells)[inside]
    if isinstance(x, np.ndarray):
        each = (np.ones(len(flat), rows.dtype), flat, np.arange(len(flat) + 1))
        y = _sparse.csc_matrix(each, shape=(n * cells, len(flat))) @ rows
    else:
        y = scatter_add_rows(flat, rows, n * cells)
    y = y.reshape(n, cells, c).swapaxes(1, 2).reshape(shape)
    return y.astype(x.dtype, copy=False)


def _flat_index(index: Any, cells: int) -> Any:
    """Pixels of each image, numbered through all images."""
    return index + array_module(index).arange(len(index))[:, None] * cells
