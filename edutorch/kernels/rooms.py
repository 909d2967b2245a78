"""How compiled convolutions see images: three dimensions, and planes with room.

A room is a plane with its padding around it, see Note [Room] in `fast/windows.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.sliding_windows import Shape

__all__ = ["geometry", "in_three", "room", "served"]


def in_three(shape: Shape, fill: int = 1) -> Shape:
    """Sizes in one to three dimensions as (layers, rows, columns).

    The rows of an image become layers: work is divided by layers.

    Example:
        >>> in_three((7,)), in_three((7, 8)), in_three((0, 2), 0)
        ((1, 1, 7), (7, 1, 8), (0, 0, 2))
    """
    if len(shape) == 1:
        return (fill, fill, *shape)
    return (shape[0], *(fill,) * (3 - len(shape)), *shape[1:])


def geometry(stride: Shape, padding: Shape, dilation: Shape) -> Any:
    """Stride, padding and dilation as the rows of a matrix.

    Example:
        >>> geometry((2, 3), (0, 1), (1, 1)).tolist()
        [[2, 1, 3], [0, 0, 1], [1, 1, 1]]
    """
    rows = in_three(stride), in_three(padding, 0), in_three(dilation)
    return np.array(rows, np.int64)


def room(how: Any, size: Shape, layers: int, dtype: Any) -> Any:
    """Room for some layers of a plane, with padding around rows and columns.

    Example:
        >>> room(geometry((2,), (1,), (1,)), (1, 1, 9), 1, np.float32).shape
        (1, 1, 2, 1, 1, 6)
    """
    _, high, wide = (s + 2 * int(p) for s, p in zip(size, how[1], strict=True))
    steps = [int(t) for t in how[0]]
    places = (-(-s // t) for s, t in zip((layers, high, wide), steps, strict=True))
    return np.zeros((*steps, *places), dtype)


def served(x: Any, w_shape: Shape, out: Shape) -> bool:
    """Whether these are numbers in main memory, and there are any.

    Example:
        >>> served(np.zeros((1, 1, 4)), (1, 1, 2), (3,))
        True
    """
    return type(x) is np.ndarray and 0 not in (*x.shape, *w_shape, *out)
