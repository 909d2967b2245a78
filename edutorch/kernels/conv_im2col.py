"""Convolutions by im2col of a few images at a time, in the standard memory order.

Compiled loops gather columns without a batch-last copy of the images, and the product
of one image is its output, in its final memory order. Without compiled kernels, im2col
in `conv.py`, which copies longer runs, is faster; it is also the reference for the
tests.

Each function returns None if there is no compiled kernel.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from edutorch.kernels.compiled import CompiledKernels
from edutorch.kernels.conv_weight_gradient import WeightGradient
from edutorch.kernels.padded_buffers import (
    as_3d,
    conv_geometry,
    is_supported,
    padded_buffer,
)
from edutorch.kernels.sliding_windows import Shape
from edutorch.kernels.thread_pool import parallel_for

__all__ = ["forward", "grad_input", "grad_weight"]

BLOCK_BYTES = 2**20  # columns of one block, to stay in the L2 cache
MAX_BYTES = 2**24  # of indivisible columns; larger ones are left to `conv.py`
MIN_COLUMNS = 256  # of a block; fewer make a slow matrix product
# Rows up to this length are padded to the length of the buffer's, see `_row_length`.
MAX_PADDED_ROW = 32
MAX_EXTRA_PRODUCTS = 40  # in a padded row, for each channel and tap
PARTIAL_SUMS = 4  # computed by several threads
# Inputs that a row of windows covers. Shorter rows are copied faster if the elements of
# several images are contiguous (`conv.py`).
MIN_ROW = {"im2col": 24, "col2im": 16}
MAX_SHORT_ROW_IMAGES = 2  # for at most this many images they are not

_compiled = CompiledKernels("conv_im2col")
Block = tuple[slice, slice]


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
    im2col = _find_kernel("im2col", x, w.shape, out, stride, groups)
    if im2col is None:
        return None
    n, o, geometry = len(x), len(w), conv_geometry(stride, padding, dilation)
    y, x = np.empty((n, o, *out), x.dtype), _as_5d(x)
    matrices = w.reshape(groups, o // groups, -1)
    result, blocks = _as_5d(y), _blocks(x, w.shape, out, groups)

    def convolve_block(i: int) -> None:
        images, layers = blocks[i]
        columns = _gather_columns(im2col, x, w.shape, blocks[i], result.shape, geometry)
        part = matrices @ columns.reshape(groups, matrices.shape[2], -1)
        if b is not None:
            part += b.reshape(groups, -1, 1)
        target = result[images, :, layers].swapaxes(0, 1)  # (O, block, ...)
        target[...] = part.reshape(o, *columns.shape[4:])[..., : out[-1]]

    parallel_for(convolve_block, len(blocks), uses_blas=True)
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
    out, o = g.shape[2:], g.shape[1]
    im2col = _find_kernel("im2col", x, w_shape, out, stride, groups)
    if im2col is None:
        return None
    geometry, g, x = conv_geometry(stride, padding, dilation), _as_5d(g), _as_5d(x)
    blocks = _blocks(x, w_shape, out, groups)
    parts = min(PARTIAL_SUMS, len(blocks))  # each has its own sum
    gw = WeightGradient(x, parts, w_shape, groups, np.matmul)

    def add_blocks(i: int) -> None:
        for images, layers in blocks[i::parts]:
            columns = _gather_columns(
                im2col, x, w_shape, (images, layers), g.shape, geometry
            )
            grads = _with_padded_rows(
                g[images, :, layers].swapaxes(0, 1), columns.shape[7]
            )
            columns = columns.reshape(groups, prod(w_shape[1:]), -1)
            gw.add(i, grads.reshape(groups, o // groups, -1), columns)

    parallel_for(add_blocks, parts, uses_blas=True)
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
    out, o = g.shape[2:], g.shape[1]
    col2im = _find_kernel("col2im", g, w.shape, out, stride, groups)
    height = w[0].size * groups
    if col2im is None or 0 in x_shape or height * prod(out) * g.itemsize > MAX_BYTES:
        return None
    geometry, gx = conv_geometry(stride, padding, dilation), np.empty(x_shape, g.dtype)
    g, result = _as_5d(g), _as_5d(gx)
    matrices = w.reshape(groups, o // groups, -1).swapaxes(1, 2)
    each = _images_per_block(height, prod(out), g.itemsize)

    def fill_images(i: int) -> None:
        images = slice(i * each, (i + 1) * each)
        size = result.shape[2:]
        padded = padded_buffer(
            geometry, size, size[0] + 2 * int(geometry[1, 0]), g.dtype
        )
        length = _row_length(padded, out[-1], o // groups)
        grads = _with_padded_rows(g[images].swapaxes(0, 1), length)  # (O, block, ...)
        columns = matrices @ grads.reshape(groups, o // groups, -1)
        kernel = (x_shape[1], *as_3d(w.shape[2:]))
        columns = columns.reshape(*kernel, *grads.shape[1:])
        col2im(columns, out[-1], geometry, padded, result[images])

    parallel_for(fill_images, -(-len(g) // each), uses_blas=True)
    return gx


def _find_kernel(
    name: str, x: Any, w_shape: Shape, out: Shape, stride: Shape, groups: int
) -> Any:
    """The compiled kernel for such arrays, or None."""
    if not is_supported(x, w_shape, out):
        return None
    if out[-1] * stride[-1] < MIN_ROW[name] and len(x) > MAX_SHORT_ROW_IMAGES:
        return None
    layer = prod(as_3d(out)[1:]) * prod(w_shape[1 : len(out) + 2]) * groups
    if layer * x.itemsize > MAX_BYTES:
        return None
    return _compiled.find(name, np.empty(0, x.dtype))


def _gather_columns(
    im2col: Any, x: Any, w_shape: Shape, block: Block, y_shape: Shape, geometry: Any
) -> Any:
    """Columns of some layers of some images: (C, KD, KH, KW, block, D', H', length)."""
    images, layers = x[block[0]], block[1]
    kernel, count = as_3d(w_shape[2:]), layers.stop - layers.start
    reach = (
        (count - 1) * int(geometry[0, 0]) + (kernel[0] - 1) * int(geometry[2, 0]) + 1
    )
    padded = padded_buffer(geometry, x.shape[2:], reach, x.dtype)
    outputs = w_shape[0] * w_shape[1] // x.shape[1]  # of a group
    length = _row_length(padded, y_shape[-1], outputs)
    shape = (x.shape[1], *kernel, len(images), count, y_shape[3], length)
    columns = np.empty(shape, x.dtype)
    im2col(images, geometry, padded, layers.start, y_shape[-1], columns)
    return columns


def _row_length(padded: Any, width: int, outputs: int) -> int:
    """The length of a row with `width` windows: the buffer's, or no longer than needed.

    See Note [Padded rows] in `fast/conv_im2col.py`. The padding is multiplied, too,
    which must not take longer than copying short rows.
    """
    length: int = padded.shape[5]
    short = width <= MAX_PADDED_ROW and (length - width) * outputs <= MAX_EXTRA_PRODUCTS
    return length if short else width


def _with_padded_rows(grads: Any, length: int) -> Any:
    """Gradients whose rows are padded with zeros to the row length of the columns."""
    if grads.shape[-1] == length:
        return grads
    longer = np.zeros((*grads.shape[:-1], length), grads.dtype)
    longer[..., : grads.shape[-1]] = grads
    return longer


def _blocks(x: Any, w_shape: Shape, out: Shape, groups: int) -> list[Block]:
    """The blocks: several images with all their layers, or some layers of one image."""
    n, rows, (depth, height, width) = len(x), prod(w_shape[1:]) * groups, as_3d(out)
    images = _images_per_block(rows, prod(out), x.itemsize)
    layers = depth
    if images == 1:
        layers = min(depth, _images_per_block(rows, height * width, x.itemsize))
    return [
        (slice(i, min(n, i + images)), slice(d, min(depth, d + layers)))
        for i in range(0, n, images)
        for d in range(0, depth, layers)
    ]


def _images_per_block(height: int, columns: int, itemsize: int) -> int:
    """The number of images (or layers) with this many columns of `height` per block."""
    return max(1, max(MIN_COLUMNS, BLOCK_BYTES // (height * itemsize)) // columns)


def _as_5d(x: Any) -> Any:
    """(N, C, *S) -> (N, C, D, H, W)"""
    return np.ascontiguousarray(x).reshape(*x.shape[:2], *as_3d(x.shape[2:]))
