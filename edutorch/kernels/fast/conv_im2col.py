"""Compiled loops of `kernels/conv_im2col.py`: im2col, and its transpose col2im.

See Note [Padded buffer] in `padded_buffers.py`.
"""

from __future__ import annotations

from typing import Any

from edutorch.kernels.fast.bounds import require
from edutorch.kernels.fast.compiling import helper, kernel
from edutorch.kernels.fast.padded_buffers import (
    copy_into,
    copy_out_of,
    fits,
    tap_line,
    tap_offset,
)

__all__ = ["add_columns", "gather"]


@helper
def _copy(columns: Any, padded: Any, tap: Any) -> None:
    """Math: columns[p] = padded[p stride]."""
    for h in range(columns.shape[1]):
        for d in range(columns.shape[0]):
            line, cells = columns[d, h], tap_line(padded, tap, d, h)
            for j in range(line.size):
                line[j] = cells[j]


@helper
def _add(columns: Any, padded: Any, tap: Any) -> None:
    """Math: padded[p stride] += columns[p]."""
    for h in range(columns.shape[1]):
        for d in range(columns.shape[0]):
            line, cells = columns[d, h], tap_line(padded, tap, d, h)
            for j in range(line.size):
                cells[j] += line[j]


@kernel(
    "void(T[:,:,:,:,::1], int64[:,::1], T[:,:,:,:,:,::1], int64, T[:,:,:,:,:,:,:,::1])"
)
def gather(x: Any, geometry: Any, padded: Any, start: int, columns: Any) -> None:
    """Some layers of windows, from `start` on, as columns.

    Shape: (N, C, D, H, W) -> (C, KD, KH, KW, N, layers, H', W')
    """
    require(columns.shape[0] == x.shape[1] and columns.shape[4] == len(x))
    require(fits(padded, geometry, x.shape[4], columns.shape[1:4], columns.shape[5:]))
    n, c = x.shape[:2]
    flat = columns.reshape((c, -1, n, *columns.shape[5:]))
    for i in range(n * c):
        copy_into(
            x[i // c, i % c], geometry, start * geometry[0, 0] - geometry[1, 0], padded
        )
        for k in range(flat.shape[1]):
            tap = tap_offset(k, columns.shape[1:4], geometry)
            _copy(flat[i % c, k, i // c], padded, tap)


@kernel("void(T[:,:,:,:,:,:,:,::1], int64[:,::1], T[:,:,:,:,:,::1], T[:,:,:,:,::1])")
def add_columns(columns: Any, geometry: Any, padded: Any, x: Any) -> None:
    """Sum of the columns at the cells they come from: the transpose of `gather`.

    Shape: (C, KD, KH, KW, N, D', H', W') -> (N, C, D, H, W)
    """
    require(columns.shape[0] == x.shape[1] and columns.shape[4] == len(x))
    require(fits(padded, geometry, x.shape[4], columns.shape[1:4], columns.shape[5:]))
    n, c = x.shape[:2]
    flat = columns.reshape((c, -1, n, *columns.shape[5:]))
    for i in range(n * c):
        padded[...] = 0
        for k in range(flat.shape[1]):
            tap = tap_offset(k, columns.shape[1:4], geometry)
            _add(flat[i % c, k, i // c], padded, tap)
        copy_out_of(padded, geometry, x[i // c, i % c])
