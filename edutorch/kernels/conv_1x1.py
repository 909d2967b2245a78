"""Convolutions with 1 x 1 kernels: a matrix product for each image.

The images are multiplied without copies; with a stride, after subsampling.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from edutorch.backends.array_modules import array_module
from edutorch.kernels.sliding_windows import Shape, accumulator
from edutorch.kernels.thread_pool import parallel_blocks, parallel_for_array

__all__ = ["forward", "grad_input", "grad_weight", "is_worthwhile"]

MIN_PIXELS = 64  # of an image; smaller ones are multiplied in one product
PARTIAL_SUMS = 4  # computed by several threads
PRODUCTS_PER_NANOSECOND = 40  # estimate


def is_worthwhile(
    x: Any, w_shape: Shape, out: Shape, padding: Shape, groups: int
) -> bool:
    """Whether the kernels are single cells, and the images large enough.

    Example:
        >>> is_worthwhile(np.zeros((1, 2, 9, 9)), (4, 2, 1, 1), (9, 9), (0, 0), 1)
        True
    """
    if prod(w_shape[2:]) != 1 or any(padding) or groups != 1:
        return False
    return prod(out) >= MIN_PIXELS and accumulator(x.dtype) == x.dtype


def forward(x: Any, w: Any, b: Any, stride: Shape, out: Shape) -> Any:
    """A convolution with kernels of one cell, plus the bias (or None).

    Math: y[n, o, p] = b[o] + sum_c w[o, c] x[n, c, p stride]
    Shape: (N, C, *S), (O, C, 1 ...), (O) -> (N, O, *out)
    """
    xp, w = array_module(x), w.reshape(w.shape[:2])
    x = _flatten_space(_strided(x, stride, out))
    y = xp.empty((len(x), len(w), prod(out)), x.dtype)
    parallel_blocks(
        lambda p: xp.matmul(w, x[p], out=y[p]),
        len(x),
        _nanoseconds(y, w),
        uses_blas=True,
    )
    if b is not None:
        y += b.reshape(-1, 1)
    return y.reshape(*y.shape[:2], *out)


def grad_input(g: Any, w: Any, x_shape: Shape, stride: Shape) -> Any:
    """Gradient of `forward` with respect to its input; 0 where a stride steps over.

    Math: gx[n, c, p stride] = sum_o w[o, c] g[n, o, p]
    Shape: (N, O, *S'), (O, C, 1 ...) -> (N, C, *S) = x_shape
    """
    xp, out = array_module(g), g.shape[2:]
    w, g = w.reshape(w.shape[:2]).T, _flatten_space(g)
    gx = xp.empty((*x_shape[:2], *out), g.dtype)
    rows = _flatten_space(gx)
    parallel_blocks(
        lambda p: xp.matmul(w, g[p], out=rows[p]),
        len(g),
        _nanoseconds(gx, w),
        uses_blas=True,
    )
    if out == tuple(x_shape[2:]):
        return gx
    full = xp.zeros(x_shape, g.dtype)
    _strided(full, stride, out)[...] = gx
    return full


def grad_weight(g: Any, x: Any, w_shape: Shape, stride: Shape) -> Any:
    """Gradient of `forward` with respect to its weight, summed image by image.

    Math: gw[o, c] = sum_(n, p) g[n, o, p] x[n, c, p stride]
    Shape: (N, O, *S'), (N, C, *S) -> (O, C, 1 ...) = w_shape
    """
    xp = array_module(x)
    x, g = _flatten_space(_strided(x, stride, g.shape[2:])), _flatten_space(g)
    # Each part of the images has its own sum, independent of threads.
    parts = xp.zeros((PARTIAL_SUMS, *w_shape), x.dtype)

    def sum_part(i: int) -> None:
        matrix = parts[i].reshape(w_shape[:2])
        for grad, image in zip(g[i::PARTIAL_SUMS], x[i::PARTIAL_SUMS], strict=True):
            matrix += grad @ image.T

    parallel_for_array(x, sum_part, PARTIAL_SUMS, uses_blas=True)
    return parts.sum(0)


def _nanoseconds(y: Any, w: Any) -> float:
    """Estimated nanoseconds for y = w x; 0 on a GPU, which needs no threads."""
    return (
        y.size * w.shape[1] / PRODUCTS_PER_NANOSECOND if type(y) is np.ndarray else 0.0
    )


def _strided(x: Any, stride: Shape, out: Shape) -> Any:
    """The pixels that the kernel is applied to."""
    steps = (slice(0, (n - 1) * t + 1, t) for n, t in zip(out, stride, strict=True))
    return x[(slice(None), slice(None), *steps)]


def _flatten_space(x: Any) -> Any:
    return x.reshape(*x.shape[:2], prod(x.shape[2:]))
