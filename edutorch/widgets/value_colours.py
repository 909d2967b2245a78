"""Colours of numbers: zero is white, negative blue, positive orange.

The same as `widgets/src/value_colours.ts`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

__all__ = [
    "NONFINITE",
    "bound_of",
    "cell_pixels",
    "image_pixels",
    "montage",
    "tiling",
    "value_colour",
]

ZERO, NEGATIVE, POSITIVE = (247, 248, 250), (11, 79, 170), (176, 66, 4)
NONFINITE = (192, 16, 64)
MOST_TILES = 256


def bound_of(values: list[Any]) -> float:
    """The largest magnitude among the finite numbers, which gets the full colour.

    Example:
        >>> bound_of([1.0, -3.0, "inf"])
        3.0
    """
    return max((abs(v) for v in values if not isinstance(v, str)), default=0.0)


def value_colour(value: Any, bound: float) -> tuple[int, int, int]:
    """The colour of a number between -bound and bound, or of a non-finite one.

    Example:
        >>> value_colour(0.0, 1.0), value_colour("nan", 1.0)
        ((247, 248, 250), (192, 16, 64))
    """
    if isinstance(value, str):
        return NONFINITE
    t = min(1.0, abs(value) / bound) if bound else 0.0
    end = NEGATIVE if value < 0 else POSITIVE
    red, green, blue = (
        math.floor(a + (b - a) * t + 0.5) for a, b in zip(ZERO, end, strict=True)
    )
    return red, green, blue


def cell_pixels(grid: dict[str, Any]) -> list[np.ndarray]:
    """The slices of a grid as (h, w, 3) arrays of colours."""
    rows, columns = grid["shown"]
    bound = bound_of(grid["values"])
    colours = [value_colour(v, bound) for v in grid["values"]]
    return list(np.array(colours, np.uint8).reshape(-1, rows, columns, 3))


def image_pixels(grid: dict[str, Any], layout: str) -> list[np.ndarray]:
    """The slices of a grid as images: three per image for "rgb", one for "gray"."""
    rows, columns = grid["shown"]
    channels = 3 if layout == "rgb" else 1
    values = [0.0 if isinstance(v, str) else float(v) for v in grid["values"]]
    top = 255.0 if bound_of(values) > 1 else 1.0
    planes = np.array(values).reshape(-1, rows, columns) / top * 255
    whole = planes[: len(planes) // channels * channels]
    images = whole.reshape(-1, channels, rows, columns)
    three = np.broadcast_to(images, (len(images), 3, rows, columns))
    last = np.moveaxis(three, 1, 3)  # (images, h, w, 3)
    return list(np.floor(last + 0.5).clip(0, 255).astype(np.uint8))


def tiling(count: int, rows: int, columns: int) -> tuple[int, int, int]:
    """The number of tiles per row, of rows, and in total.

    Example:
        >>> tiling(16, rows=3, columns=3)
        (5, 4, 16)
    """
    n = min(count, MOST_TILES)
    wide = math.floor(math.sqrt(n * 1.4 * (rows + 1) / (columns + 1)) + 0.5)
    across = max(1, min(n, wide))
    return across, -(-n // across), n


def montage(tiles: list[np.ndarray]) -> np.ndarray:
    """Pictures side by side as (h, w, 4), with transparent lines between them."""
    rows, columns, _ = tiles[0].shape
    across, down, n = tiling(len(tiles), rows, columns)
    size = down * (rows + 1) - 1, across * (columns + 1) - 1
    sheet = np.zeros((*size, 4), np.uint8)
    for k, tile in enumerate(tiles[:n]):
        top, left = k // across * (rows + 1), k % across * (columns + 1)
        place = sheet[top : top + rows, left : left + columns]
        place[..., :3], place[..., 3] = tile, 255
    return sheet
