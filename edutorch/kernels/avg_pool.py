"""Average pooling in 1, 2 and 3 dimensions.

A window's sum is separable: the sums are taken along one dimension after the other,
so a k x k window costs 2 k additions instead of k^2.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from edutorch.backends.array_modules import array_module
from edutorch.kernels.sliding_windows import (
    Shape,
    accumulator,
    planes_first,
    pool_size,
    restore_planes,
    tap_slices,
)

__all__ = ["avg_pool", "avg_pool_backward"]

ALL = slice(None)


def avg_pool(
    x: Any,
    kernel: Shape,
    stride: Shape,
    padding: Shape,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Any:
    """Mean of each window; the sums are taken along one dimension after the other.

    Math: y[n, c, p] = sum_k x[n, c, p stride - padding + k] / count[p]
    Shape: (N, C, *S) -> (N, C, *S')
    """
    size, dims = x.shape[2:], len(kernel)
    out = pool_size(size, kernel, stride, padding, (1,) * dims, ceil_mode)
    y, shape = planes_first(x)
    y = y.astype(accumulator(x.dtype), copy=False)
    for i in range(dims):
        y = _sum_windows(y, i + 1, out[i], kernel[i], stride[i], padding[i])
    count = _counts(size, out, kernel, stride, padding, count_include_pad)
    y = y / _divisor(y, count, divisor_override)
    return restore_planes(y, shape).astype(x.dtype, copy=False)


def avg_pool_backward(
    g: Any,
    x_shape: Shape,
    kernel: Shape,
    stride: Shape,
    padding: Shape,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Any:
    """Gradient of `avg_pool`: every cell of a window gets an equal share.

    Math: gx[n, c, p stride - padding + k] += g[n, c, p] / count[p]
    Shape: (N, C, *S') -> (N, C, *S) = x_shape
    """
    size, out = x_shape[2:], g.shape[2:]
    gx, shape = planes_first(g)
    gx = gx.astype(accumulator(g.dtype), copy=False)
    count = _counts(size, out, kernel, stride, padding, count_include_pad)
    gx = gx / _divisor(gx, count, divisor_override)
    for i in reversed(range(len(kernel))):
        gx = _spread_sums(gx, i + 1, size[i], kernel[i], stride[i], padding[i])
    return restore_planes(gx, shape).astype(g.dtype, copy=False)


def _sum_windows(x: Any, axis: int, n: int, k: int, t: int, p: int) -> Any:
    """Sums of the `n` windows of length `k` along one axis."""
    shape = (*x.shape[:axis], n, *x.shape[axis + 1 :])
    y = array_module(x).zeros(shape, x.dtype)
    before = (ALL,) * axis
    for tap in range(k):
        source, target = tap_slices(
            (tap,), x.shape[axis : axis + 1], (n,), (t,), (p,), (1,)
        )
        y[(*before, *target)] += x[(*before, *source)]
    return y


def _spread_sums(g: Any, axis: int, size: int, k: int, t: int, p: int) -> Any:
    """The transpose of `_sum_windows`: each sum's g to all cells of its window."""
    shape = (*g.shape[:axis], size, *g.shape[axis + 1 :])
    gx = array_module(g).zeros(shape, g.dtype)
    before = (ALL,) * axis
    for tap in range(k):
        source, target = tap_slices(
            (tap,), (size,), g.shape[axis : axis + 1], (t,), (p,), (1,)
        )
        gx[(*before, *source)] += g[(*before, *target)]
    return gx


def _counts(
    size: Shape,
    out: Shape,
    kernel: Shape,
    stride: Shape,
    padding: Shape,
    count_include_pad: bool,
) -> list[Any]:
    """For each dimension, how many cells each window counts along it."""
    counts = []
    for s, n, k, t, p in zip(size, out, kernel, stride, padding, strict=True):
        first = np.arange(n) * t - p
        last = np.minimum(first + k, s + p)
        if not count_include_pad:
            first, last = np.maximum(first, 0), np.minimum(last, s)
        counts.append(last - first)
    return counts


def _divisor(y: Any, counts: list[Any], override: int | None) -> Any:
    """The divisor of (planes, *S', B): a number, or one for each window."""
    if override is not None:
        return override
    if all(np.ptp(count) == 0 for count in counts if count.size):
        return prod(int(count[0]) for count in counts if count.size)
    table = counts[0]
    for count in counts[1:]:
        table = table[..., None] * count
    return array_module(y).asarray(table[..., None], y.dtype)
