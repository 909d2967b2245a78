"""Convolutions with 3 x 3 kernels by small Winograd tiles, for many channels.

An output tile of 2 x 2 needs an input tile of 4 x 4: 16 products instead of 36. The
larger tiles of `conv_winograd.py` need 12 for as many outputs. But the points of small
tiles are 0, 1, -1 and infinity in both directions, so that the transforms consist of
additions only, and the error is smaller. Therefore sums over the channels may be long,
which gives large matrix products and few partial sums.

Tiles have the order of Note [Order of tiles] in `conv_winograd.py`.

Reference: Lavin, Gray (2016), "Fast algorithms for convolutional neural networks".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edutorch.backends.threads import blas_threads
from edutorch.kernels.compiled import CompiledKernels
from edutorch.kernels.conv_winograd import CT, DT, H, slices, transformed_tiles
from edutorch.kernels.thread_pool import parallel_for

__all__ = ["is_worthwhile", "winograd_2x2"]

STEP, TILE = (2, 2), (4, 4)
TILE_SIZE = 16  # numbers of a transformed tile
MIN_CHANNELS = 64  # for fewer, the larger tiles are quicker
MAX_SUM = 128  # channels that one product sums over: the error grows with their number
MAX_BYTES = 2**22  # of all transformed inputs; more are computed in parts
PART_BYTES = 2**20  # of the transformed inputs of a part
MIN_TILES = 64  # in one task: smaller matrix products are slow
KERNELS, CHANNELS = 64, 32  # in one task
MIN_SLICES = 4  # of the kernels

INPUT = np.kron(CT, CT).astype(np.float32)
KERNEL = np.kron(H, H).astype(np.float32)
OUTPUT = np.kron(DT, DT).astype(np.float32)

Shape = tuple[int, ...]
Part = tuple[slice, slice]  # some images, some rows of their tiles
_compiled = CompiledKernels("conv_winograd_2x2")


def is_worthwhile(w_shape: Shape) -> bool:
    """Whether small tiles are quicker than large ones.

    Example:
        >>> is_worthwhile((32, 64, 3, 3)), is_worthwhile((128, 64, 3, 3))
        (False, True)
    """
    return min(w_shape[:2]) >= MIN_CHANNELS


def winograd_2x2(
    x: Any, w: Any, b: Any, padding: Shape, out: Shape, *, adjoint: bool = False
) -> Any:
    """Cross-correlation of `x` with 3 x 3 kernels, or its adjoint.

    The adjoint, with flipped kernels and swapped channels, computes the gradient of the
    input from that of the output.

    Math: y[n, o, p] = b[o] + sum_(c, k) w[o, c, k] x[n, c, p + k - padding]
        adjoint: y[n, c, p] = sum_(o, k) w[o, c, 2 - k] x[n, o, p + k - padding]
    Shape: (N, C, H, W), (O, C, 3, 3), (O) -> (N, O, *out)
    """
    o, c = w.shape[1::-1] if adjoint else w.shape[:2]
    x, w = np.ascontiguousarray(x), np.ascontiguousarray(w)
    y, count = np.empty((len(x), o, *out), np.float32), _tile_count(out)
    b = np.zeros(o, np.float32) if b is None else np.ascontiguousarray(b)
    whole = slice(0, len(x)), slice(0, count[0])

    if TILE_SIZE * 4 * c * _tiles_of(whole, count) <= MAX_BYTES:
        v = np.empty((TILE_SIZE, c, _tiles_of(whole, count)), np.float32)

        def transform_inputs(k: slice) -> None:
            v[:, k] = _input_tiles(x, k, padding, count, whole)

        def compute_outputs(k: slice) -> None:
            m = _products(_kernel_tiles(w, k, adjoint), v)
            _output_tiles(m, y, b, k, whole)

        _parallel(transform_inputs, slices(c, CHANNELS))
        # Slices for several threads: with its own, BLAS would round differently.
        _parallel(compute_outputs, slices(o, min(KERNELS, -(-o // MIN_SLICES))))
        return y
    kernels = slices(o, KERNELS)
    transformed: dict[int, Any] = {}

    def transform_kernels(k: slice) -> None:
        transformed[k.start] = _kernel_tiles(w, k, adjoint)

    def compute_part(part: Part) -> None:
        v = _input_tiles(x, slice(0, c), padding, count, part)
        for k in kernels:
            _output_tiles(_products(transformed[k.start], v), y, b, k, part)

    _parallel(transform_kernels, kernels)
    _parallel(compute_part, _parts(len(x), count, c))
    return y


def _parallel(work: Callable[[Any], object], parts: list[Any]) -> None:
    parallel_for(lambda i: work(parts[i]), len(parts), uses_blas=True)


def _tile_count(out: Any) -> tuple[int, int]:
    """The number of tiles that cover the outputs, along each dimension."""
    return -(-out[0] // STEP[0]), -(-out[1] // STEP[1])


def _tiles_of(part: Part, count: Shape) -> int:
    """The number of tiles in a part."""
    images, rows = part
    return int(images.stop - images.start) * int(rows.stop - rows.start) * count[1]


def _parts(n: int, count: tuple[int, int], channels: int) -> list[Part]:
    """The tasks: several images with all rows of tiles, or some rows of one image."""
    height, width = count
    rows = max(1, max(MIN_TILES, PART_BYTES // (TILE_SIZE * 4 * channels)) // width)
    row_slices = slices(height, min(rows, height))
    return [(i, r) for i in slices(n, max(1, rows // height)) for r in row_slices]


def _products(u: Any, v: Any) -> Any:
    """Products of kernels and inputs, of some channels at a time: (16, O, T)."""
    first, *others = slices(v.shape[1], MAX_SUM)
    m = np.matmul(u[:, :, first], v[:, first])
    for k in others:
        m += np.matmul(u[:, :, k], v[:, k])
    return m


def _kernel_tiles(w: Any, k: slice, adjoint: bool) -> Any:
    """Transform some kernels.

    Shape: (all O, C, 3, 3) -> (16, O, C), O and C swapped if adjoint
    """
    w = w.reshape(*w.shape[:2], 9)
    size = k.stop - k.start
    shape = (len(w), size) if adjoint else (size, w.shape[1])
    first, channel = (0, k.start) if adjoint else (k.start, 0)
    fast = _compiled.find("kernel_tiles", w)
    if fast is not None:
        u = np.empty((TILE_SIZE, *shape), np.float32)
        fast(w, first, channel, adjoint, u)
    else:
        kernels = w[:, k, ::-1] if adjoint else w[k]
        with blas_threads(1):
            u = KERNEL @ np.ascontiguousarray(kernels).reshape(-1, 9).T
        u = u.reshape(TILE_SIZE, *shape)
    return u.swapaxes(1, 2) if adjoint else u


def _input_tiles(x: Any, k: slice, padding: Shape, count: Shape, part: Part) -> Any:
    """Transform tiles of 4 x 4 inputs, which have the stride 2.

    Shape: (all N, all C, H, W) -> (16, C, T)
    """
    images, rows = part
    x, corner = x[images], (padding[0] - STEP[0] * rows.start, padding[1])
    fast = _compiled.find("input_tiles", x)
    if fast is not None:
        shape = (TILE_SIZE, k.stop - k.start, _tiles_of(part, count))
        v = np.empty(shape, np.float32)
        fast(x, k.start, *corner, count[1], v)
        return v
    grid = rows.stop - rows.start, count[1]
    return transformed_tiles(x[:, k], TILE, STEP, INPUT, corner, grid)


def _output_tiles(m: Any, y: Any, b: Any, k: slice, part: Part) -> None:
    """Transform products into outputs and add the bias; cut off tiles at the edges.

    Shape: m (16, O, T), y (all N, all O, H, W)
    """
    images, rows = part
    fast = _compiled.find("output_tiles", m, y, b)
    if fast is not None:
        first = images.start, k.start, STEP[0] * rows.start
        fast(m, y, b, images.stop - images.start, *first)
        return
    target = y[images, k, STEP[0] * rows.start : STEP[0] * rows.stop]
    n, o, h, w = target.shape
    height, width = _tile_count((h, w))
    with blas_threads(1):
        tiles = OUTPUT @ m.reshape(TILE_SIZE, -1)
    whole = tiles.reshape(*STEP, o, height, n, width).transpose(4, 2, 3, 0, 5, 1)
    cut = whole.reshape(n, o, STEP[0] * height, -1)[:, :, :h, :w]
    target[...] = cut + b[k].reshape(-1, 1, 1)
