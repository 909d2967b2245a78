"""The order of elements in memory: row-major, or with the channels of images last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = [
    "channels_last", "copied", "has_channels_last", "in_dtype", "k_strides", "laid_as",
    "laid_like", "laid_like_images", "row_major",
]  # fmt: skip


def has_channels_last(x: Any) -> bool:
    """Whether the channels of each place lie together, and did not have to.

    Strides alone decide, also those of dimensions of one element, and gaps may be
    anywhere.

    Example:
        >>> import numpy as np
        >>> has_channels_last(np.zeros((1, 4, 4, 3)).transpose(0, 3, 1, 2))
        True
    """
    strides = x.strides
    if x.ndim not in (4, 5) or strides[1] > strides[-1] or not (strides[1] and x.size):
        return False
    reach = strides[1]
    for dim in (1, *range(x.ndim - 1, 1, -1)):  # from the innermost outwards
        step = strides[dim] or reach * (x.shape[dim] == 1)  # `None` adds steps of 0
        if step < reach:
            return False
        reach = step * x.shape[dim]
    return strides[0] >= reach and reach > strides[1]  # type: ignore[no-any-return]


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
    if y.ndim == 3 and all(x.ndim == 3 for x in sources):
        images = [x.reshape(*x.shape[:2], 1, x.shape[2]) for x in (y, *sources)]
        return laid_like(*images)[:, :, 0]
    return row_major(y) if y.ndim == 5 else laid_like(y, *sources)


def row_major(y: Any) -> Any:
    """A result in row-major order, whatever the order of the operands.

    NumPy keeps the operands' order where it can; PyTorch does so in elementwise
    functions only, and programs rely on it when they call `view` on a sum.
    """
    return y if y.ndim < 2 or y.flags.c_contiguous else y.copy(order="C")


def in_dtype(x: Any, dtype: Any) -> Any:
    """A copy in another dtype, in the order of memory of the elements.

    NumPy puts dimensions along which elements are repeated innermost; PyTorch leaves
    them where they stand.
    """
    if x.ndim > 1 and 0 in x.strides:
        return laid_as(x, x).astype(dtype)
    return x.astype(dtype)


def copied(x: Any) -> Any:
    """A copy in the order of memory of the elements."""
    return in_dtype(x, x.dtype)


def laid_as(y: Any, *operands: Any) -> Any:
    """A result in the order of memory that an elementwise function of operands has."""
    if all(v.flags.c_contiguous for v in (y, *operands)):
        return y
    order = memory_order(y.shape, operands)
    inwards = y.transpose(order)
    if inwards.flags.c_contiguous:
        return y
    return inwards.copy(order="C").transpose(np.argsort(order))


def memory_order(shape: Sequence[int], operands: Sequence[Any]) -> list[int]:
    """The dimensions of an elementwise result, from the outermost in memory inwards.

    They stand as they are named but where an operand's strides tell otherwise; the
    first operand that tells anything of two dimensions decides.
    """
    steps = [
        [abs(s) for s in np.broadcast_to(np.asarray(x), shape).strides]
        for x in operands
        if x.ndim
    ]

    def further(i: int, j: int) -> int:
        """Whether dimension i lies further out than j (1), or inside of it (-1)."""
        for s in steps:
            if s[i] and s[j] and s[i] != s[j]:
                return 1 if s[i] > s[j] else -1
            if s[i] and s[i] == s[j] and shape[i] > shape[j]:
                return 1
        return 0

    order = list(range(len(shape)))[::-1]  # the innermost dimension first
    for last in range(1, len(order)):
        at = last
        for before in range(last - 1, -1, -1):
            found = further(order[before], order[at])
            if found > 0:
                order[before], order[at] = order[at], order[before]
                at = before
            elif found < 0:
                break
    return order[::-1]


def k_strides(
    shape: Sequence[int], itemsize: int, operands: Sequence[Any]
) -> tuple[int, ...]:
    """The strides of an elementwise result, in the order of its operands' memory."""
    strides, step = [0] * len(shape), itemsize
    for dim in reversed(memory_order(shape, operands)):
        strides[dim] = step
        step *= max(shape[dim], 1)
    return tuple(strides)
