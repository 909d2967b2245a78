"""Loops for windows over images, which convolutions share.

Three dimensions serve for one and two: those in front have one cell. `how` holds
stride, padding and dilation in its rows.

# Note [Room]
A plane is copied into a room with its padding around, so that no window sticks out,
and with its layers, rows and columns sorted by their rest modulo the stride: the cells
that one tap of a line of windows reads lie side by side whatever the stride is, and
those of the next line one row further. A plane (D, H, W) takes a room of
(*stride, layers, rows, columns).
"""

from __future__ import annotations

from typing import Any

from edutorch.kernels.fast.compiling import helper

__all__ = ["enter", "leave", "reaches", "tap_place", "window"]


@helper
def _digits(i: int, step: int, rows: int, high: int) -> tuple[int, int, int, int]:
    """One number for four loops."""
    rest = i // step
    more = rest // rows
    return i % step, rest % rows, more % high, more // high


@helper
def enter(x: Any, how: Any, first: int, room: Any) -> None:
    """Copy layers of a plane, from `first` on, into a room of zeros.

    Shape: (D, H, W) -> (*stride, layers, rows, columns)
    """
    deep, high, step = room.shape[:3]
    for i in range(deep * high * step * room.shape[4]):
        s, h, q, p = _digits(i, step, room.shape[4], high)
        row, skip = h * high + q - how[1, 1], (s - how[1, 2]) % step
        column = (skip + how[1, 2]) // step
        for d in range(room.shape[3] if 0 <= row < x.shape[1] else 0):
            layer = d * deep + p + first
            if layer < 0 or layer >= x.shape[0]:
                continue
            line, cells = x[layer, row, skip:], room[p, q, s, d, h, column:]
            for j in range((line.size + step - 1) // step):
                cells[j] = line[step * j]


@helper
def leave(room: Any, how: Any, x: Any) -> None:
    """Copy a whole plane out of its room."""
    deep, high, step = room.shape[:3]
    for i in range(deep * high * step * room.shape[4]):
        s, h, q, p = _digits(i, step, room.shape[4], high)
        row, skip = h * high + q - how[1, 1], (s - how[1, 2]) % step
        column = (skip + how[1, 2]) // step
        for d in range(room.shape[3] if 0 <= row < x.shape[1] else 0):
            layer = d * deep + p - how[1, 0]
            if layer < 0 or layer >= x.shape[0]:
                continue
            line, cells = x[layer, row, skip:], room[p, q, s, d, h, column:]
            for j in range((line.size + step - 1) // step):
                line[step * j] = cells[j]


@helper
def reaches(room: Any, how: Any, wide: int, kernel: Any, out: Any) -> bool:
    """Whether a room is as large as planes `wide` columns wide and their windows.

    Of planes only the columns matter: `enter` and `leave` skip layers and rows that
    have no place.
    """
    for a in range(3):
        stride, padding, dilation = how[0, a], how[1, a], how[2, a]
        if stride < 1 or padding < 0 or dilation < 0 or room.shape[a] != stride:
            return False
        if kernel[a] < 1 or room.shape[3 + a] < 1:
            return False
        if out[a] + (kernel[a] - 1) * dilation // stride > room.shape[3 + a]:
            return False
    return bool(wide + how[1, 2] <= room.shape[5] * room.shape[2])


@helper
def tap_place(k: int, kernel: Any, how: Any) -> tuple[int, int, int, int, int, int]:
    """Where tap number k of the first window lies in the room."""
    _, high, wide = kernel
    d, h = k // (high * wide) * how[2, 0], k // wide % high * how[2, 1]
    w, deep, tall, step = k % wide * how[2, 2], how[0, 0], how[0, 1], how[0, 2]
    return d % deep, h % tall, w % step, d // deep, h // tall, w // step


@helper
def window(room: Any, tap: Any, d: int, h: int) -> Any:
    """The cells that a tap of the windows (d, h, 0), (d, h, 1), ... reads."""
    row = room[tap[0], tap[1], tap[2], d + tap[3], h + tap[4]]
    return row[tap[5] :]
