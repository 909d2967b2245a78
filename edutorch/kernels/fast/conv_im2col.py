"""Compiled loops of `kernels/conv_im2col.py`: im2col, and its transpose col2im.

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

__all__ = ["add_columns", "gather"]


# Note [Long lines]
# A line of windows is short in small images, and many loops over a few elements take
# long. Where the lines of the columns are as long as the buffer's, what a tap reads
# lies in one piece: between the lines there are elements of no window. They become
# zeros, in columns that are gathered and before columns are added.


@helper
def _pieces(columns: Any, wide: int, padded: Any) -> tuple[Any, int]:
    """Where each piece that a tap reads begins, after its first, and their length."""
    deep, lines, length = columns.shape[5:]
    _, high, row = padded.shape[3:]
    if length == wide:  # each line
        starts, size = np.empty(deep * lines, np.int64), wide
        for i in range(len(starts)):
            starts[i] = (i // lines * high + i % lines) * row
        return starts, size
    if high > lines:  # each layer
        return np.arange(deep) * high * row, lines * row
    return np.zeros(1, np.int64), deep * lines * row


@helper
def _clear(lines: Any, wide: int, length: int) -> None:
    """Zeros behind the first `wide` elements of each line."""
    for start in range(0, lines.size if length > wide else 0, length):
        for j in range(start + wide, start + length):
            lines[j] = 0


@helper
def _fit(columns: Any, wide: int, padded: Any, geometry: Any, x: Any) -> bool:
    """Whether columns and buffer are those of the images x."""
    out, length = (*columns.shape[5:7], wide), columns.shape[7]
    return bool(
        columns.shape[0] == x.shape[1]
        and columns.shape[4] == len(x)
        and 1 <= wide <= length
        and (length == wide or length == padded.shape[5])
        and fits(padded, geometry, x.shape[4], columns.shape[1:4], out)
    )


@kernel(
    "void(T[:,:,:,:,::1], int64[:,::1], T[:,:,:,:,:,::1], int64, int64,"
    " T[:,:,:,:,:,:,:,::1])"
)
def gather(
    x: Any, geometry: Any, padded: Any, start: int, wide: int, columns: Any
) -> None:
    """Some layers of windows, from `start` on, `wide` in a line, as columns.

    Lines are that long or as long as the buffer's, see Note [Long lines].

    Shape: (N, C, D, H, W) -> (C, KD, KH, KW, N, layers, H', length)
    """
    require(_fit(columns, wide, padded, geometry, x))
    (n, c), source = x.shape[:2], padded.reshape(-1)
    starts, size = _pieces(columns, wide, padded)
    taps = tap_starts(columns.shape[1:4], geometry, padded)
    flat = columns.reshape((c, len(taps), n, -1))
    for i in range(n * c):
        first = start * geometry[0, 0] - geometry[1, 0]
        copy_into(x[i // c, i % c], geometry, first, padded)
        for k in range(len(taps)):
            target = flat[i % c, k, i // c]
            for p in range(len(starts)):
                cells = source[taps[k] + starts[p] :]
                line = target[p * size : p * size + min(size, cells.size)]
                for j in range(line.size):
                    line[j] = cells[j]
            _clear(target, wide, columns.shape[7])


@kernel(
    "void(T[:,:,:,:,:,:,:,::1], int64, int64[:,::1], T[:,:,:,:,:,::1], T[:,:,:,:,::1])"
)
def add_columns(columns: Any, wide: int, geometry: Any, padded: Any, x: Any) -> None:
    """Sum of the columns at the cells they come from: the transpose of `gather`.

    Of lines longer than `wide` the rest is overwritten, see Note [Long lines].

    Shape: (C, KD, KH, KW, N, D', H', length) -> (N, C, D, H, W)
    """
    require(_fit(columns, wide, padded, geometry, x))
    (n, c), target = x.shape[:2], padded.reshape(-1)
    starts, size = _pieces(columns, wide, padded)
    taps = tap_starts(columns.shape[1:4], geometry, padded)
    flat = columns.reshape((c, len(taps), n, -1))
    for i in range(n * c):
        padded[...] = 0
        for k in range(len(taps)):
            source = flat[i % c, k, i // c]
            _clear(source, wide, columns.shape[7])
            for p in range(len(starts)):
                cells = target[taps[k] + starts[p] :]
                line = source[p * size : p * size + min(size, cells.size)]
                for j in range(line.size):
                    cells[j] += line[j]
        copy_out_of(padded, geometry, x[i // c, i % c])
