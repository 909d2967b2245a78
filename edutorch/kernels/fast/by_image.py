"""Twins of `kernels/by_image.py`: columns gathered from images, and added to them.

See Note [Room] in `windows.py`.
"""

from __future__ import annotations

from typing import Any

from edutorch.kernels.fast.compiling import helper, kernel
from edutorch.kernels.fast.guard import require
from edutorch.kernels.fast.sliding_windows import (
    enter,
    leave,
    reaches,
    tap_place,
    window,
)

__all__ = ["add_columns", "gather"]


@helper
def _copy(columns: Any, room: Any, tap: Any) -> None:
    """Math: columns[p] = room[p stride]."""
    for h in range(columns.shape[1]):
        for d in range(columns.shape[0]):
            line, cells = columns[d, h], window(room, tap, d, h)
            for j in range(line.size):
                line[j] = cells[j]


@helper
def _add(columns: Any, room: Any, tap: Any) -> None:
    """Math: room[p stride] += columns[p]."""
    for h in range(columns.shape[1]):
        for d in range(columns.shape[0]):
            line, cells = columns[d, h], window(room, tap, d, h)
            for j in range(line.size):
                cells[j] += line[j]


@kernel(
    "void(T[:,:,:,:,::1], int64[:,::1], T[:,:,:,:,:,::1], int64, T[:,:,:,:,:,:,:,::1])"
)
def gather(x: Any, how: Any, room: Any, start: int, columns: Any) -> None:
    """Some layers of windows, from `start` on, as columns.

    Shape: (N, C, D, H, W) -> (C, KD, KH, KW, N, layers, H', W')
    """
    require(columns.shape[0] == x.shape[1] and columns.shape[4] == len(x))
    require(reaches(room, how, x.shape[4], columns.shape[1:4], columns.shape[5:]))
    n, c = x.shape[:2]
    flat = columns.reshape((c, -1, n, *columns.shape[5:]))
    for i in range(n * c):
        enter(x[i // c, i % c], how, start * how[0, 0] - how[1, 0], room)
        for k in range(flat.shape[1]):
            tap = tap_place(k, columns.shape[1:4], how)
            _copy(flat[i % c, k, i // c], room, tap)


@kernel("void(T[:,:,:,:,:,:,:,::1], int64[:,::1], T[:,:,:,:,:,::1], T[:,:,:,:,::1])")
def add_columns(columns: Any, how: Any, room: Any, x: Any) -> None:
    """Sum of the columns at the cells they come from: the transpose of `gather`.

    Shape: (C, KD, KH, KW, N, D', H', W') -> (N, C, D, H, W)
    """
    require(columns.shape[0] == x.shape[1] and columns.shape[4] == len(x))
    require(reaches(room, how, x.shape[4], columns.shape[1:4], columns.shape[5:]))
    n, c = x.shape[:2]
    flat = columns.reshape((c, -1, n, *columns.shape[5:]))
    for i in range(n * c):
        room[...] = 0
        for k in range(flat.shape[1]):
            tap = tap_place(k, columns.shape[1:4], how)
            _add(flat[i % c, k, i // c], room, tap)
        leave(room, how, x[i // c, i % c])
