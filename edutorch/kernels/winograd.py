"""Convolutions with 3 x 3 kernels by Winograd's tiles: less than half of the products.

An output tile of 2 x 2 needs an input tile of 4 x 4. In a suitable basis, that of
polynomials evaluated at 0, 1, -1 and infinity, the convolution of a tile is a product
of 16 numbers by 16 numbers instead of 36 products; summed over the channels these are
16 matrix products. Turning tiles into that basis and back takes additions only.

# Note [Small tiles]
Tiles of 4 x 4 outputs need a quarter of the products, but lose a digit: numbers of
very different size cancel. The error is 8 times PyTorch's for 64 channels and 24 times
for 512. So tiles are small, and channels are summed in blocks, since the error grows
with the length of a sum: then it is about that of the plain sum.

Everything here is in single precision. Doubles, and plain mode, keep to the sum.

Reference: Lavin, Gray (2016), "Fast algorithms for convolutional neural networks".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.backends.threads import blas_threads
from edutorch.kernels.pool import run
from edutorch.kernels.twins import Twins

__all__ = ["pays", "winograd", "winograd_grad_weight"]

STEP = 2  # outputs of a tile along each dimension
TILE = 4  # inputs of a tile
BLOCK = 64  # channels that one product sums over
LEAST = 32  # channels: for fewer, turning tiles costs more than it saves
CHUNK_BYTES = 2**21  # of turned tiles in one piece of work, to stay in the cache

# Input tiles d, kernels w and output tiles y: y = A' [(G w G') * (B' d B)] A.
BT = np.array([[1, 0, -1, 0], [0, 1, 1, 0], [0, -1, 1, 0], [0, 1, 0, -1]], np.float32)
G = np.array(
    [[1, 0, 0], [1 / 2, 1 / 2, 1 / 2], [1 / 2, -1 / 2, 1 / 2], [0, 0, 1]], np.float32
)
AT = np.array([[1, 1, 1, 0], [0, 1, -1, -1]], np.float32)
# The same for tiles laid out in one line: kron(M, M) @ d is M d M'.
INPUT, KERNEL, OUTPUT = np.kron(BT, BT), np.kron(G, G), np.kron(AT, AT)

Shape = tuple[int, ...]
_twins = Twins("winograd")


def pays(
    g_shape: Shape, w_shape: Shape, stride: Shape, dilation: Shape, groups: int
) -> bool:
    """Whether tiles can do a convolution with outputs of `g_shape`, and are worth it.

    Example:
        >>> pays((8, 32, 9, 9), (32, 32, 3, 3), (1, 1), (1, 1), 1)
        True
    """
    if w_shape[2:] != (3, 3) or groups != 1 or min(w_shape[:2]) < LEAST:
        return False
    if (*stride, *dilation) != (1, 1, 1, 1) or min(g_shape[2:]) < STEP:
        return False
    high, wide = _tile_count(g_shape[2:])
    # With fewer tiles than channels, turning kernels costs more than it saves.
    return g_shape[0] * high * wide >= max(w_shape[:2])


def winograd(
    x: Any, w: Any, b: Any, padding: Shape, out: Shape, *, adjoint: bool = False
) -> Any:
    """Cross-correlation of `x` with 3 x 3 kernels, or its adjoint.

    With `adjoint` the kernels are turned round, and the channels change places: what
    a gradient needs on its way from the output to the input.

    Math: y[n, o, p] = b[o] + sum_(c, k) w[o, c, k] x[n, c, p + k - padding]
        adjoint: y[n, c, p] = sum_(o, k) w[o, c, 2 - k] x[n, o, p + k - padding]
    Shape: (N, C, H, W), (O, C, 3, 3), (O) -> (N, O, *out)
    """
    o, c = w.shape[1::-1] if adjoint else w.shape[:2]
    y = np.empty((len(x), o, *out), np.float32)
    count = _tile_count(out)
    parts = _in_parts(len(x), count, o + c)
    u = _kernel_tiles(w, adjoint)  # (16, O, C)

    def some_tiles(i: int) -> None:
        images, rows = parts[i]
        v = _input_tiles(x[images], padding, count[1], rows)  # (16, C, T)
        target = y[images, :, STEP * rows.start : STEP * rows.stop]
        _output_tiles(_summed(u, v), target, b)  # from (16, O, T)

    run(some_tiles, len(parts))
    return y


def winograd_grad_weight(g: Any, x: Any, padding: Shape) -> Any:
    """Gradient of `winograd` with respect to its kernels.

    Math: gw[o, c, k] = sum_(n, p) g[n, o, p] x[n, c, p + k - padding]
    Shape: (N, O, *S), (N, C, H, W) -> (O, C, 3, 3)
    """
    (n, o, *out), c = g.shape, x.shape[1]
    count = _tile_count(tuple(out))
    total = np.zeros((TILE * TILE, o, c), np.float32)
    for images, rows in _in_parts(n, count, o + c):
        v = _input_tiles(x[images], padding, count[1], rows)  # (16, C, T)
        h = _gradient_tiles(g[images, :, STEP * rows.start : STEP * rows.stop])

        def piece(i: int, h: Any = h, v: Any = v) -> None:
            part = slice(i * TILE, (i + 1) * TILE)
            total[part] += np.matmul(h[part], v[part].swapaxes(1, 2))

        run(piece, TILE)
    return _kernels_of(total)


def _summed(u: Any, v: Any) -> Any:
    """Products of turned kernels and tiles, summed over the channels in blocks.

    Shape: (16, O, C), (16, C, T) -> (16, O, T)
    """
    m = np.matmul(u[..., :BLOCK], v[:, :BLOCK])
    for start in range(BLOCK, u.shape[2], BLOCK):
        part = slice(start, start + BLOCK)
        m += np.matmul(u[..., part], v[:, part])
    return m


def _tile_count(out: Shape) -> tuple[int, int]:
    """How many tiles cover the outputs, along each dimension."""
    return -(-out[0] // STEP), -(-out[1] // STEP)


def _in_parts(
    n: int, count: tuple[int, int], channels: int
) -> list[tuple[slice, slice]]:
    """Some images with all rows of their tiles, or some rows of one, at a time."""
    high, wide = count
    rows = max(1, CHUNK_BYTES // (TILE * TILE * 4 * channels * wide))
    each, step = max(1, rows // high), min(rows, high)
    return [
        (slice(i, min(n, i + each)), slice(r, min(high, r + step)))
        for i in range(0, n, each)
        for r in range(0, high, step)
    ]


def _kernel_tiles(w: Any, adjoint: bool) -> Any:
    """Kernels in the basis of the products: (16, O, C), (16, C, O) for the adjoint."""
    o, c = w.shape[:2]
    turn = KERNEL[:, ::-1] if adjoint else KERNEL
    with blas_threads(1):
        u = (turn @ w.reshape(o * c, 9).T).reshape(TILE * TILE, o, c)
    return u.swapaxes(1, 2) if adjoint else u


def _kernels_of(u: Any) -> Any:
    """Gradients of turned kernels as gradients of the kernels: (16, O, C)."""
    gw = np.empty((*u.shape[1:], 3, 3), np.float32)
    with blas_threads(1):
        np.matmul(u.reshape(TILE * TILE, -1).T, KERNEL, out=gw.reshape(-1, 9))
    return gw


def _input_tiles(x: Any, padding: Shape, wide: int, strip: slice) -> Any:
    """Tiles of 4 x 4 inputs, with steps of 2, in the basis of the products.

    A strip is some rows of tiles, `wide` in each.

    Shape: (N, C, H, W) -> (16, C, N tiles)
    """
    n, c = x.shape[:2]
    count = strip.stop - strip.start, wide
    v = np.empty((TILE * TILE, c, n * count[0] * count[1]), np.float32)
    p, q, dense = padding[0] - STEP * strip.start, padding[1], np.ascontiguousarray(x)
    fast = _twins.find("input_tiles", dense, v)
    if fast is not None:
        fast(dense, p, q, count[1], v)
        return v
    room = np.zeros((n, c, *(STEP * k + 2 for k in count)), np.float32)
    rows, columns = room.shape[2:]
    inside = x[:, :, max(0, -p) : rows - p, max(0, -q) : columns - q]
    top, left = max(0, p), max(0, q)
    room[:, :, top : top + inside.shape[2], left : left + inside.shape[3]] = inside
    return _turned(room, TILE, INPUT, count, v)


def _gradient_tiles(g: Any) -> Any:
    """Tiles of 2 x 2 gradients in the basis of the products: (16, O, N tiles)."""
    n, o, h, w = g.shape
    count = _tile_count((h, w))
    v = np.empty((TILE * TILE, o, n * count[0] * count[1]), np.float32)
    size = STEP * count[0], STEP * count[1]
    if (h, w) != size or not g.flags.c_contiguous:
        room = np.zeros((n, o, *size), np.float32)
        room[:, :, :h, :w] = g
        g = room
    fast = _twins.find("gradient_tiles", g, v)
    if fast is not None:
        fast(g, v)
        return v
    return _turned(g, STEP, OUTPUT.T, count, v)


def _turned(x: Any, size: int, matrix: Any, count: tuple[int, int], v: Any) -> Any:
    """Tiles of `size` x `size`, with steps of 2, times a matrix, into `v`."""
    n, c = x.shape[:2]
    image, channel, row, column = x.strides
    tiles = np.lib.stride_tricks.as_strided(
        x,
        (size, size, c, n, *count),
        (row, column, channel, image, STEP * row, STEP * column),
    )
    flat = tiles.reshape(size * size, -1)
    with blas_threads(1):
        np.matmul(matrix, flat, out=v.reshape(TILE * TILE, -1))
    return v


def _output_tiles(m: Any, y: Any, b: Any) -> None:
    """Products back to outputs, plus the bias; tiles may stick out of `y`.

    Shape: m (16, O, N tiles), y (N, O, H, W)
    """
    n, o, h, w = y.shape
    count = _tile_count((h, w))
    size = STEP * count[0], STEP * count[1]
    direct = (h, w) == size and y.flags.c_contiguous
    whole = y if direct else np.empty((n, o, *size), np.float32)
    fast = _twins.find("output_tiles", m, whole)
    if fast is not None:
        fast(m, whole)
    else:
        tiles = (OUTPUT @ m.reshape(TILE * TILE, -1)).reshape(STEP, STEP, o, n, *count)
        parts = whole.reshape(n, o, count[0], STEP, count[1], STEP)
        parts[...] = tiles.transpose(3, 2, 4, 0, 5, 1)
    if whole is not y:
        y[...] = whole[:, :, :h, :w]
    if b is not None:
        y += b.reshape(-1, 1, 1)
