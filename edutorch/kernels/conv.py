"""Convolution in 1, 2 and 3 dimensions by im2col and matrix products.

Three functions are enough: a convolution, its gradient with respect to the input
(which is also the transposed convolution) and its gradient with respect to the
weight. The derivative of each can be expressed by the other two.

Plain mode runs `plain/conv.py`, a GPU `gpu/conv.py`. Otherwise the first of these that
is worthwhile for the given shapes and dtypes computes:

1. `conv_1x1.py`: kernels of one cell, a matrix product of each image.
2. `conv_winograd.py`, `conv_winograd_2x2.py`: 3 x 3 kernels of many channels in single
   precision, unless oneDNN is faster.
3. `conv_depthwise.py`: one channel per group, by compiled loops.
4. `METHODS`: `conv_onednn.py`, if oneDNN is installed; `conv_im2col.py`, which gathers
   columns by compiled loops; `conv_small_images.py`, for many small images.
5. The functions in this file, for everything else. They work on batch-last memory, see
   Note [Batch last] in `sliding_windows.py`: columns are gathered block by block, so
   that a block is still in the cache when it is multiplied and when its results are
   copied to the standard order; columns are never stored.

Reference: Chellapilla, Puri, Simard (2006), "High performance convolutional neural
networks for document processing".
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from math import prod
from typing import Any

import numpy as np

from edutorch.backends.array_modules import array_module, on_gpu
from edutorch.backends.threads import blas_threads
from edutorch.config import plain
from edutorch.kernels import (
    conv_1x1,
    conv_depthwise,
    conv_im2col,
    conv_onednn,
    conv_small_images,
    conv_winograd_2x2,
)
from edutorch.kernels.conv_weight_gradient import WeightGradient
from edutorch.kernels.conv_winograd import is_worthwhile, winograd, winograd_grad_weight
from edutorch.kernels.gpu import conv as gpu_conv
from edutorch.kernels.plain import conv as plain_conv
from edutorch.kernels.sliding_windows import (
    Shape,
    accumulator,
    add_windows,
    batch_axis_last,
    batch_first,
    batch_last,
    blocks,
    conv_size,
    windows,
)
from edutorch.kernels.thread_pool import parallel_for_array

__all__ = [
    "conv_forward",
    "conv_grad_input",
    "conv_grad_weight",
]

# The columns of one block have about this many bytes, so that they stay in the L2
# cache, but there are enough for an efficient matrix product. Gradients also add to or
# from a block, so fewer columns are better for them.
BLOCK_BYTES = 2**20
GRADIENT_BYTES = 2**22
MIN_COLUMNS = 256

PARTS = 4  # of the rows of a product, or of channels, to be shared by the threads
# The number of partial sums of threads, and their maximal size together.
PARTIAL_SUMS = 4
PARTIAL_SUM_BYTES = 2**24
# In the order in which they are tried; each returns None for shapes that it does not
# support or that another one computes faster.
METHODS = conv_onednn, conv_im2col, conv_small_images


def conv_forward(
    x: Any,
    w: Any,
    b: Any,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    groups: int,
    out: Shape | None = None,
) -> Any:
    """Cross-correlation of `x` with `w`, plus the bias `b` (or None).

    `out` is the output size, if it is smaller than the input allows.

    Math: y[n, o, p] = b[o] + sum_(c, k) w[o, c, k] x[n, c, p stride + k dilation]
    Shape: (N, C, *S), (O, C / groups, *K), (O) -> (N, O, *S')
    """
    out = out or conv_size(x.shape[2:], w.shape[2:], stride, padding, dilation)
    formulas = _formulas(x)
    if formulas is not None:
        return formulas.conv_forward(x, w, b, stride, padding, dilation, groups, out)
    if conv_1x1.is_worthwhile(x, w.shape, out, padding, groups):
        return conv_1x1.forward(x, w, b, stride, out)
    shapes = (x.shape[0], w.shape[0], *out), w.shape
    if _uses_winograd("forward", x, *shapes, stride, dilation, groups):
        return _winograd_of(w.shape)(x, w, b, padding, out)
    geometry = stride, padding, dilation
    y = _by_methods("forward", (x, w, b), w.shape, geometry, groups, out)
    if y is None:
        y = _forward_batch_last(x, w, b, *geometry, groups, out)
    return y


def _forward_batch_last(
    x: Any,
    w: Any,
    b: Any,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    groups: int,
    out: Shape,
) -> Any:
    """`conv_forward` by columns in batch-last memory."""
    xp, n, o = array_module(x), x.shape[0], w.shape[0]
    xt = batch_last(x, padding)  # (C, *S, N)
    view = windows(xt, w.shape[2:], out, stride, dilation)  # (C, *K, *S', N)
    w = w.astype(xt.dtype, copy=False).reshape(groups, o // groups, -1)
    y = xp.empty((n, o, *out), x.dtype)
    blocks = list(_blocks(BLOCK_BYTES // xt.itemsize, w.shape[2] * groups, out, n))

    multiply = xp.matmul if len(blocks) > 1 else _multiply_in_parts

    def convolve_block(i: int) -> None:
        part = multiply(w, _group_matrices(view, blocks[i], groups))  # (G, O / G, ...)
        if b is not None:
            part += b.reshape(groups, -1, 1)
        target = batch_axis_last(y[(..., *blocks[i])])  # (O, *block, N)
        target[...] = part.reshape(target.shape)

    parallel_for_array(x, convolve_block, len(blocks), uses_blas=True)
    return y


def conv_grad_weight(
    g: Any,
    x: Any,
    w_shape: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    groups: int,
) -> Any:
    """Gradient of `conv_forward` with respect to its weight, given that of y.

    Math: gw[o, c, k] = sum_(n, p) g[n, o, p] x[n, c, p stride + k dilation]
    Shape: (N, O, *S'), (N, C, *S) -> (O, C / groups, *K) = w_shape
    """
    formulas = _formulas(x)
    if formulas is not None:
        params = stride, padding, dilation, groups
        return formulas.conv_grad_weight(g, x, w_shape, *params)
    if conv_1x1.is_worthwhile(x, w_shape, g.shape[2:], padding, groups):
        return conv_1x1.grad_weight(g, x, w_shape, stride)
    if _uses_winograd("grad_weight", x, g.shape, w_shape, stride, dilation, groups):
        return winograd_grad_weight(g, x, padding)
    geometry = stride, padding, dilation
    gw = _by_methods("grad_weight", (g, x, w_shape), w_shape, geometry, groups)
    if gw is None:
        gw = _grad_weight_batch_last(g, x, w_shape, *geometry, groups)
    return gw


def _grad_weight_batch_last(
    g: Any,
    x: Any,
    w_shape: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    groups: int,
) -> Any:
    """`conv_grad_weight` by columns in batch-last memory."""
    n, o, *out = g.shape
    gt = batch_axis_last(g)  # (O, *S', N), made dense block by block
    xt = batch_last(x, padding)
    view = windows(xt, w_shape[2:], tuple(out), stride, dilation)
    rows = prod(w_shape[1:])  # C / G * K
    numbers = GRADIENT_BYTES // xt.itemsize
    blocks = list(_blocks(numbers, rows * groups, tuple(out), n))
    # Each part of the blocks has its own sum, independent of threads.
    parts = max(
        1,
        min(
            PARTIAL_SUMS, len(blocks), PARTIAL_SUM_BYTES // (o * rows * xt.itemsize + 1)
        ),
    )
    multiply = array_module(x).matmul if parts > 1 else _multiply_in_parts
    gw = WeightGradient(xt, parts, w_shape, groups, multiply)

    def add_blocks(i: int) -> None:
        for block in blocks[i::parts]:
            columns = _group_matrices(view, block, groups)  # (G, rows, block * N)
            gw.add(i, _group_matrices(gt, block, groups), columns)

    parallel_for_array(x, add_blocks, parts, uses_blas=True)
    return gw.total().astype(x.dtype, copy=False)


def conv_grad_input(
    g: Any,
    w: Any,
    x_shape: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    groups: int,
) -> Any:
    """Gradient of `conv_forward` with respect to its input, given that of y.

    The same sum is the transposed convolution of `g`.

    Math: gx[n, c, p stride + k dilation] = sum_(o, k) w[o, c, k] g[n, o, p]
    Shape: (N, O, *S'), (O, C / groups, *K) -> (N, C, *S) = x_shape
    """
    formulas = _formulas(g)
    if formulas is not None:
        params = stride, padding, dilation, groups
        return formulas.conv_grad_input(g, w, x_shape, *params)
    if conv_1x1.is_worthwhile(g, w.shape, g.shape[2:], padding, groups):
        return conv_1x1.grad_input(g, w, x_shape, stride)
    if _uses_winograd("grad_input", g, x_shape, w.shape, stride, dilation, groups):
        around, size = tuple(2 - p for p in padding), tuple(x_shape[2:])
        return _winograd_of(w.shape)(g, w, None, around, size, adjoint=True)
    geometry = stride, padding, dilation
    gx = _by_methods("grad_input", (g, w, x_shape), w.shape, geometry, groups)
    if gx is None:
        gx = _grad_input_batch_last(g, w, x_shape, *geometry, groups)
    return gx


def _grad_input_batch_last(
    g: Any,
    w: Any,
    x_shape: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    groups: int,
) -> Any:
    """`conv_grad_input` by columns in batch-last memory."""
    (n, c, *size), (o, _, *kernel), out = x_shape, w.shape, g.shape[2:]
    xp, dtype = array_module(g), accumulator(g.dtype)
    gt = batch_axis_last(g)  # (O, *S', N), made dense block by block
    wt = w.astype(dtype, copy=False).reshape(groups, o // groups, -1)
    wt = wt.swapaxes(1, 2)  # (G, C / G * K, O / G)
    gx, cells = xp.zeros((c, *size, n), dtype), prod(kernel)
    numbers = GRADIENT_BYTES // dtype.itemsize
    blocks = list(_blocks(numbers, wt.shape[1] * groups, out, n))
    dense = [_group_matrices(gt, block, groups) for block in blocks]
    # The threads process different channels, and so add to different cells.
    parts = _slices(c if groups == 1 else groups)

    def add_channels(i: int) -> None:
        part, each = parts[i], c // groups
        if groups == 1:
            target, rows = gx[part], slice(part.start * cells, part.stop * cells)
            matrix, grads = wt[:, rows], dense
        else:
            target, matrix = gx[part.start * each : part.stop * each], wt[part]
            grads = [d[part] for d in dense]
        for block, grad in zip(blocks, grads, strict=True):
            _add_block(target, matrix @ grad, block, kernel, stride, padding, dilation)

    with blas_threads(1) if len(parts) == 1 else nullcontext():
        parallel_for_array(g, add_channels, len(parts), uses_blas=True)
    return batch_first(gx, g.dtype)


def _add_block(
    x: Any,
    columns: Any,
    block: tuple[slice, ...],
    kernel: list[int],
    stride: Shape,
    padding: Shape,
    dilation: Shape,
) -> None:
    """Add the columns of some output positions to the cells they came from."""
    shape = tuple(part.stop - part.start for part in block)
    start = tuple(
        p - part.start * t for part, p, t in zip(block, padding, stride, strict=True)
    )
    columns = columns.reshape(len(x), *kernel, *shape, x.shape[-1])
    add_windows(x, columns, stride, start, dilation)


def _formulas(x: Any) -> Any:
    """The module with the functions for this array; None for those in this file."""
    if type(x) is np.ndarray:
        return plain_conv if x.dtype.char in "fdFD" and plain() else None
    return gpu_conv if on_gpu(x) else None


def _uses_winograd(
    kind: str,
    x: Any,
    y_shape: Shape,
    w_shape: Shape,
    stride: Shape,
    dilation: Shape,
    groups: int,
) -> bool:
    """Whether Winograd's algorithm computes `kind`.

    Args:
        kind: "forward", "grad_weight" or "grad_input".
        x: an operand.
        y_shape: of the images that are computed; for "grad_weight", of the gradient.
    """
    if x.dtype != np.float32 or type(x) is not np.ndarray:
        return False
    if not is_worthwhile(y_shape, w_shape, stride, dilation, groups):
        return False
    return not conv_onednn.is_faster_than_winograd(kind, y_shape[2:], w_shape)


def _winograd_of(w_shape: Shape) -> Any:
    """The convolution by Winograd tiles, small ones for many channels."""
    small = conv_winograd_2x2.is_worthwhile(w_shape)
    return conv_winograd_2x2.winograd_2x2 if small else winograd


def _by_methods(
    kind: str,
    operands: tuple[Any, ...],
    w_shape: Shape,
    geometry: tuple[Shape, Shape, Shape],
    groups: int,
    *out: Shape,
) -> Any:
    """The result of the depthwise loops or of one of `METHODS`; None without any.

    Args:
        kind: the name of the function: "forward", "grad_weight" or "grad_input".
        operands: its arguments before the geometry; two arrays come first.
        out: the output size, for "forward".
    """
    if operands[0].dtype != operands[1].dtype:
        return None
    if groups > 1 and w_shape[1] == 1:  # depthwise: each channel has its own kernels
        return getattr(conv_depthwise, kind)(*operands, *geometry, *out)
    for method in METHODS:
        result = getattr(method, kind)(*operands, *geometry, groups, *out)
        if result is not None:
            return result
    return None


def _multiply_in_parts(a: Any, b: Any) -> Any:
    """The product of matrices, some rows at a time.

    BLAS rounds differently with different numbers of threads; this product does not.

    Shape: (G, M, K), (G, K, N) -> (G, M, N)
    """
    xp = array_module(a)
    y = xp.empty((*a.shape[:2], b.shape[2]), xp.result_type(a, b))
    rows = [(slice(None), part) for part in _slices(a.shape[1])]

    def multiply_rows(i: int) -> None:
        y[rows[i]] = a[rows[i]] @ b

    with blas_threads(1) if len(rows) == 1 else nullcontext():
        parallel_for_array(a, multiply_rows, len(rows), uses_blas=True)
    return y


def _slices(n: int) -> list[slice]:
    """`range(n)` in a few slices, to be shared by the threads."""
    step = max(1, -(-n // PARTS))
    return [slice(i, min(n, i + step)) for i in range(0, n, step)]


def _blocks(numbers: int, rows: int, out: Shape, n: int) -> Iterator[tuple[slice, ...]]:
    """Blocks of output positions, whose columns of `rows` have `numbers` elements."""
    columns = max(MIN_COLUMNS, numbers // max(1, rows))
    return blocks(out, max(1, columns // max(1, n)))


def _group_matrices(x: Any, block: tuple[slice, ...], groups: int) -> Any:
    """The positions `block` of batch-last `x`, as a matrix for each group.

    If the elements are not laid out as a matrix, this copies (gathers) them.

    Shape: (C, *rest, *S', N) -> (G, C / G * rest, block * N)
    """
    part = x[(..., *block, slice(None))]
    part = part.astype(accumulator(x.dtype), copy=False)
    rows, columns = part.shape[: -len(block) - 1], part.shape[-len(block) - 1 :]
    return part.reshape(groups, prod(rows) // groups, prod(columns))
