"""Loops for windows over images, which convolutions share.

Three dimensions serve for one and two: those in front have one cell. `how` holds
stride, padding and dilation in its rows.

# Note [Room]
A plane is copied into a room with its padding around, so that no window sticks out,
and with its columns sorted by their rest modulo the stride: the cells that one tap of
a line of windows reads lie side by side whatever the stride is. A plane (D, H, W)
takes a room (D + 2 p, H + 2 p, stride, columns).
"""

from __future__ import annotations

from typing import Any

from edutorch.kernels.fast.compiling import helper

__all__ = ["enter", "leave", "tap_line", "window"]


@helper
def enter(x: Any, how: Any, first: int, room: Any) -> None:
    """Copy layers of a plane, from `first` on, into a room of zeros.

    Shape: (D, H, W) -> (layers, H + 2 p, stride, columns)
    """
    step, pad = room.shape[2], how[1, 2]
    top, end = max(0, first), min(x.shape[0], first + room.shape[0])
    for i in range(top * x.shape[1], end * x.shape[1]):
        d, h = i // x.shape[1], i % x.shape[1]
        for s in range(step):
            skip = (s - pad) % step
            target = room[d - first, h + how[1, 1], s, (skip + pad) // step :]
            line = x[d, h, skip:]
            if step == 1:
                for j in range(line.size):
                    target[j] = line[j]
            else:
                for j in range((line.size + step - 1) // step):
                    target[j] = line[step * j]


@helper
def leave(room: Any, how: Any, x: Any) -> None:
    """Copy a whole plane out of its room."""
    step, pad = room.shape[2], how[1, 2]
    for i in range(x.shape[0] * x.shape[1]):
        d, h = i // x.shape[1], i % x.shape[1]
        for s in range(step):
            skip = (s - pad) % step
            place = (skip + pad) // step
            source = room[d + how[1, 0], h + how[1, 1], s, place:]
            line = x[d, h, skip:]
            if step == 1:
                for j in range(line.size):
                    line[j] = source[j]
            else:
                for j in range((line.size + step - 1) // step):
                    line[step * j] = source[j]


@helper
def tap_line(k: int, kernel: Any, how: Any) -> tuple[int, int, int, int]:
    """Where tap number k lies in the room, seen from its window: (D, H, stride, W)."""
    _, high, wide = kernel
    across = k % wide * how[2, 2]
    deep, down = k // (high * wide) * how[2, 0], k // wide % high * how[2, 1]
    return deep, down, across % how[0, 2], across // how[0, 2]


@helper
def window(room: Any, how: Any, tap: Any, d: int, h: int) -> Any:
    """The cells that a tap of the windows (d, h, 0), (d, h, 1), ... reads."""
    row = room[d * how[0, 0] + tap[0], h * how[0, 1] + tap[1], tap[2]]
    return row[tap[3] :]
