"""The cells of a buffer that a view covers, as in `memory_cells.ts`."""

from __future__ import annotations

import math
from typing import Any

__all__ = ["cells_of_view"]

MOST = 4096  # elements of a view that are looked up one by one


def cells_of_view(view: dict[str, Any], total: int, most: int) -> list[bool]:
    """Whether each of at most `most` equal parts of a buffer contains part of the view.

    A view of many elements is represented by every k-th of them.

    Args:
        view: has shape, strides and offset, in elements.
        total: elements of the buffer.
        most: parts, if it has more elements than that.

    Example:
        >>> column = {"shape": [2], "strides": [3], "offset": 1}
        >>> cells_of_view(column, total=6, most=100)
        [False, True, False, False, True, False]
    """
    parts = min(total, most)
    lit = [False] * parts
    numel = math.prod(view["shape"])
    stride = max(1, -(-numel // MOST))
    for flat in range(0, numel, stride):
        place = view["offset"]
        rest = flat
        for size, step in zip(
            reversed(view["shape"]), reversed(view["strides"]), strict=True
        ):
            rest, index = divmod(rest, size)
            place += index * step
        if 0 <= place < total:
            lit[place * parts // total] = True
    return lit
