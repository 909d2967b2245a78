"""The order of elements in memory: row-major, or with the channels of images last."""

from __future__ import annotations

from typing import Any

__all__ = [
    "channels_last",
    "has_channels_last",
    "laid_like",
    "laid_like_images",
    "row_major",
]


def has_channels_last(x: Any) -> bool:
    """Whether the channels of each place lie together, and did not have to.

    Example:
        >>> import numpy as np
        >>> has_channels_last(np.zeros((1, 4, 4, 3)).transpose(0, 3, 1, 2))
        True
    """
    if x.ndim < 4 or x.strides[1] != x.itemsize or x.flags.c_contiguous:
        return False
    return bool(x.transpose(0, *range(2, x.ndim), 1).flags.c_contiguous)


def channels_last(y: Any) -> Any:
    """A copy with the channels of each place together.

    Shape: (N, C, *S) -> (N, C, *S), C fastest
    """
    last = y.transpose(0, *range(2, y.ndim), 1).copy(order="C")  # (N, *S, C)
    return last.transpose(0, y.ndim - 1, *range(1, y.ndim - 1))


def laid_like(y: Any, *sources: Any) -> Any:
    """A result with its channels last in memory if one of its sources has them so."""
    for x in sources:
        if has_channels_last(x):
            return y if has_channels_last(y) else channels_last(y)
    return row_major(y)


def laid_like_images(y: Any, *sources: Any) -> Any:
    """As `laid_like`, but volumes are row-major, and lines are images of one row.

    PyTorch's convolutions and means know channels last for images only; its pools
    compute lines as images.
    """
    if y.ndim == 3:
        images = [x[:, :, None] for x in sources]
        return laid_like(y[:, :, None], *images)[:, :, 0]
    return row_major(y) if y.ndim == 5 else laid_like(y, *sources)


def row_major(y: Any) -> Any:
    """A result in row-major order, whatever the order of the operands.

    NumPy keeps the operands' order where it can; PyTorch does so in elementwise
    functions only, and programs rely on it when they call `view` on a sum.
    """
    return y if y.ndim < 2 or y.flags.c_contiguous else y.copy(order="C")
