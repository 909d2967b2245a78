"""Fractional max pooling: each image and channel has its own windows.

Reference: Graham (2015), "Fractional max-pooling".
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from edutorch.backends.array_modules import array_module
from edutorch.kernels.sliding_windows import Shape, taps

__all__ = ["fractional_max_pool", "interval_starts"]


def interval_starts(u: Any, size: int, n: int, k: int) -> Any:
    """First cells of `n` windows of length `k`, spread by the random numbers `u`.

    The last window always ends with the last cell.

    Math: start_i = floor((i + u) a) - floor(u a), a = (size - k) / (n - 1)
    Shape: (*) -> (*, n)

    Example:
        >>> interval_starts(np.array(0.5), 7, 3, 2)
        array([0, 2, 5])
    """
    xp = array_module(u)
    starts = xp.zeros((*u.shape, n), np.int64)
    if n > 1:
        a = u.dtype.type(size - k) / u.dtype.type(n - 1)
        steps = xp.arange(n - 1).astype(u.dtype)
        first = (u * a).astype(np.int64)[..., None]
        starts[..., :-1] = ((steps + u[..., None]) * a).astype(np.int64) - first
    if n:
        starts[..., -1] = size - k
    return starts


def fractional_max_pool(
    x: Any, kernel: Shape, out: Shape, samples: Any
) -> tuple[Any, Any]:
    """Largest value of each window, and its place in the flattened plane.

    Shape: (N, C, *S), (N, C, D) random numbers -> (N, C, *out), (N, C, *out)
    """
    n, c, *size = x.shape
    xp = array_module(x)
    planes = x.reshape(n, c, prod(size))
    order = range(len(size))
    if len(size) == 2:
        order = range(1, -1, -1)  # PyTorch's first random number is for the width
    start = xp.zeros((n, c) + (1,) * len(size), np.int64)
    for axis, which in enumerate(order):
        u = samples[:n, :, which]
        cells = interval_starts(u, size[axis], out[axis], kernel[axis])
        pitch = prod(size[axis + 1 :])
        shape = [1] * len(size)
        shape[axis] = out[axis]
        start = start + (cells * pitch).reshape(n, c, *shape)
    offset = xp.asarray([int(np.ravel_multi_index(tap, size)) for tap in taps(kernel)])
    index = start[..., None] + offset  # (N, C, *out, prod(K))
    flat = index.reshape(n, c, prod(out) * prod(kernel))
    cells = xp.take_along_axis(planes, flat, axis=2).reshape(index.shape)
    best = xp.argmax(cells, axis=-1)[..., None]  # nan counts as the largest
    y = xp.take_along_axis(cells, best, axis=-1)[..., 0]
    return y, xp.take_along_axis(index, best, axis=-1)[..., 0]
