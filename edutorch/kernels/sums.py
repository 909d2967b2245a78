"""Accurate and fast sums of columns and of rows.

NumPy sums columns row after row, which is slow for many rows and loses a digit for each
factor of a hundred. A product with ones is several times faster; summing in blocks of
rows, and then the sums of the blocks, keeps it accurate. Sums of rows are computed in
pieces, which are added in double precision.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from edutorch.backends.array_modules import array_module, on_gpu
from edutorch.config import plain
from edutorch.kernels.thread_pool import parallel_blocks

__all__ = [
    "LARGE",
    "blocked_row_dots",
    "blocked_row_sums",
    "column_sums",
    "leading_sums",
    "trailing_reduction",
]

SAVED_ONES = 4096  # rows: vectors of ones up to this length are cached
BLOCK = 256
SEQUENTIAL_ROWS = 8  # fewer rows are added one after the other, as by PyTorch
LARGE = 2**18  # numbers; fewer are added by one thread
PART = 2**15  # numbers added at a time, in sums of all
MIN_ROWS = 512  # below this, their order does not matter
MIN_COLUMNS = 2048  # likewise
PIECE_LENGTHS = range(512, 15, -1)  # lengths that a wide row may be divided into
_ONES = {kind: np.ones(SAVED_ONES, kind) for kind in "fd"}


def column_sums(x: Any) -> Any:
    """The sums of the columns of a matrix of float32 or float64.

    Shape: (M, N) -> (N)

    Example:
        >>> column_sums(np.ones((1000, 2)))
        array([1000., 1000.])
    """
    rows, kind = len(x), x.dtype.char
    if rows < SEQUENTIAL_ROWS:
        return np.add.reduce(x, 0)
    if rows < MIN_ROWS or kind == "d":
        ones = _ONES[kind][:rows] if rows <= SAVED_ONES else np.ones(rows, kind)
        return ones.dot(x)
    if plain():
        return np.add.reduce(x, 0, np.float64).astype(x.dtype)
    rest = rows % BLOCK
    blocks = x[: rows - rest].reshape(-1, BLOCK, x.shape[1])  # (B, 256, N)
    sums, ones = np.empty((len(blocks), x.shape[1]), x.dtype), _ONES[kind][:BLOCK]
    parallel_blocks(
        lambda p: np.matmul(ones, blocks[p], out=sums[p]),
        len(blocks),
        x.size / 3,
        uses_blas=True,
    )
    total = column_sums(sums)
    return total + column_sums(x[rows - rest :]) if rest else total


def leading_sums(x: Any, dim: tuple[int, ...]) -> Any:
    """The sums over leading dimensions, if that is what `dim` are, else None.

    Of a matrix, for all floats, so that the gradient of a bias equals the user's own
    sum to the last bit. Of other arrays, only for float32 and many numbers.
    """
    if type(x) is not np.ndarray or x.dtype.char not in "fd":
        return None
    if x.ndim == 2 and dim == (0,) and x.flags.c_contiguous:
        return column_sums(x)
    if x.ndim == 2 and dim == (1,) and x.flags.f_contiguous and len(x) > 1:
        return column_sums(x.T)
    k = len(dim)
    if x.dtype.char != "f" or k >= x.ndim or dim != tuple(range(k)):
        return None
    if not x.flags.c_contiguous:
        return None
    shape = x.shape[k:]
    columns = int(np.prod(shape))
    if not columns or x.size // columns < MIN_ROWS:
        return None
    return column_sums(x.reshape(-1, columns)).reshape(shape)


def trailing_reduction(ufunc: Any, x: Any, dim: tuple[int, ...] | None) -> Any:
    """A large array reduced over the last dimensions, or all, by several threads.

    None if it has no such dimensions, or is not large. The parts that are reduced do
    not depend on the number of threads.

    Example:
        >>> trailing_reduction(np.add, np.ones((2, 2**18)), (1,))
        array([262144., 262144.])
    """
    if type(x) is not np.ndarray or x.size < LARGE or plain():
        return None
    if x.dtype.char not in "fd" or not x.flags.c_contiguous:
        return None
    k = x.ndim if dim is None else len(dim)
    if dim is not None and tuple(sorted(dim)) != tuple(range(x.ndim - k, x.ndim)):
        return None
    shape = x.shape[: x.ndim - k]
    rows = prod(shape)
    matrix = x.reshape(rows, -1)
    if matrix.shape[1] < 2 * PART:
        y = np.empty(rows, x.dtype)
        parallel_blocks(
            lambda p: ufunc.reduce(matrix[p], 1, out=y[p]),
            rows,
            x.size / 6,
            uses_blas=False,
        )
        return y.reshape(shape)
    return ufunc.reduce(_parts_of_rows(ufunc, matrix), 1).reshape(shape)[()]


def _parts_of_rows(ufunc: Any, x: Any) -> Any:
    """Reductions of the parts of the rows of a matrix.

    Shape: (M, N) -> (M, ceil(N / PART))
    """
    count = -(-x.shape[1] // PART)
    y = np.empty((len(x), count), x.dtype)

    def work(p: slice) -> None:
        for place in range(p.start, p.stop):
            i, j = divmod(place, count)
            y[i, j] = ufunc.reduce(x[i, j * PART : (j + 1) * PART])

    parallel_blocks(work, y.size, x.size / 6, uses_blas=False)
    return y


def blocked_row_sums(x: Any) -> Any:
    """The sums of the rows of a matrix.

    Shape: (M, D) -> (M)

    Example:
        >>> blocked_row_sums(np.ones((2, 3000), np.float32))
        array([3000., 3000.], dtype=float32)
    """
    rows, width = x.shape
    piece = _piece_length(width) if x.dtype.char == "f" else width
    ones = array_module(x).ones(piece, x.dtype)
    if piece == width:
        return x.dot(ones)
    return _add_pieces(x.reshape(-1, piece).dot(ones), rows)


def blocked_row_dots(x: Any, y: Any) -> Any:
    """The sums of the rows of x y.

    Shape: (M, D), (M, D) -> (M)

    Example:
        >>> blocked_row_dots(np.ones((2, 3000)), np.ones((2, 3000)))
        array([3000., 3000.])
    """
    xp, (rows, width) = array_module(x), x.shape
    piece = _piece_length(width) if x.dtype.char == "f" else width
    if on_gpu(x):  # CuPy has no vecdot, and adds pairwise
        return (x * y).sum(axis=1)
    if piece == width:
        return xp.vecdot(x, y)
    return _add_pieces(xp.vecdot(x.reshape(-1, piece), y.reshape(-1, piece)), rows)


def _add_pieces(sums: Any, rows: int) -> Any:
    total = sums.reshape(rows, -1).sum(axis=1, dtype=np.float64)
    return total.astype(sums.dtype)


@lru_cache(256)
def _piece_length(width: int) -> int:
    """The longest piece that cuts a wide row evenly, else the row itself."""
    if width < MIN_COLUMNS:
        return width
    return next((n for n in PIECE_LENGTHS if width % n == 0), width)
