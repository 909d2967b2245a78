"""Adaptive pooling: the size of the result determines the windows.

Window i of n over s cells runs from floor(i s / n) to ceil((i + 1) s / n), so the sizes
of windows may differ by one cell, and windows may overlap. If n divides s, they are
ordinary windows.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

import numpy as np

from edutorch.backends.array_modules import array_module
from edutorch.kernels.avg_pool import avg_pool, avg_pool_backward
from edutorch.kernels.max_pool import max_pool, max_pool_indices
from edutorch.kernels.sliding_windows import Shape, accumulator
from edutorch.kernels.softmax import row_sums

__all__ = [
    "adaptive_avg_pool",
    "adaptive_avg_pool_backward",
    "adaptive_max_pool",
    "window_edges",
]


def window_edges(size: int, n: int) -> list[tuple[int, int]]:
    """First and past-the-last cell of each of the `n` windows over `size` cells.

    Example:
        >>> window_edges(5, 3)
        [(0, 2), (1, 4), (3, 5)]
    """
    return [(i * size // n, -(-(i + 1) * size // n)) for i in range(n)]


def adaptive_avg_pool(x: Any, out: Shape) -> Any:
    """Mean of each adaptive window, one dimension after the other.

    Shape: (N, C, *S) -> (N, C, *out)
    """
    size = x.shape[2:]
    if prod(out) == 1 and prod(size):  # the mean of each plane
        planes = x.astype(accumulator(x.dtype), copy=False).reshape(-1, prod(size))
        y = row_sums(planes) / planes.dtype.type(prod(size))
        return y.reshape(*x.shape[:2], *out).astype(x.dtype, copy=False)
    kernel = _uniform_window(size, out)
    if kernel:
        return avg_pool(x, kernel, kernel, (0,) * len(out))
    y = x.astype(accumulator(x.dtype), copy=False)
    for axis, (s, n) in enumerate(zip(size, out, strict=True), start=2):
        y = _mean_windows(y, axis, window_edges(s, n))
    return y.astype(x.dtype, copy=False)


def _mean_windows(x: Any, axis: int, windows: list[tuple[int, int]]) -> Any:
    before = (slice(None),) * axis
    xp = array_module(x)
    y = xp.empty((*x.shape[:axis], len(windows), *x.shape[axis + 1 :]), x.dtype)
    for i, (first, last) in enumerate(windows):
        total = xp.add.reduce(x[(*before, slice(first, last))], axis=axis)
        y[(*before, i)] = total / (last - first)
    return y


def adaptive_avg_pool_backward(g: Any, x_shape: Shape) -> Any:
    """Gradient of `adaptive_avg_pool`: equal shares to all cells of a window.

    Shape: (N, C, *out) -> (N, C, *S) = x_shape
    """
    size, out = x_shape[2:], g.shape[2:]
    if prod(out) == 1 and prod(size):
        gx = array_module(g).empty(x_shape, g.dtype)
        gx[...] = g / g.dtype.type(prod(size))
        return gx
    kernel = _uniform_window(size, out)
    if kernel:
        return avg_pool_backward(g, x_shape, kernel, kernel, (0,) * len(out))
    gx = g.astype(accumulator(g.dtype), copy=False)
    for axis, (s, n) in enumerate(zip(size, out, strict=True), start=2):
        gx = _spread_windows(gx, axis, s, window_edges(s, n))
    return gx.astype(g.dtype, copy=False)


def _spread_windows(
    g: Any, axis: int, size: int, windows: list[tuple[int, int]]
) -> Any:
    before = (slice(None),) * axis
    shape = (*g.shape[:axis], size, *g.shape[axis + 1 :])
    gx = array_module(g).zeros(shape, g.dtype)
    for i, (first, last) in enumerate(windows):
        share = g[(*before, slice(i, i + 1))] / (last - first)
        gx[(*before, slice(first, last))] += share
    return gx


def adaptive_max_pool(x: Any, out: Shape) -> tuple[Any, Any]:
    """Largest value of each adaptive window, and its place in the flattened plane.

    Shape: (N, C, *S) -> (N, C, *out), (N, C, *out) int64
    """
    size = x.shape[2:]
    kernel = _uniform_window(size, out)
    if kernel:
        plain = (kernel, kernel, (0,) * len(out), (1,) * len(out))
        y, argmax = max_pool(x, *plain)
        return y, max_pool_indices(argmax, size, *plain)
    xp = array_module(x)
    y = xp.empty((*x.shape[:2], *out), x.dtype)
    index = xp.empty(y.shape, np.int64)
    plane = xp.arange(prod(size)).reshape(size)
    for place, window in _windows(size, out):
        cells = x[(..., *window)]
        cells = cells.reshape(*x.shape[:2], prod(cells.shape[2:]))
        best = xp.argmax(cells, axis=-1)[..., None]  # nan counts as the largest
        y[(..., *place)] = xp.take_along_axis(cells, best, -1)[..., 0]
        index[(..., *place)] = plane[window].reshape(-1)[best[..., 0]]
    return y, index


def _windows(
    size: Shape, out: Shape
) -> Iterator[tuple[tuple[int, ...], tuple[slice, ...]]]:
    """Each output position with the slices of its window."""
    along = [
        [(i, slice(*edge)) for i, edge in enumerate(window_edges(s, n))]
        for s, n in zip(size, out, strict=True)
    ]
    for choice in product(*along):
        yield tuple(i for i, _ in choice), tuple(window for _, window in choice)


def _uniform_window(size: Shape, out: Shape) -> Shape:
    """The common window where `out` divides `size`, else ()."""
    if not all(out) or any(s % n for s, n in zip(size, out, strict=True)):
        return ()
    kernel = tuple(s // n for s, n in zip(size, out, strict=True))
    return kernel if all(kernel) else ()
