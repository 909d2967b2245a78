"""The direction in which a graph is drawn: top to bottom or left to right.

`widgets/src/direction.ts` does the same; `widgets/test/fixtures/direction` keeps both
consistent.
"""

from __future__ import annotations

from typing import Literal

__all__ = ["READABLE", "Direction", "better_direction", "visible_scale"]

Direction = Literal["down", "right"]
Size = tuple[float, float]  # width, height

# the smallest scale at which the letters of a graph, at least 11 px, are legible
READABLE = 0.9
# the factor in scale for which a drawing is turned
WORTH_TURNING = 1.2


def visible_scale(drawing: Size, frame: Size) -> float:
    """The scale at which a drawing fits into a frame.

    If its text would be too small to read, the drawing is shown at a readable scale
    and scrolled: that scale, times the fraction of the drawing that is visible.

    Example:
        >>> visible_scale((500, 400), frame=(1000, 500))
        1.0
        >>> visible_scale((2000, 100), frame=(1000, 500))
        0.5
    """
    across, down = frame[0] / max(1.0, drawing[0]), frame[1] / max(1.0, drawing[1])
    scale = min(1.0, across, down)
    part = min(1.0, across / READABLE) * min(1.0, down / READABLE)
    return scale if scale >= READABLE else part * READABLE


def better_direction(
    now: Direction | Literal[""], down: Size, right: Size, frame: Size
) -> Direction:
    """The direction in which a frame shows more; `now` if the difference is small.

    Args:
        now: how it is drawn, if it is.
        down: the size of the drawing from top to bottom.
        right: its size from left to right.
        frame: the size of the window.

    Example:
        >>> better_direction("down", (200, 900), (1000, 150), (1000, 500))
        'right'
    """
    a, b = visible_scale(down, frame), visible_scale(right, frame)
    if now == "right":
        return "down" if a > b * WORTH_TURNING else "right"
    return "right" if b > a * (WORTH_TURNING if now else 1.0) else "down"
