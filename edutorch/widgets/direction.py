"""The direction in which a graph is drawn: from top to bottom, or from left to right.

`widgets/src/direction.ts` does the same; `widgets/test/fixtures/direction` keeps both
consistent.
"""

from __future__ import annotations

from typing import Literal

__all__ = ["READABLE", "Direction", "better_direction", "shown"]

Direction = Literal["down", "right"]
Size = tuple[float, float]  # width, height

# the least scale at which the smallest letters of a graph, 11 px, can be read
READABLE = 0.9
# the other direction must be so much better before a drawing is turned
WORTH_TURNING = 1.2


def shown(drawing: Size, frame: Size) -> float:
    """How well a frame shows a drawing.

    That is the drawing's scale, or the part of it that is seen where it cannot be
    read at that scale.

    Example:
        >>> shown((2000, 100), (1000, 500)) < shown((500, 400), (1000, 500))
        True
    """
    across, down = frame[0] / max(1.0, drawing[0]), frame[1] / max(1.0, drawing[1])
    scale = min(1.0, across, down)
    part = min(1.0, across / READABLE) * min(1.0, down / READABLE)
    return scale if scale >= READABLE else part * READABLE


def better_direction(
    now: Direction | Literal[""], down: Size, right: Size, frame: Size
) -> Direction:
    """The direction in which a frame shows more; `now` where that hardly differs.

    Args:
        now: how it is drawn, if it is.
        down: the size of the drawing from top to bottom.
        right: its size from left to right.
        frame: the size of what it is looked at in.

    Example:
        >>> better_direction("down", (200, 900), (1000, 150), (1000, 500))
        'right'
    """
    a, b = shown(down, frame), shown(right, frame)
    if now == "right":
        return "down" if a > b * WORTH_TURNING else "right"
    return "right" if b > a * (WORTH_TURNING if now else 1.0) else "down"
