"""Convolutions by oneDNN, some images at a time, where that is faster.

The images are divided among the threads of the library's pool. A block has a fixed
number of images, and partial sums are added in a fixed order, so results do not depend
on the number of threads. Arrays are copied to oneDNN's layout block by block; the
weight once.

Each function returns None if another algorithm should compute.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from edutorch import config
from edutorch.backends import mkldnn
from edutorch.kernels.onednn import AVX512_FP16, aligned, library, one_thread
from edutorch.kernels.onednn_primitives import (
    Convolution,
    convolution,
    dense_strides,
)
from edutorch.kernels.sliding_windows import Shape
from edutorch.kernels.thread_pool import parallel_blocks, parallel_for

__all__ = ["forward", "grad_input", "grad_weight", "is_faster_than_winograd"]

Operands = tuple[Any, Any, Any]  # input, weight and output
Windows = tuple[Shape, Shape, Shape]  # stride, padding and dilation

BLOCK_BYTES = 2**20  # of the images and results of a block, to stay in the L2 cache
BLOCKS = 8  # at least, if there are enough images: work for several threads
HEAVY_BYTES = 2**20  # of a weight: each block reads it all, so there are
HEAVY_BLOCKS = 4  # fewer of them
SMALL_IMAGES_BYTES = 2**22  # of all images and results: blocks are channels then
CHANNEL_BLOCKS = 8  # at most, of at least
BLOCK_CHANNELS = 64  # each
PARTIAL_SUMS = 4  # of the gradient of a weight
PARTIAL_SUM_BYTES = 2**22  # of a block whose gradients are summed

# Where oneDNN is faster, measured against `conv_im2col.py` and `conv_small_images.py`
# on one and two threads of a processor with AVX-512. It computes 16 channels side by
# side, so few channels waste time. Kernels that `conv_1x1.py` supports are as fast
# there; for those of `conv_winograd.py` see `is_faster_than_winograd`.
LANES = 16
MAX_WASTE = 1.5  # forward: 20 output channels take as long as 32
MIN_CHANNELS = 6  # grad_input: input channels
MAX_WEIGHT_BYTES = 3 * 2**20  # grad_weight: larger sums take longer than products
MIN_PRODUCTS = 2**18  # for fewer, calls of the library take longer
SMALL_IMAGE = 64  # pixels, of at least
MANY_CHANNELS = 256


def is_faster_than_winograd(kind: str, size: Shape, w_shape: Shape) -> bool:
    """Whether oneDNN is faster than Winograd's algorithm, where that is used.

    On processors since Intel's Sapphire Rapids products are so fast, compared with
    memory, that Winograd's transforms take longer than they save. On others, it is for
    small images of many channels: transforming the kernels takes long there.

    Args:
        kind: "forward", "grad_input" or "grad_weight".
        size: of the image that is computed, or of the gradient for "grad_weight".

    Example:
        >>> is_faster_than_winograd("grad_weight", (16, 16), (512, 512, 3, 3))
        False
    """
    if not _is_enabled():
        return False
    if _multiplies_fast():
        return _suits(kind, w_shape)
    many = kind != "grad_weight" and min(w_shape[:2]) >= MANY_CHANNELS
    return many and prod(size) <= SMALL_IMAGE


def _multiplies_fast() -> bool:
    """Whether the processor is one of those since Sapphire Rapids."""
    return library().instructions & AVX512_FP16 == AVX512_FP16


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
    shapes = x.shape, w.shape, (len(x), len(w), *out)
    biases = [] if b is None else [np.ascontiguousarray(b)]
    if not _is_worthwhile("forward", shapes, groups, x, w, *biases):
        return None
    x, y, w = _dense(x), _empty(shapes[2], x), _in_groups(w, groups)
    windows = stride, padding, dilation
    return y if _compute("forward", x, w, y, windows, biases) else None


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
    shapes = tuple(x_shape), w.shape, g.shape
    if not _is_worthwhile("grad_input", shapes, groups, g, w):
        return None
    g, gx, w = _dense(g), _empty(tuple(x_shape), g), _in_groups(w, groups)
    windows = stride, padding, dilation
    return gx if _compute("grad_input", gx, w, g, windows) else None


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
    shapes = x.shape, tuple(w_shape), g.shape
    if not _is_worthwhile("grad_weight", shapes, groups, g, x):
        return None
    g, x = _dense(g), _dense(x)
    gw = _in_groups(np.empty(w_shape, np.float32), groups)
    blocks = [(x[part], gw, g[part]) for part in _blocks_of_sums(x, g)]
    windows = stride, padding, dilation
    found = _convolutions("grad_weight", blocks, (x, gw, g), windows)
    if found is None:
        return None
    parts = min(PARTIAL_SUMS, len(blocks))
    # Each part of the blocks has its own sums, independent of threads: one for each
    # convolution, since the last block may have another, and so another layout.
    sums: list[dict[Convolution, Any]] = [{} for _ in range(parts)]

    def sum_part(i: int) -> None:
        for (images, _, grads), c in zip(
            blocks[i::parts], found[i::parts], strict=True
        ):
            result = aligned(c.w.size)
            with one_thread():
                c.run(images.ctypes.data, result.ctypes.data, grads.ctypes.data)
            _add(sums[i], c, result)

    parallel_for(sum_part, parts, uses_blas=False)
    total = sums[0]
    for more in sums[1:]:
        for c, result in more.items():
            _add(total, c, result)
    return _unpacked(total, gw).reshape(w_shape)


def _compute(
    kind: str,
    x: Any,
    w: Any,
    y: Any,
    windows: Windows,
    biases: Sequence[Any] = (),
) -> bool:
    """Compute y ("forward") or x ("grad_input"); False if oneDNN cannot."""
    small = x.nbytes + y.nbytes <= SMALL_IMAGES_BYTES
    if small and w.nbytes > HEAVY_BYTES and w.ndim == x.ndim:
        return _compute_channels(kind, x, w, y, windows, biases)
    return _compute_images(kind, x, w, y, windows, biases)


def _compute_images(
    kind: str, x: Any, w: Any, y: Any, windows: Windows, biases: Sequence[Any]
) -> bool:
    """Compute some images in each block; the weight is copied once for all."""
    blocks = [(x[part], w, y[part]) for part in _blocks(x, y, w.nbytes)]
    found = _convolutions(kind, blocks, (x, w, y), windows, bias=bool(biases))
    if found is None:
        return False
    for c in found:
        c.check_bias(biases)
    with one_thread():
        weights = {c: c.packed_weight(w) for c in dict.fromkeys(found)}
    bias = [a.ctypes.data for a in biases]

    def compute_block(i: int) -> None:
        (images, _, results), c = blocks[i], found[i]
        with one_thread():
            weight = weights[c].ctypes.data
            c.run(images.ctypes.data, weight, results.ctypes.data, *bias)

    parallel_for(compute_block, len(blocks), uses_blas=False)
    return True


def _compute_channels(
    kind: str, x: Any, w: Any, y: Any, windows: Windows, biases: Sequence[Any]
) -> bool:
    """Compute some channels in each block, which copies its part of the weight.

    For a few small images of many channels: to copy the weight, and to read it for
    each block of images, would take long.
    """
    if kind == "forward":
        parts = _slices(len(w), _channels_of_block(len(w)))
        blocks = [(x, w[part], y[:, part]) for part in parts]
    else:
        parts = _slices(w.shape[1], _channels_of_block(w.shape[1]))
        blocks = [(x[:, part], w[:, part], y) for part in parts]
    found = _convolutions(kind, blocks, (x, w, y), windows, bias=bool(biases))
    if found is None:
        return False
    bias = [[b[part] for b in biases] for part in parts]
    for c, some in zip(found, bias, strict=True):
        c.check_bias(some)

    def compute_block(i: int) -> None:
        (inputs, weight, outputs), c = blocks[i], found[i]
        more = [b.ctypes.data for b in bias[i]]
        with one_thread():
            packed = c.packed_weight(weight, reuse=True).ctypes.data
            c.run(inputs.ctypes.data, packed, outputs.ctypes.data, *more)

    parallel_for(compute_block, len(blocks), uses_blas=False)
    return True


def _channels_of_block(channels: int) -> int:
    """How many channels a block of `_compute_channels` computes.

    Example:
        >>> _channels_of_block(1024), _channels_of_block(520), _channels_of_block(100)
        (128, 80, 64)
    """
    return max(BLOCK_CHANNELS, -(-channels // (CHANNEL_BLOCKS * LANES)) * LANES)


def _add(sums: dict[Convolution, Any], c: Convolution, result: Any) -> None:
    """Add a gradient in the layout of a convolution to the sum for it."""
    if c not in sums:
        sums[c] = result
        return
    a, b = (buffer.view(np.float32) for buffer in (sums[c], result))
    parallel_blocks(
        lambda p: np.add(a[p], b[p], out=a[p]), len(a), len(a) / 4, uses_blas=False
    )


def _unpacked(total: dict[Convolution, Any], gw: Any) -> Any:
    """Sums of gradients, each in the layout of a convolution, in `gw`."""
    with one_thread():
        for i, (c, packed) in enumerate(total.items()):
            part = np.empty_like(gw) if i else gw
            c.unpack_weight(packed, part)
            if i:
                gw += part
    return gw


def _is_worthwhile(
    kind: str, shapes: tuple[Shape, Shape, Shape], groups: int, *arrays: Any
) -> bool:
    """Whether oneDNN is faster than the other algorithms.

    Example:
        >>> shapes = (1, 2, 3, 3), (2, 2, 1, 1), (1, 2, 3, 3)
        >>> _is_worthwhile("forward", shapes, 1, np.zeros(1))
        False
    """
    if any(type(a) is not np.ndarray or a.dtype != np.float32 for a in arrays):
        return False
    _, w_shape, y_shape = shapes
    products = prod(w_shape[1:]) * prod(y_shape)
    if products < MIN_PRODUCTS or prod(shapes[0]) == 0:
        return False
    if not _is_enabled():
        return False
    return groups > 1 or _suits(kind, w_shape)


def _suits(kind: str, w_shape: Shape) -> bool:
    """Whether oneDNN's loops suit the size of a weight of one group."""
    if kind == "forward":
        return -(-w_shape[0] // LANES) * LANES <= MAX_WASTE * w_shape[0]
    if kind == "grad_input":
        return w_shape[1] >= MIN_CHANNELS
    return prod(w_shape) * 4 <= MAX_WEIGHT_BYTES


def _is_enabled() -> bool:
    return config.onednn() and mkldnn.enabled


def _convolutions(
    kind: str,
    blocks: Sequence[Operands],
    arrays: Operands,
    windows: Windows,
    *,
    bias: bool = False,
) -> list[Convolution] | None:
    """The convolution of each block; None if oneDNN lacks one.

    Args:
        blocks: the parts of the operands that each block uses.
        arrays: the operands.
    """
    stride, padding, dilation = windows
    x, w, y = arrays
    kernel = w.shape[w.ndim - len(stride) :]
    after = tuple(
        (n - 1) * t + (k - 1) * d + 1 - size - p
        for n, t, k, d, size, p in zip(
            y.shape[2:], stride, kernel, dilation, x.shape[2:], padding, strict=True
        )
    )
    geometry = stride, tuple(d - 1 for d in dilation), padding, after
    steps = _steps(x), _steps(w), _steps(y)
    found = []
    for images, weight, results in blocks:
        shapes = images.shape, weight.shape, results.shape
        c = convolution(kind, shapes, steps, geometry, bias=bias)
        if c is None:
            return None
        if c not in found:
            c.check(images, weight, results)
        found.append(c)
    return found


def _steps(a: Any) -> Shape:
    """Strides in elements of a dense array and of its parts."""
    return dense_strides(a.shape, channels_last=not a.flags.c_contiguous)


def _blocks(x: Any, y: Any, weight_bytes: int) -> list[slice]:
    """Slices of the images, for results that are independent of each other."""
    n = len(x)
    least = HEAVY_BLOCKS if weight_bytes > HEAVY_BYTES else BLOCKS
    each = min(-(-n // least), BLOCK_BYTES // ((x.nbytes + y.nbytes) // n))
    return _slices(n, max(1, each))


def _blocks_of_sums(x: Any, y: Any) -> list[slice]:
    """Slices of the images, for gradients that are added."""
    n = len(x)
    each = min(-(-n // PARTIAL_SUMS), PARTIAL_SUM_BYTES // ((x.nbytes + y.nbytes) // n))
    return _slices(n, max(1, each))


def _slices(n: int, each: int) -> list[slice]:
    return [slice(i, min(n, i + each)) for i in range(0, n, each)]


def _dense(a: Any) -> Any:
    """The array, or a copy of it, row-major or with the channels innermost."""
    if a.flags.c_contiguous or np.moveaxis(a, 1, -1).flags.c_contiguous:
        return a
    return np.ascontiguousarray(a)


def _empty(shape: Shape, like: Any) -> Any:
    """An array for a result in the memory order of an operand."""
    if like.flags.c_contiguous:
        return np.empty(shape, np.float32)
    n, c, *space = shape
    return np.moveaxis(np.empty((n, *space, c), np.float32), -1, 1)


def _in_groups(w: Any, groups: int) -> Any:
    """A weight as oneDNN takes it, row-major: in groups, if there are several."""
    w = np.ascontiguousarray(w)
    return w if groups == 1 else w.reshape(groups, len(w) // groups, *w.shape[1:])
