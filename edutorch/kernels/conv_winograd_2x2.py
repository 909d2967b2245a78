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
from edutorch.kernels.conv_winograd import CT, DT, H, transformed_tiles
from edutorch.kernels.thread_pool import parallel_for

__all__ = ["is_worthwhile", "winograd_2x2"]

STEP, TILE = (2, 2), (4, 4)
PLACES = 16  # numbers of a transformed tile
MIN_CHANNELS = 64  # for fewer, the larger tiles are quicker
MAX_SUM = 128  # channels that one product sums over: the error grows with their number
MAX_BYTES = 2**22  # of all transformed inputs, to be kept as a whole
PART_BYTES = 2**20  # of those in one task otherwise
MIN_TILES = 64  # in one task, for products that are worth a call
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

    With `adjoint` the kernels are flipped and the channels are swapped: what
    a gradient needs on its way from the output to the input.

    Math: y[n, o, p] = b[o] + sum_(c, k) w[o, c, k] x[n, c, p + k - padding]
        adjoint: y[n, c, p] = sum_(o, k) w[o, c, 2 - k] x[n, o, p + k - padding]
    Shape: (N, C, H, W), (O, C, 3, 3), (O) -> (N, O, *out)
    """
    o, c = w.shape[1::-1] if adjoint else w.shape[:2]
    x, w = np.ascontiguousarray(x), np.ascontiguousarray(w)
    y, count = np.empty((len(x), o, *out), np.float32), _tile_count(out)
    b = np.zeros(o, np.float32) if b is None else np.ascontiguousarray(b)
    whole = slice(0, len(x)), slice(0, count[0])

    if PLACES * 4 * c * _tiles_of(whole, count) <= MAX_BYTES:
        v = np.empty((PLACES, c, _tiles_of(whole, count)), np.float32)

        def some_channels(k: slice) -> None:
            v[:, k] = _input_tiles(x, k, padding, count, whole)

        def some_outputs(k: slice) -> None:
            m = _products(_kernel_tiles(w, k, adjoint), v)
            _output_tiles(m, y, b, k, whole)

        _parallel(some_channels, _slices(c, CHANNELS))
        # Work for several threads: BLAS with threads of its own rounds otherwise.
        _parallel(some_outputs, _slices(o, min(KERNELS, -(-o // MIN_SLICES))))
        return y
    kernels = _slices(o, KERNELS)
    found: dict[int, Any] = {}

    def some_kernels(k: slice) -> None:
        found[k.start] = _kernel_tiles(w, k, adjoint)

    def some_tiles(part: Part) -> None:
        tiles = _input_tiles(x, slice(0, c), padding, count, part)
        for k in kernels:
            _output_tiles(_products(found[k.start], tiles), y, b, k, part)

    _parallel(some_kernels, kernels)
    _parallel(some_tiles, _parts(len(x), count, c))
    return y


def _parallel(work: Callable[[Any], object], pieces: list[Any]) -> None:
    parallel_for(lambda i: work(pieces[i]), len(pieces))


def _slices(n: int, each: int) -> list[slice]:
    """`range(n)` in slices of so many."""
    return [slice(i, min(n, i + each)) for i in range(0, n, each)]


def _tile_count(out: Any) -> tuple[int, int]:
    """How many tiles cover the outputs, along each dimension."""
    return -(-out[0] // STEP[0]), -(-out[1] // STEP[1])


def _tiles_of(part: Part, count: Shape) -> int:
    """How many tiles a part has."""
    images, rows = part
    return int(images.stop - images.start) * int(rows.stop - rows.start) * count[1]


def _parts(n: int, count: tuple[int, int], channels: int) -> list[Part]:
    """Some images with all rows of their tiles, or some rows of one, at a time."""
    high, wide = count
    rows = max(1, max(MIN_TILES, PART_BYTES // (PLACES * 4 * channels)) // wide)
    images, some = _slices(n, max(1, rows // high)), _slices(high, min(rows, high))
    return [(i, r) for i in images for r in some]


def _products(u: Any, v: Any) -> Any:
    """Products of kernels and inputs, of some channels at a time: (16, O, T)."""
    first, *others = _slices(v.shape[1], MAX_SUM)
    m = np.matmul(u[:, :, first], v[:, first])
    for k in others:
        m += np.matmul(u[:, :, k], v[:, k])
    return m


def _kernel_tiles(w: Any, k: slice, adjoint: bool) -> Any:
    """Some kernels in the basis of the products.

    Shape: (all O, C, 3, 3) -> (16, O, C), O and C swapped if adjoint
    """
    w = w.reshape(*w.shape[:2], 9)
    size = k.stop - k.start
    shape = (len(w), size) if adjoint else (size, w.shape[1])
    first, channel = (0, k.start) if adjoint else (k.start, 0)
    fast = _compiled.find("kernel_tiles", w)
    if fast is not None:
        u = np.empty((PLACES, *shape), np.float32)
        fast(w, first, channel, adjoint, u)
    else:
        some = w[:, k, ::-1] if adjoint else w[k]
        with blas_threads(1):
            u = KERNEL @ np.ascontiguousarray(some).reshape(-1, 9).T
        u = u.reshape(PLACES, *shape)
    return u.swapaxes(1, 2) if adjoint else u


def _input_tiles(x: Any, k: slice, padding: Shape, count: Shape, part: Part) -> Any:
    """Tiles of 4 x 4 inputs, with steps of 2, in the basis of the products.

    Shape: (all N, all C, H, W) -> (16, C, T)
    """
    images, rows = part
    x, corner = x[images], (padding[0] - STEP[0] * rows.start, padding[1])
    fast = _compiled.find("input_tiles", x)
    if fast is not None:
        shape = (PLACES, k.stop - k.start, _tiles_of(part, count))
        v = np.empty(shape, np.float32)
        fast(x, k.start, *corner, count[1], v)
        return v
    grid = rows.stop - rows.start, count[1]
    return transformed_tiles(x[:, k], TILE, STEP, INPUT, corner, grid)


def _output_tiles(m: Any, y: Any, b: Any, k: slice, part: Part) -> None:
    """Products back to outputs, plus the bias; tiles may stick out of `y`.

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
    high, wide = _tile_count((h, w))
    with blas_threads(1):
        tiles = OUTPUT @ m.reshape(PLACES, -1)
    whole = tiles.reshape(*STEP, o, high, n, wide).transpose(4, 2, 3, 0, 5, 1)
    cut = whole.reshape(n, o, STEP[0] * high, -1)[:, :, :h, :w]
    target[...] = cut + b[k].reshape(-1, 1, 1)
