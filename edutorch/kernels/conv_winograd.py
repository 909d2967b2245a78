"""Convolutions with 3 x 3 kernels by Winograd's algorithm: a third of the products.

An output tile of 4 x 2 needs an input tile of 6 x 4. In a suitable basis, the values of
polynomials at some points and at infinity, the convolution of a tile takes 24 products
instead of 72; summed over the channels, these are 24 matrix products. Transforming
tiles to that basis and back costs a few additions.

# Note [Exact tiles]
In large tiles, numbers of very different magnitude cancel: tiles of 4 x 4 outputs with
the usual points 0, 1, -1, 2, -2 have 8 times PyTorch's error for 64 channels and 17
times for 512. So tiles are smaller, the points along the columns are 0, 5/8, -5/8, 3/2,
-3/2 (the best multiples of 1/8; 0, 1, -1 along the rows), and channels are summed in
blocks, since the error grows with the length of a sum. The error is 1.7 times PyTorch's
for 64 channels, and less than 1.9 times for 512.

# Note [Order of tiles]
Tiles are in the order (row of tiles, image, column of tiles). Then the tile below is at
the same distance for all tiles, and short rows of many images form one long row.

Everything here is in single precision. Double precision and plain mode use im2col.

References: Lavin, Gray (2016), "Fast algorithms for convolutional neural networks";
Barabasz, Anderson, Soodhalter, Gregg (2020), "Error analysis and improving the accuracy
of Winograd convolution for deep neural networks".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.backends.threads import blas_threads
from edutorch.kernels.compiled import CompiledKernels
from edutorch.kernels.thread_pool import parallel_for

__all__ = [
    "is_worthwhile",
    "slices",
    "transformed_tiles",
    "winograd",
    "winograd_grad_weight",
]

STEP = 4, 2  # outputs of a tile along each dimension
TILE = 6, 4  # inputs of a tile
TILE_SIZE = 24  # numbers of a transformed tile
BLOCK = 32  # channels that one product sums over,
MAX_CHANNELS = 256  # in layers with at most this many channels,
SMALL_BLOCK = 24  # and in layers with more
MIN_CHANNELS = 32  # for fewer, transforming tiles costs more than it saves
MIN_TILES = 24  # for fewer, so does transforming the kernels
PART_BYTES = 3 * 2**19  # of transformed tiles in one task, to stay in the cache
# Of the gradients of transformed kernels, whose products need longer rows.
GRADIENT_BYTES = 2**23
PARTIAL_SUMS = 4  # of parts, computed by several threads
MIN_SLICES = 4  # of the kernels, if there are so many
SUMS_SIZE = 2**17  # kernels, at most, of all these sums
PART_TILES = 64  # in a task at least: smaller matrix products are slow

# Input tiles d, kernels w and output tiles y: y = Aᵀ [(G w Hᵀ) * (Bᵀ d C)] D,
# with A, B, G for the columns and their points 0, 5/8, -5/8, 3/2, -3/2 and infinity,
NEAR, FAR = 5 / 8, 3 / 2
P, Q = 1 / (2 * NEAR**2 * (NEAR**2 - FAR**2)), 1 / (2 * FAR**2 * (FAR**2 - NEAR**2))
BT: Any = [
    [NEAR**2 * FAR**2, 0, -(NEAR**2) - FAR**2, 0, 1, 0],
    [0, -NEAR * FAR**2, -(FAR**2), NEAR, 1, 0],
    [0, NEAR * FAR**2, -(FAR**2), -NEAR, 1, 0],
    [0, -FAR * NEAR**2, -(NEAR**2), FAR, 1, 0],
    [0, FAR * NEAR**2, -(NEAR**2), -FAR, 1, 0],
    [0, NEAR**2 * FAR**2, 0, -(NEAR**2) - FAR**2, 0, 1],
]
G: Any = [
    [1 / (NEAR * FAR) ** 2, 0, 0],
    [P, P * NEAR, P * NEAR**2],
    [P, -P * NEAR, P * NEAR**2],
    [Q, Q * FAR, Q * FAR**2],
    [Q, -Q * FAR, Q * FAR**2],
    [0, 0, 1],
]
AT: Any = [
    [1, 1, 1, 1, 1, 0],
    [0, NEAR, -NEAR, FAR, -FAR, 0],
    [0, NEAR**2, NEAR**2, FAR**2, FAR**2, 0],
    [0, NEAR**3, -(NEAR**3), FAR**3, -(FAR**3), 1],
]
# and C, D, H for the rows and their points 0, 1, -1 and infinity.
CT: Any = [[1, 0, -1, 0], [0, 1, 1, 0], [0, -1, 1, 0], [0, 1, 0, -1]]
H: Any = [[1, 0, 0], [1 / 2, 1 / 2, 1 / 2], [1 / 2, -1 / 2, 1 / 2], [0, 0, 1]]
DT: Any = [[1, 1, 1, 0], [0, 1, -1, -1]]
# The same for flattened tiles: kron(M, N) @ d is M d Nᵀ.
INPUT = np.kron(BT, CT).astype(np.float32)
KERNEL = np.kron(G, H)  # in double precision, because its numbers are rounded
OUTPUT = np.kron(AT, DT).astype(np.float32)

Shape = tuple[int, ...]
Part = tuple[slice, slice]  # some images, some rows of their tiles
_compiled = CompiledKernels("conv_winograd")


def is_worthwhile(
    g_shape: Shape, w_shape: Shape, stride: Shape, dilation: Shape, groups: int
) -> bool:
    """Whether Winograd tiles apply to a convolution and are worthwhile.

    Example:
        >>> is_worthwhile((8, 32, 9, 9), (32, 32, 3, 3), (1, 1), (1, 1), 1)
        True
    """
    if w_shape[2:] != (3, 3) or groups != 1 or min(w_shape[:2]) < MIN_CHANNELS:
        return False
    if (*stride, *dilation) != (1, 1, 1, 1) or min(g_shape[2:]) < STEP[0]:
        return False
    height, width = _tile_count(g_shape[2:])
    return g_shape[0] * height * width >= MIN_TILES


def winograd(
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
    parts = _parts(len(x), count, o + c)
    products = _channel_blocks(c)[0] * _tiles_of(parts[0], count)
    kernels = _kernel_slices(o, products, PART_BYTES)

    if len(parts) == 1:  # many kernels: each is transformed when it is needed
        v = _input_tiles(x, padding, count, parts[0])  # (24, blocks, C / blocks, T)

        def compute_outputs(i: int) -> None:
            m = np.matmul(_kernel_tiles(w, kernels[i], adjoint), v)
            _output_tiles(m, y, b, kernels[i], parts[0])

        parallel_for(compute_outputs, len(kernels), uses_blas=True)
        return y
    transformed = [_kernel_tiles(w, k, adjoint) for k in kernels]

    def compute_tiles(i: int) -> None:
        v = _input_tiles(x, padding, count, parts[i])
        for k, u in zip(kernels, transformed, strict=True):
            _output_tiles(np.matmul(u, v), y, b, k, parts[i])  # (24, blocks, O, T)

    parallel_for(compute_tiles, len(parts), uses_blas=True)
    return y


def winograd_grad_weight(g: Any, x: Any, padding: Shape) -> Any:
    """Gradient of `winograd` with respect to its kernels.

    Math: gw[o, c, k] = sum_(n, p) g[n, o, p] x[n, c, p + k - padding]
    Shape: (N, O, *S), (N, C, H, W) -> (O, C, 3, 3)
    """
    (n, o, *out), c = g.shape, x.shape[1]
    g, x, count = np.ascontiguousarray(g), np.ascontiguousarray(x), _tile_count(out)
    parts, gw = _parts(n, count, o + c), np.empty((o, c, 3, 3), np.float32)
    if len(parts) == 1:
        h, v = _gradient_operands(g, x, padding, count, parts[0])
        kernels = _kernel_slices(o, c, GRADIENT_BYTES)

        def compute_kernels(i: int) -> None:
            gw[kernels[i]] = _kernel_gradients(np.matmul(h[:, kernels[i]], v))

        parallel_for(compute_kernels, len(kernels), uses_blas=True)
        return gw
    # Which sum a part belongs to does not depend on the threads.
    sums = max(1, min(PARTIAL_SUMS, len(parts), SUMS_SIZE // (o * c)))
    totals = np.empty((sums, TILE_SIZE, o, c), np.float32)

    def sum_parts(i: int) -> None:
        for k, part in enumerate(parts[i::sums]):
            h, v = _gradient_operands(g, x, padding, count, part)
            _add_products(h, v, totals[i], first=k == 0)

    parallel_for(sum_parts, sums, uses_blas=True)
    kernels = slices(o, -(-o // MIN_SLICES))

    def add_sums(i: int) -> None:
        gw[kernels[i]] = _kernel_gradients(totals[:, :, kernels[i]].sum(0))

    parallel_for(add_sums, len(kernels), uses_blas=True)
    return gw


def _add_products(h: Any, v: Any, total: Any, *, first: bool) -> None:
    """Add the products of gradients and inputs, in threads if the pool is free.

    The first ones are stored instead: `total` is not initialized.
    """

    def multiply(i: int) -> None:
        elements = slice(i * TILE[0], (i + 1) * TILE[0])
        if first:
            np.matmul(h[elements], v[elements], out=total[elements])
        else:
            total[elements] += np.matmul(h[elements], v[elements])

    parallel_for(multiply, TILE[1], uses_blas=True)


def _gradient_operands(
    g: Any, x: Any, padding: Shape, count: Shape, part: Part
) -> tuple[Any, Any]:
    """Transformed gradients and inputs: (24, O, T), (24, T, C)."""
    tiles: list[Any] = [None, None]

    def transform(i: int) -> None:
        if i:
            tiles[i] = _input_tiles(x, padding, count, part)
        else:
            tiles[i] = _gradient_tiles(g, count, part)

    parallel_for(transform, 2, uses_blas=True)
    h, v = tiles
    v = v.reshape(TILE_SIZE, -1, v.shape[3])[:, : x.shape[1]]
    return h, v.swapaxes(1, 2)


def _channel_blocks(c: int) -> tuple[int, int]:
    """The number of blocks in which channels are summed, and their size, rounded up."""
    count = -(-c // (BLOCK if c <= MAX_CHANNELS else SMALL_BLOCK))
    return count, -(-c // count)


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
    tiles = max(PART_TILES, PART_BYTES // (TILE_SIZE * 4 * channels))
    rows = max(1, tiles // width)
    row_slices = slices(height, min(rows, height))
    return [(i, r) for i in slices(n, max(1, rows // height)) for r in row_slices]


def _kernel_slices(o: int, numbers: int, nbytes: int) -> list[slice]:
    """Divide the kernels into slices; for each, a transformed element has `numbers`.

    There are enough slices for several threads: with its own threads, BLAS would round
    differently.
    """
    size = min(nbytes // (TILE_SIZE * 4 * numbers), -(-o // MIN_SLICES))
    return slices(o, max(1, size))


def slices(n: int, size: int) -> list[slice]:
    """`range(n)` in slices of a size."""
    return [slice(i, min(n, i + size)) for i in range(0, n, size)]


def _kernel_tiles(w: Any, kernels: slice, adjoint: bool) -> Any:
    """Transform some kernels.

    Shape: (all O, C, 3, 3) -> (24, blocks, O, C / blocks), O and C swapped if adjoint
    """
    c = w.shape[0 if adjoint else 1]
    (count, size), o = _channel_blocks(c), kernels.stop - kernels.start
    fast = _compiled.find("kernel_tiles", w)
    if fast is not None:
        u = np.empty((TILE_SIZE, count, o, size), np.float32)
        fast(w.reshape(*w.shape[:2], 9), kernels.start, adjoint, u)
        return u
    if adjoint:
        w = w.swapaxes(0, 1)[:, :, ::-1, ::-1]
    padded = np.zeros((o, count * size, 9), np.float32)
    padded[:, :c] = w[kernels].reshape(o, c, 9)
    blocks = padded.reshape(o, count, size, 9).swapaxes(0, 1)
    with blas_threads(1):
        u = KERNEL @ blocks.reshape(-1, 9).T
    return u.astype(np.float32).reshape(TILE_SIZE, count, o, size)


def _kernel_gradients(u: Any) -> Any:
    """Gradients of the kernels from those of transformed kernels: (24, O, C)."""
    gw = np.empty((*u.shape[1:], 9), np.float32)
    fast = _compiled.find("kernel_gradients", u)
    if fast is not None:
        fast(u, gw)
    else:
        with blas_threads(1):
            gw.reshape(-1, 9)[...] = u.reshape(TILE_SIZE, -1).T @ KERNEL
    return gw.reshape(*u.shape[1:], 3, 3)


def _input_tiles(x: Any, padding: Shape, count: Shape, part: Part) -> Any:
    """Transform tiles of 6 x 4 inputs, which have the strides 4 and 2.

    Shape: (N, C, H, W) -> (24, blocks, C / blocks, T)
    """
    c, (images, rows) = x.shape[1], part
    blocks, size = _channel_blocks(c)
    v = np.empty((TILE_SIZE, blocks * size, _tiles_of(part, count)), np.float32)
    v[:, c:] = 0
    tiles = v.reshape(TILE_SIZE, blocks, size, -1)
    x, top = x[images], padding[0] - STEP[0] * rows.start
    fast = _compiled.find("input_tiles", x, v)
    if fast is not None:
        fast(x, top, padding[1], count[1], v)
        return tiles
    corner, grid = (top, padding[1]), _grid(part, count)
    v[:, :c] = transformed_tiles(x, TILE, STEP, INPUT, corner, grid)
    return tiles


def _gradient_tiles(g: Any, count: Shape, part: Part) -> Any:
    """Transform tiles of 4 x 2 output gradients: (24, O, T)."""
    images, rows = part
    g, top = g[images], -STEP[0] * rows.start
    v = np.empty((TILE_SIZE, g.shape[1], _tiles_of(part, count)), np.float32)
    fast = _compiled.find("gradient_tiles", g, v)
    if fast is not None:
        fast(g, top, count[1], v)
        return v
    return transformed_tiles(g, STEP, STEP, OUTPUT.T, (top, 0), _grid(part, count))


def _grid(part: Part, count: Shape) -> tuple[int, int]:
    """The number of rows of tiles in a part, and the number of tiles in a row."""
    return part[1].stop - part[1].start, count[1]


def transformed_tiles(
    x: Any, size: Shape, step: Shape, matrix: Any, corner: Shape, grid: Shape
) -> Any:
    """Multiply flattened tiles of a size and stride by a matrix: (len(matrix), C, T).

    `corner` is the padding above and to the left of the first tile.
    """
    n, c = x.shape[:2]
    padded = np.zeros(
        (n, c, *(s * (k - 1) + t for s, k, t in zip(step, grid, size, strict=True))),
        np.float32,
    )
    (p, q), (height, width) = corner, padded.shape[2:]
    inside = x[:, :, max(0, -p) : max(0, height - p), max(0, -q) : max(0, width - q)]
    top, left = max(0, p), max(0, q)
    padded[:, :, top : top + inside.shape[2], left : left + inside.shape[3]] = inside
    image, channel, row, column = padded.strides
    tiles = np.lib.stride_tricks.as_strided(
        padded,
        (*size, c, grid[0], n, grid[1]),
        (row, column, channel, step[0] * row, image, step[1] * column),
    )
    with blas_threads(1):
        v = matrix @ tiles.reshape(size[0] * size[1], -1)
    return v.reshape(len(matrix), c, -1)


def _output_tiles(m: Any, y: Any, b: Any, kernels: slice, part: Part) -> None:
    """Transform products into outputs and add the bias; cut off tiles at the edges.

    Shape: m (24, blocks, O, T), y (N, all O, H, W)
    """
    images, rows = part
    fast = _compiled.find("output_tiles", m, y, b)
    if fast is not None:
        first = images.start, kernels.start, STEP[0] * rows.start
        fast(m, y, b, images.stop - images.start, *first)
        return
    target = y[images, kernels, STEP[0] * rows.start : STEP[0] * rows.stop]
    n, o, h, w = target.shape
    flat = m.sum(1).reshape(TILE_SIZE, -1)
    height, width = _tile_count((h, w))
    tiles = (OUTPUT @ flat).reshape(*STEP, o, height, n, width)
    whole = tiles.transpose(4, 2, 3, 0, 5, 1).reshape(n, o, STEP[0] * height, -1)
    target[...] = whole[:, :, :h, :w] + b[kernels].reshape(-1, 1, 1)
