"""Compiled loops of `kernels/conv_im2col.py`: im2col, and its transpose, col2im.

See Note [Padded buffer] in `padded_buffers.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.fast.bounds import require
from edutorch.kernels.fast.compiling import helper, kernel
from edutorch.kernels.fast.padded_buffers import (
    copy_into,
    copy_out_of,
    fits,
    tap_starts,
)

__all__ = ["col2im", "im2col"]


# Note [Padded rows]
# In small images a row has few windows, and many short loops are slow. If the rows of
# the columns are as long as those of the buffer, the elements that a tap reads are
# contiguous. The elements between two rows belong to no window; they are set to zero,
# after gathering columns and before adding them.


@helper
def _pieces(columns: Any, width: int, padded: Any) -> tuple[Any, int]:
    """Pieces that a tap reads: offsets from its first element, and their length."""
    depth, rows, length = columns.shape[5:]
    _, height, row_size = padded.shape[3:]
    if length == width:  # a piece for each row
        starts, size = np.empty(depth * rows, np.int64), width
        for i in range(len(starts)):
            starts[i] = (i // rows * height + i % rows) * row_size
        return starts, size
    if height > rows:  # for each layer
        return np.arange(depth) * height * row_size, rows * row_size
    return np.zeros(1, np.int64), depth * rows * row_size


@helper
def _zero_row_ends(rows: Any, width: int, length: int) -> None:
    """Set all but the first `width` elements of each row to zero."""
    for start in range(0, rows.size if length > width else 0, length):
        for j in range(start + width, start + length):
            rows[j] = 0


@helper
def _sizes_match(columns: Any, width: int, padded: Any, geometry: Any, x: Any) -> bool:
    """Whether the columns and the buffer have the right sizes for the images x."""
    out, length = (*columns.shape[5:7], width), columns.shape[7]
    return bool(
        columns.shape[0] == x.shape[1]
        and columns.shape[4] == len(x)
        and 1 <= width <= length
        and (length == width or length == padded.shape[5])
        and fits(padded, geometry, x.shape[4], columns.shape[1:4], out)
    )


@kernel(
    "void(T[:,:,:,:,::1], int64[:,::1], T[:,:,:,:,:,::1], int64, int64,"
    " T[:,:,:,:,:,:,:,::1])"
)
def im2col(
    x: Any, geometry: Any, padded: Any, start: int, width: int, columns: Any
) -> None:
    """im2col for the layers of windows from `start` on, with `width` windows in a row.

    The rows of the columns have `width` elements, or as many as the rows of the buffer;
    see Note [Padded rows].

    Shape: (N, C, D, H, W) -> (C, KD, KH, KW, N, layers, H', length)
    """
    require(_sizes_match(columns, width, padded, geometry, x))
    (n, c), source = x.shape[:2], padded.reshape(-1)
    starts, size = _pieces(columns, width, padded)
    taps = tap_starts(columns.shape[1:4], geometry, padded)
    flat = columns.reshape((c, len(taps), n, -1))
    for i in range(n * c):
        first = start * geometry[0, 0] - geometry[1, 0]
        copy_into(x[i // c, i % c], geometry, first, padded)
        for k in range(len(taps)):
            target = flat[i % c, k, i // c]
            for p in range(len(starts)):
                elements = source[taps[k] + starts[p] :]
                row = target[p * size : p * size + min(size, elements.size)]
                for j in range(row.size):
                    row[j] = elements[j]
            _zero_row_ends(target, width, columns.shape[7])


@kernel(
    "void(T[:,:,:,:,:,:,:,::1], int64, int64[:,::1], T[:,:,:,:,:,::1], T[:,:,:,:,::1])"
)
def col2im(columns: Any, width: int, geometry: Any, padded: Any, x: Any) -> None:
    """col2im: add the columns to the elements that `im2col` reads them from.

    In rows longer than `width`, the other elements are overwritten with zeros; see
    Note [Padded rows].

    Shape: (C, KD, KH, KW, N, D', H', length) -> (N, C, D, H, W)
    """
    require(_sizes_match(columns, width, padded, geometry, x))
    (n, c), target = x.shape[:2], padded.reshape(-1)
    starts, size = _pieces(columns, width, padded)
    taps = tap_starts(columns.shape[1:4], geometry, padded)
    flat = columns.reshape((c, len(taps), n, -1))
    for i in range(n * c):
        padded[...] = 0
        for k in range(len(taps)):
            source = flat[i % c, k, i // c]
            _zero_row_ends(source, width, columns.shape[7])
            for p in range(len(starts)):
                elements = target[taps[k] + starts[p] :]
                row = source[p * size : p * size + min(size, elements.size)]
                for j in range(row.size):
                    elements[j] += row[j]
        copy_out_of(padded, geometry, x[i // c, i % c])
