"""Convolutions of many small images: im2col and product of a few images at a time.

Rows of small images are short. In batch-last memory, see Note [Batch last] in
`sliding_windows.py`, the rows of all images form one long run, but copying the whole
batch to that order and back would occupy only one thread. So each thread takes a few
images, whose columns fit into its cache, and copies, multiplies and copies back.

Each function returns None if another algorithm is better.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from edutorch.kernels.conv_weight_gradient import WeightGradient
from edutorch.kernels.sliding_windows import (
    Shape,
    batch_axis_last,
    batch_last,
    tap_slices,
    taps,
    windows,
)
from edutorch.kernels.thread_pool import parallel_for

__all__ = ["forward", "grad_input", "grad_weight"]

BLOCK_BYTES = 2**20  # columns of some images
MIN_IMAGES = 4  # at a time: fewer make short lines
PARTS = 8  # of a batch, if they are large enough
PARTIAL_SUMS = 4  # computed by several threads


def forward(
    x: Any,
    w: Any,
    b: Any,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    groups: int,
    out: Shape,
) -> Any:
    """Cross-correlation of `x` with `w`, plus the bias `b` (or None).

    Math: y[n, o, p] = b[o] + sum_(c, k) w[o, c, k] x[n, c, p stride + k dilation]
    Shape: (N, C, *S), (O, C / groups, *K), (O) -> (N, O, *out)
    """
    parts = _image_slices(x, w.shape, out, stride, groups)
    if len(parts) < 2:
        return None
    y, matrices = np.empty((len(x), len(w), *out), x.dtype), _matrices(w, groups)

    def convolve_part(i: int) -> None:
        xt = batch_last(x[parts[i]], padding)
        columns = windows(xt, w.shape[2:], out, stride, dilation)
        part = matrices @ columns.reshape(groups, matrices.shape[2], -1)
        if b is not None:
            part += b.reshape(groups, -1, 1)
        target = batch_axis_last(y[parts[i]])
        target[...] = part.reshape(target.shape)

    parallel_for(convolve_part, len(parts), uses_blas=True)
    return y


def grad_weight(
    g: Any,
    x: Any,
    w_shape: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    groups: int,
) -> Any:
    """Gradient of `forward` with respect to its weight, given that of y.

    Math: gw[o, c, k] = sum_(n, p) g[n, o, p] x[n, c, p stride + k dilation]
    Shape: (N, O, *S'), (N, C, *S) -> (O, C / groups, *K) = w_shape
    """
    kernel, out = w_shape[2:], g.shape[2:]
    parts = _image_slices(x, w_shape, out, stride, groups)
    if len(parts) < 2:
        return None
    sums = min(PARTIAL_SUMS, len(parts))  # each adds up its own parts
    gw = WeightGradient(x, sums, w_shape, groups, np.matmul)

    def sum_part(i: int) -> None:
        for part in parts[i::sums]:
            xt, gt = batch_last(x[part], padding), batch_last(g[part])
            columns = windows(xt, kernel, out, stride, dilation)
            columns = columns.reshape(groups, prod(w_shape[1:]), -1)
            gw.add(i, gt.reshape(groups, w_shape[0] // groups, -1), columns)

    parallel_for(sum_part, sums, uses_blas=True)
    return gw.total()


def grad_input(
    g: Any,
    w: Any,
    x_shape: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    groups: int,
) -> Any:
    """Gradient of `forward` with respect to its input, given that of y.

    Math: gx[n, c, p stride + k dilation] = sum_(o, k) w[o, c, k] g[n, o, p]
    Shape: (N, O, *S'), (O, C / groups, *K) -> (N, C, *S) = x_shape
    """
    kernel, out = w.shape[2:], g.shape[2:]
    parts = _image_slices(g, w.shape, out, stride, groups)
    if len(parts) < 2:
        return None
    gx, matrices = np.empty(x_shape, g.dtype), _matrices(w, groups).swapaxes(1, 2)
    pairs = _tap_places(kernel, x_shape[2:], out, stride, padding, dilation)

    def compute_part(i: int) -> None:
        gt = batch_last(g[parts[i]])
        columns = matrices @ gt.reshape(groups, matrices.shape[2], -1)
        target = batch_axis_last(gx[parts[i]])
        cells = np.zeros(target.shape, g.dtype)
        columns = columns.reshape(x_shape[1], *kernel, *out, gt.shape[-1])
        for source, place in pairs:
            cells[place] += columns[source]
        target[...] = cells

    parallel_for(compute_part, len(parts), uses_blas=True)
    return gx


def _tap_places(kernel: Shape, *geometry: Shape) -> list[tuple[Any, Any]]:
    """For each tap, its columns and the cells that they come from."""
    found = [(tap, tap_slices(tap, *geometry)) for tap in taps(kernel)]
    every = slice(None)
    return [((every, *tap, *out), (every, *cells)) for tap, (cells, out) in found]


def _matrices(w: Any, groups: int) -> Any:
    """(O, C / G, *K) -> (G, O / G, rest)"""
    return w.reshape(groups, len(w) // groups, prod(w.shape[1:]))


def _image_slices(
    x: Any, w_shape: Shape, out: Shape, stride: Shape, groups: int
) -> list[slice]:
    """Images whose columns make a block; a single slice, or none, for large images.

    With a stride the lines of several images do not join.
    """
    image = prod(w_shape[1:]) * groups * prod(out) * x.itemsize
    if type(x) is not np.ndarray or x.dtype.char not in "fd" or not image:
        return []
    most = BLOCK_BYTES // image
    if most < MIN_IMAGES or stride[-1] > 1:
        return []
    each = min(most, max(MIN_IMAGES, -(-len(x) // PARTS)))
    return [slice(i, min(len(x), i + each)) for i in range(0, len(x), each)]
