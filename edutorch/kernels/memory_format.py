"""Memory formats: row-major (contiguous), channels last, or that of the operands."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .casts import cast

__all__ = [
    "broadcast_strides", "cast_preserving_strides", "channels_last",
    "copy_preserving_strides", "elementwise_strides", "has_channels_last",
    "match_exact_strides", "match_image_format", "match_memory_format", "match_order",
    "match_strides", "memory_order", "order_of_entries", "row_major",
]  # fmt: skip

STRIDED = ("numpy", "cupy")  # libraries whose arrays have memory layouts of their own


def has_channels_last(x: Any) -> bool:
    """Whether strides are channels last: channels innermost, and more than one.

    Strides alone decide, including those of dimensions of size 1, and gaps are allowed.

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
    return strides[0] >= reach and reach > strides[1]


def channels_last(y: Any) -> Any:
    """A copy in channels-last format.

    Shape: (N, C, *S) -> (N, C, *S), C fastest
    """
    last = y.transpose(0, *range(2, y.ndim), 1).copy(order="C")  # (N, *S, C)
    return last.transpose(0, y.ndim - 1, *range(1, y.ndim - 1))


def match_memory_format(y: Any, *sources: Any) -> Any:
    """A result in channels-last format if one of its sources has it, else row-major."""
    for x in sources:
        if has_channels_last(x):
            return y if has_channels_last(y) else channels_last(y)
    y = row_major(y)
    if 1 not in y.shape:
        return y
    # Strides of dimensions of one element have no effect, but can be read.
    usual = y.reshape(-1).reshape(y.shape)
    return y if y.strides == usual.strides else usual


def match_image_format(y: Any, *sources: Any) -> Any:
    """As `match_memory_format`, but 5-d results are row-major, and 3-d are images.

    PyTorch's convolutions and means support channels last for images only; its 1-d
    pools compute on images of one row.
    """
    if y.ndim == 3 and all(x.ndim == 3 for x in sources):
        images = [x[:, :, None] for x in (y, *sources)]  # (N, C, 1, L)
        return match_memory_format(*images)[:, :, 0]
    return row_major(y) if y.ndim == 5 else match_memory_format(y, *sources)


def row_major(y: Any) -> Any:
    """A result in row-major order, regardless of that of the operands.

    NumPy keeps the operands' order where it can; PyTorch does so in elementwise
    functions only, and programs rely on it when they call `view` on a sum.
    """
    return y if y.ndim < 2 or y.flags.c_contiguous else y.copy(order="C")


def cast_preserving_strides(x: Any, dtype: Any) -> Any:
    """A copy in another dtype, with the elements in the same order in memory.

    NumPy makes expanded dimensions (of stride 0) the innermost; PyTorch keeps their
    positions.
    """
    expanded = x.ndim > 1 and 0 in x.strides
    y = cast(match_strides(x, x) if expanded else x, dtype)
    return match_exact_strides(y, x) if 1 in x.shape else y


def match_exact_strides(y: Any, x: Any) -> Any:
    """`y`, laid out as `x`, with the strides of `x` in dimensions of one element, too.

    They have no influence on the layout, but programs and `has_channels_last` read
    them. With gaps between the elements of `x`, `y` stays as it is.
    """
    library = type(y).__module__.partition(".")[0]
    host = isinstance(y, np.ndarray)  # of the meta device, too
    if not (host or library in STRIDED) or y.strides == x.strides or not y.size:
        return y
    steps = tuple(abs(s) // x.itemsize * y.itemsize for s in x.strides)
    pairs = zip(y.shape, y.strides, steps, strict=True)
    if any(n > 1 and s != t for n, s, t in pairs):
        return y
    if host and type(y) is not np.ndarray:
        return np.lib.stride_tricks.as_strided(y, y.shape, steps, subok=True)
    tricks = sys.modules[library].lib.stride_tricks
    if y.dtype.kind == "W":  # complex32, which NumPy's array interface cannot name
        return tricks.as_strided(y.view("u4"), y.shape, steps).view(y.dtype)
    return tricks.as_strided(y, y.shape, steps)


def copy_preserving_strides(x: Any) -> Any:
    """A copy with the elements in the same order in memory."""
    return cast_preserving_strides(x, x.dtype)


def match_strides(y: Any, *operands: Any) -> Any:
    """A result in the memory order of an elementwise function of these operands."""
    if all(v.flags.c_contiguous for v in (y, *operands)):
        return y
    return match_order(y, memory_order(y.shape, operands))


def match_order(y: Any, order: Sequence[int]) -> Any:
    """A result with its dimensions in this order in memory, the innermost last."""
    inwards = y.transpose(order)
    if inwards.flags.c_contiguous:
        return y
    return inwards.copy(order="C").transpose([int(d) for d in np.argsort(order)])


def memory_order(shape: Sequence[int], operands: Sequence[Any]) -> list[int]:
    """The dimensions of an elementwise result, from the outermost in memory inwards.

    They are in row-major order unless an operand's strides say otherwise; of two
    dimensions, the first operand with different strides for them decides.
    """
    steps = [[abs(s) for s in broadcast_strides(x, shape)] for x in operands if x.ndim]

    def further(i: int, j: int) -> int:
        """Whether dimension i is further out than j (1), or further in (-1)."""
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


def broadcast_strides(x: Any, shape: Sequence[int]) -> list[int]:
    """The strides of an array (or number) broadcast to a shape.

    Example:
        >>> broadcast_strides(np.zeros((3, 1)), (2, 3, 4))
        [0, 8, 0]
    """
    strides = getattr(x, "strides", ())
    sizes = getattr(x, "shape", ())
    own = [0 if n == 1 else s for s, n in zip(strides, sizes, strict=True)]
    return [0] * (len(shape) - len(own)) + own


def elementwise_strides(
    shape: Sequence[int], itemsize: int, operands: Sequence[Any]
) -> tuple[int, ...]:
    """The strides of an elementwise result: the memory order of its operands.

    On the CPU, NumPy lays out most results, row-major where operands disagree; see
    `docs/departures.md`.
    """
    strides, step = [0] * len(shape), itemsize
    for dim in reversed(memory_order(shape, operands)):
        strides[dim] = step
        step *= max(shape[dim], 1)
    return tuple(strides)


class Layout(NamedTuple):
    """What tells the order of an operand in memory."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    ndim: int


def order_of_entries(
    shape: tuple[int, ...], x: Any, slots: tuple[int | None, ...], indices: Any
) -> list[int]:
    """The memory order of `x[indices]`, from the outermost dimension inwards.

    It is that of an elementwise function of the tensor, in which the dimensions of the
    indices have no stride, and of the indices.
    """
    indexed: list[int] = []
    dim = 0
    for slot in slots:
        kept = slot is None or indices[slot].dtype.kind != "b"
        used = 1 if slot is None or kept else indices[slot].ndim
        indexed += range(dim, dim + used) if slot is not None else ()
        dim += used
    adjacent = indexed[-1] - indexed[0] < len(indexed)
    start = indexed[0] if adjacent else 0  # of the dimensions of the indices
    own = [s for d, s in enumerate(x.strides) if d not in indexed]
    width = len(shape) - len(own)
    steps = (*own[:start], *(0,) * width, *own[start:])
    operands = [Layout(shape, steps, len(shape))]
    for index in indices:
        if index.dtype.kind != "b":
            inner = shape[start : start + width]
            steps = (*broadcast_strides(index, inner), *(0,) * (len(own) - start))
            operands.append(Layout(shape[-len(steps) :], steps, len(steps)))
    return memory_order(shape, operands)
