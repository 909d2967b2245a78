"""Large matrix products, on fewer threads while other processes take cores.

Note [The same bits on fewer threads]
The sum over k is cut into blocks whose last two have about the same length. In one
thread OpenBLAS rounds that length up to a multiple of 16 or so, in several it does not:
for k = 784 they are 400 and 384, or 392 and 392. Besides, the last rows and columns of
each thread's part are computed by other instructions, which on some processors add in
another order. So the same product may differ in its last bit with the number of
threads. But whether another process takes a core should not change a single bit.

So the first time that a product should use fewer threads, random matrices of its shape
and layout are multiplied both ways. Only if the bits agree, products of that shape use
fewer threads from then on: in one piece, or in the pieces that several threads would
use. That depends on the shape alone, not on the numbers. Other products keep all
threads.

Reference: Goto, van de Geijn (2008), "Anatomy of high-performance matrix
multiplication".
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate, pairwise
from typing import Any, Final

import numpy as np
from numpy import ndarray

from edutorch.backends.threads import (
    blas_threads,
    blas_threads_changes,
    get_num_threads,
)
from edutorch.config import plain
from edutorch.free_cores import cores

__all__ = ["LARGE", "Pieces", "pieces_on_fewer_threads", "product", "several_blocks"]

LARGE: Final = 2048  # numbers in b; smaller products need not call `product`
THREADED: Final = 2**19  # multiplications that OpenBLAS shares by two threads
MOST: Final = 2**26  # numbers in a product that is tried
# Lengths of a block of k on one processor or another, the common ones first.
BLOCKS: Final = (320, 448, 384, 256, 128, 512, 352, 192, 224, 240, 168, 160, 640, 768)
PROBE: Final = (96, 4096)  # rows, and k, of products that show the length

Pieces = tuple[tuple[int, int], ...]  # ranges of k; () if no cut gives the same bits
_known: dict[tuple[Any, ...], Pieces] = {}  # by the product's shape and layout


def product(a: Any, b: Any, out: Any = None) -> Any:
    """The product of two matrices of float32 or float64, as `np.dot` computes it.

    Shape: (n, k), (k, m) -> (n, m)

    Example:
        >>> product(np.ones((2, 3)), np.ones((3, 1)))
        array([[3.],
               [3.]])
    """
    threads, pieces = pieces_on_fewer_threads(a, b)
    if not pieces:
        return np.dot(a, b, out)
    with blas_threads(threads):
        return _multiply(a, b, pieces, out)


def pieces_on_fewer_threads(a: Any, b: Any) -> tuple[int, Pieces]:
    """How many threads a product should use, and on which pieces of k.

    No pieces mean that it should use all threads.

    Example:
        >>> pieces_on_fewer_threads(np.ones((2, 3)), np.ones((3, 1)))
        (1, ())
    """
    if len(a) * b.size < THREADED or cores.settled() or plain():
        return 1, ()
    wanted = get_num_threads()
    threads = cores.threads(wanted)
    if threads == wanted or not _uses_gemm(a, b):
        return wanted, ()
    layout = _layout(a), _layout(b)
    key = (*a.shape, b.shape[1], a.dtype.char, *layout, threads, wanted)
    if key not in _known:
        (n, k), m = a.shape, b.shape[1]
        found = _same_bits(n, k, m, a.dtype, layout, threads)
        if found is None:  # the number of threads changed meanwhile
            return wanted, ()
        _known[key] = found
    return threads, _known[key]


def _uses_gemm(a: Any, b: Any) -> bool:
    """Whether NumPy's product calls BLAS's `gemm` for these arrays."""
    return (
        type(a) is ndarray is type(b)
        and a.ndim == 2 == b.ndim
        and a.dtype == b.dtype
        and a.dtype.char in "fd"
        and a.dtype.isnative
        and min(*a.shape, b.shape[1]) > 1  # else `gemv`
        and a.ctypes.data != b.ctypes.data  # else `syrk`, for a aᵀ
    )


def _layout(x: Any) -> bool:
    """Whether a matrix has its columns, not its rows, one after the other."""
    return bool(x.strides[0] == x.itemsize)


def several_blocks(k: int, block: int) -> Pieces:
    """The ranges of k that several threads of OpenBLAS add up one after the other.

    Example:
        >>> several_blocks(784, 320)
        ((0, 320), (320, 552), (552, 784))
    """
    lengths = []
    while k:
        length = block if k >= 2 * block else k if k <= block else (k + 1) // 2
        lengths.append(length)
        k -= length
    return tuple(pairwise(accumulate(lengths, initial=0)))


def _multiply(a: Any, b: Any, pieces: Pieces, out: Any = None) -> Any:
    """The sum of the products of pieces of k."""
    (first, end), *more = pieces
    if not more:
        return np.dot(a, b, out)
    y = np.matmul(a[:, first:end], b[first:end], out=out)
    for i, j in more:
        y += np.matmul(a[:, i:j], b[i:j])
    return y


def _random(n: int, k: int, dtype: Any, transposed: bool, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((k, n) if transposed else (n, k), dtype)
    return x.T if transposed else x


def _same_bits(
    n: int, k: int, m: int, dtype: Any, layout: tuple[bool, bool], threads: int
) -> Pieces | None:
    """Pieces on which fewer threads give the same bits; () without any.

    None if other threads of the program interfered.
    """
    if n * k + k * m + 2 * n * m > MOST:
        return ()
    a, b = _random(n, k, dtype, layout[0], 1), _random(k, m, dtype, layout[1], 2)
    before = blas_threads_changes()
    wanted = np.dot(a, b).tobytes()
    if blas_threads_changes() != before:
        return None
    with blas_threads(threads):
        inside = blas_threads_changes()
        for pieces in _candidates(k, dtype):
            same = _multiply(a, b, pieces).tobytes() == wanted
            if blas_threads_changes() != inside:
                return None
            if same:
                return pieces
    return ()


def _candidates(k: int, dtype: Any) -> list[Pieces]:
    whole, block = ((0, k),), _block_length(dtype)
    pieces = several_blocks(k, block) if block else whole
    return [whole] if pieces == whole else [whole, pieces]


@cache
def _block_length(dtype: Any) -> int:
    """How many elements of k OpenBLAS adds up at a time, at most; 0 if unknown.

    The caller lets products use one thread. In a long sum the first blocks have that
    length, so the sum of pieces has the same bits as the whole.
    """
    n, k = PROBE
    a, b = _random(n, k, dtype, False, 1), _random(k, n, dtype, False, 2)
    whole = np.dot(a, b).tobytes()
    for block in BLOCKS:
        even = k // block * block
        pieces = several_blocks(even, block)
        if _multiply(a[:, :even], b[:even], pieces).tobytes() == (
            whole if even == k else np.matmul(a[:, :even], b[:even]).tobytes()
        ):
            return block
    return 0
