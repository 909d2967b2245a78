"""Geometry of sliding windows, for any number of spatial dimensions.

Convolution and pooling use the same memory order inside the kernels.

# Note [Batch last]
Arrays are passed with the logical shape (N, C, *S), but the kernels work on
`(C, *S, N)`: the batch is innermost. Then
- neighbouring window positions of all images form one contiguous run of
  `width * N` numbers, so gathering columns copies long runs whatever C is;
- one matrix product serves the whole batch, without a Python loop over images;
- shifted, strided and reversed views stay contiguous along N, which is what keeps
  plain NumPy pooling fast;
- reductions over a channel are reductions over one contiguous row.
Results are copied to the standard order. Keeping batch-last memory from layer to layer
would be a fifth faster (LeNet: 11.4 ms per step instead of 13.6), but the strides would
differ from PyTorch's, and `view` and random fills, which follow the memory order, would
give other results.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

import numpy as np

from edutorch.backends.array_modules import array_module

__all__ = [
    "Shape",
    "accumulator",
    "add_windows",
    "batch_axis_last",
    "batch_first",
    "batch_last",
    "blocks",
    "conv_size",
    "planes_first",
    "planes_like",
    "restore_planes",
    "pool_size",
    "tap_slices",
    "taps",
    "windows",
]

Shape = tuple[int, ...]


def conv_size(
    size: Shape, kernel: Shape, stride: Shape, padding: Shape, dilation: Shape
) -> Shape:
    """Output size of a convolution.

    Math: S' = floor((S + 2 padding - dilation (K - 1) - 1) / stride) + 1

    Example:
        >>> conv_size((28, 28), (5, 5), (1, 1), (0, 0), (1, 1))
        (24, 24)
    """
    sizes = zip(size, kernel, stride, padding, dilation, strict=True)
    return tuple([(s + 2 * p - d * (k - 1) - 1) // t + 1 for s, k, t, p, d in sizes])


def pool_size(
    size: Shape,
    kernel: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    ceil_mode: bool,
) -> Shape:
    """Output size of a pooling; with `ceil_mode` a last partial window counts.

    A window that would start in the right padding is dropped, as PyTorch does.

    Example:
        >>> pool_size((5,), (2,), (2,), (0,), (1,), True)
        (3,)
    """
    return tuple(
        _pool_size(*sizes, ceil_mode)
        for sizes in zip(size, kernel, stride, padding, dilation, strict=True)
    )


def _pool_size(s: int, k: int, t: int, p: int, d: int, ceil_mode: bool) -> int:
    span = s + 2 * p - d * (k - 1) - 1
    n = (span + t - 1 if ceil_mode else span) // t + 1
    if ceil_mode and (n - 1) * t >= s + p:
        n -= 1
    return n


def accumulator(dtype: Any) -> np.dtype[Any]:
    """The dtype to add in: float32 for the 16-bit floats, else `dtype` itself.

    Example:
        >>> accumulator(np.float16)
        dtype('float32')
    """
    found = _ACCUMULATORS.get(dtype)
    if found is None:
        kind = np.dtype(dtype)
        half = kind == np.float16 or kind.name == "bfloat16"
        found = _ACCUMULATORS[dtype] = np.dtype(np.float32) if half else kind
    return found


_ACCUMULATORS: dict[Any, np.dtype[Any]] = {}  # reading a dtype's name is slow


def batch_last(x: Any, padding: Shape = ()) -> Any:
    """`x` in batch-last memory, with `padding` zeros around each spatial dimension.

    A copy, unless the memory is in that order already; 16-bit floats become float32.

    Shape: (N, C, *S) -> (C, *(S + 2 padding), N)
    """
    xp = array_module(x)
    x = batch_axis_last(x)
    dtype = accumulator(x.dtype)
    if not any(padding):
        return xp.ascontiguousarray(x, dtype=dtype)
    c, *size, n = x.shape
    padded = (s + 2 * p for s, p in zip(size, padding, strict=True))
    y = xp.zeros((c, *padded, n), dtype)
    inside = (slice(p, p + s) for s, p in zip(size, padding, strict=True))
    y[(slice(None), *inside)] = x
    return y


def batch_axis_last(x: Any) -> Any:
    """(N, C, *S) -> (C, *S, N), a view (`moveaxis` takes seven times as long)."""
    return x.transpose(*range(1, x.ndim), 0)


def batch_first(x: Any, dtype: Any) -> Any:
    """A batch-last array in the standard order and `dtype`.

    Shape: (C, *S, N) -> (N, C, *S)
    """
    last = x.ndim - 1
    return array_module(x).ascontiguousarray(x.transpose(last, *range(last)), dtype)


def windows(x: Any, kernel: Shape, out: Shape, stride: Shape, dilation: Shape) -> Any:
    """Every window of a batch-last array, as a view that copies nothing.

    Shape: (C, *S, N) -> (C, *kernel, *out, N)

    Raises:
        RuntimeError: if the last windows would reach beyond the array.
    """
    for s, k, n, t, d in zip(x.shape[1:-1], kernel, out, stride, dilation, strict=True):
        reach = (n - 1) * t + (k - 1) * d + 1
        if n and reach > s:
            raise RuntimeError(f"Expected an input of size {reach}, but got {s}")
    channel, *space, batch = x.strides
    inside = (s * d for s, d in zip(space, dilation, strict=True))
    along = (s * t for s, t in zip(space, stride, strict=True))
    return array_module(x).lib.stride_tricks.as_strided(
        x,
        (x.shape[0], *kernel, *out, x.shape[-1]),
        (channel, *inside, *along, batch),
    )


def taps(kernel: Shape) -> Iterator[Shape]:
    """Positions inside a window, row by row."""
    return product(*map(range, kernel))


def tap_slices(
    tap: Shape,
    size: Shape,
    out: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    """Which inputs tap number `tap` of each window reads, and for which windows.

    Returns slices of the unpadded input and of the output; windows for which the tap
    lies in the padding are left out of both.
    """
    source, target = [], []
    for k, s, n, t, p, d in zip(tap, size, out, stride, padding, dilation, strict=True):
        offset = k * d - p
        first = max(0, -(offset // t))  # first window whose tap is >= 0
        last = max(first, min(n, (s - 1 - offset) // t + 1))
        start = max(first * t + offset, 0)
        source.append(slice(start, max((last - 1) * t + offset + 1, start), t))
        target.append(slice(first, last))
    return tuple(source), tuple(target)


def add_windows(
    x: Any, columns: Any, stride: Shape, padding: Shape, dilation: Shape
) -> None:
    """Add the columns to the cells of `x` they came from: the transpose of `windows`.

    Shape: x (C, *S, N), columns (C, *K, *S', N)
    """
    dims = len(stride)
    kernel, out = columns.shape[1 : dims + 1], columns.shape[dims + 1 : -1]
    every = slice(None)
    for tap in taps(kernel):
        source, target = tap_slices(tap, x.shape[1:-1], out, stride, padding, dilation)
        x[(every, *source)] += columns[(every, *tap, *target)]


def blocks(out: Shape, most: int) -> Iterator[tuple[slice, ...]]:
    """Cut the positions `out` into blocks of at most `most`, each contiguous in memory.

    Blocks have about the same size, since threads share them.

    Example:
        >>> [b for b in blocks((4, 3), 6)]
        [(slice(0, 2, None), slice(0, 3, None)), (slice(2, 4, None), slice(0, 3, None))]
    """
    if 0 < prod(out) <= most:
        yield tuple(slice(0, n) for n in out)
        return
    axis = next((i for i in range(len(out)) if prod(out[i + 1 :]) <= most), 0)
    count = -(-out[axis] // max(1, most // max(1, prod(out[axis + 1 :]))))
    step = -(-out[axis] // max(1, count))
    steps = (*(1,) * axis, step, *out[axis + 1 :])
    starts = (range(0, n, max(1, s)) for n, s in zip(out, steps, strict=True))
    for start in product(*starts):
        yield tuple(
            slice(i, min(i + s, n)) for i, s, n in zip(start, steps, out, strict=True)
        )


def planes_first(x: Any) -> tuple[Any, tuple[int, int, str]]:
    """`x` as (planes, *S, B), without a copy for the usual memory orders.

    An array in the standard order becomes (N C, *S, 1), one in channels last
    (N, *S, C), any other (C, *S, N). Pooling does not distinguish them. The second
    result is for `restore_planes`.
    """
    n, c = x.shape[:2]
    order = _memory_order(x)
    return _in_order(x, order), (n, c, order)


def restore_planes(y: Any, shape: tuple[int, int, str]) -> Any:
    """Undo `planes_first` for a result of another spatial size."""
    n, c, order = shape
    if order == "standard":
        return y.reshape(n, c, *y.shape[1:-1])
    return array_module(y).moveaxis(y, -1, 0 if order == "batch last" else 1)


def planes_like(x: Any, other: Any) -> Any:
    """`x` in the order that `planes_first` chose for `other`."""
    return _in_order(x, _memory_order(other))


def _memory_order(x: Any) -> str:
    if x.flags.c_contiguous:
        return "standard"
    return "channels last" if _channels_last(x).flags.c_contiguous else "batch last"


def _in_order(x: Any, order: str) -> Any:
    if order == "standard":
        n, c, *size = x.shape
        return x.reshape(n * c, *size, 1)
    last = _channels_last(x) if order == "channels last" else batch_axis_last(x)
    return array_module(x).ascontiguousarray(last)


def _channels_last(x: Any) -> Any:
    """(N, C, *S) -> (N, *S, C), a view."""
    return x.transpose(0, *range(2, x.ndim), 1)
