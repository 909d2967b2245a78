"""Arguments of compiled convolutions: shapes in 3 dimensions, and padded planes.

See Note [Padded buffer] in `fast/padded_buffers.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.sliding_windows import Shape

__all__ = ["as_3d", "conv_geometry", "is_supported", "padded_buffer"]


def as_3d(shape: Shape, fill: int = 1) -> Shape:
    """Sizes in one to three dimensions as (layers, rows, columns).

    The rows of an image become layers, since threads share work by layers.

    Example:
        >>> as_3d((7,)), as_3d((7, 8)), as_3d((0, 2), 0)
        ((1, 1, 7), (7, 1, 8), (0, 0, 2))
    """
    if len(shape) == 1:
        return (fill, fill, *shape)
    return (shape[0], *(fill,) * (3 - len(shape)), *shape[1:])


def conv_geometry(stride: Shape, padding: Shape, dilation: Shape) -> Any:
    """Stride, padding and dilation as the rows of a matrix.

    Example:
        >>> conv_geometry((2, 3), (0, 1), (1, 1)).tolist()
        [[2, 1, 3], [0, 0, 1], [1, 1, 1]]
    """
    rows = as_3d(stride), as_3d(padding, 0), as_3d(dilation)
    return np.array(rows, np.int64)


def padded_buffer(geometry: Any, size: Shape, layers: int, dtype: Any) -> Any:
    """A buffer of zeros for some layers of a plane, with rows and columns padded.

    Example:
        >>> rows = conv_geometry((2,), (1,), (1,))
        >>> padded_buffer(rows, (1, 1, 9), 1, np.float32).shape
        (1, 1, 2, 1, 1, 6)
    """
    _, height, width = (s + 2 * int(p) for s, p in zip(size, geometry[1], strict=True))
    steps = [int(t) for t in geometry[0]]
    sizes = (-(-s // t) for s, t in zip((layers, height, width), steps, strict=True))
    return np.zeros((*steps, *sizes), dtype)


def is_supported(x: Any, w_shape: Shape, out: Shape) -> bool:
    """Whether this is a NumPy array, and nothing is empty.

    Example:
        >>> is_supported(np.zeros((1, 1, 4)), (1, 1, 2), (3,))
        True
    """
    return type(x) is np.ndarray and 0 not in (*x.shape, *w_shape, *out)
