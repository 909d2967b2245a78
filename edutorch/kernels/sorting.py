"""Sorting indices along an axis, with PyTorch's order of equal elements.

If all elements of a row differ, their order is unique, and NumPy's fastest sort is
used. Rows with equal elements are sorted by PyTorch's algorithm (`introsort.py`).
Nan is greater than all numbers, and equal to nan.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edutorch.backends.array_modules import array_module
from edutorch.kernels.heapsort import heap_sort
from edutorch.kernels.introsort import (
    INSERTION,
    Rows,
    introselect,
    introsort,
    quickselect,
)

__all__ = [
    "argsort_indices", "equal_or_nan", "kthvalue_index", "median_index",
    "stable_argsort", "topk_indices",
]  # fmt: skip

RADIX = 32768  # from this length on, PyTorch sorts a vector of integers by radix
HEAP_RATIO = 64  # PyTorch selects k of n with a heap where k * HEAP_RATIO <= n


def stable_argsort(x: Any, axis: int, descending: bool = False) -> Any:
    """The indices that sort an array stably."""
    x = comparable(x)
    xp = array_module(x)
    if not descending:
        return xp.argsort(x, axis=axis, kind="stable")
    # Sorted from the end, so that equal elements keep their order.
    found = xp.flip(xp.argsort(xp.flip(x, axis), axis=axis, kind="stable"), axis)
    return x.shape[axis] - 1 - found


def argsort_indices(
    x: Any, axis: int, descending: bool = False, radix: bool = True
) -> Any:
    """The indices that sort an array, equal elements in PyTorch's order.

    Args:
        radix: whether long vectors of integers are sorted by radix, which is stable.
    """
    n = x.shape[axis]
    if n <= INSERTION or not isinstance(x, np.ndarray):
        return stable_argsort(x, axis, descending)
    digits = radix and not descending and x.ndim == 1 and x.dtype.kind in "iu"
    if digits and n >= RADIX:
        return radix_argsort(x)
    x_rows = as_rows(x, axis)
    order = unstable_argsort(x_rows, descending)
    tied = tied_rows(x_rows, order)
    if len(tied):
        order[tied] = indices_moved_by(introsort, x_rows[tied], descending)
    return from_rows(order, x, axis)


def topk_indices(x: Any, k: int, axis: int, largest: bool, in_order: bool) -> Any:
    """The indices of the k largest (or smallest) elements, in order if required."""
    n = x.shape[axis]
    if not k or not isinstance(x, np.ndarray):
        return stable_argsort(x, axis, largest).take(range(k), axis)
    few = k * HEAP_RATIO <= n

    def algorithm(rows: Rows, first: Any, last: Any) -> None:
        if few:
            for f, end in zip(first.tolist(), last.tolist(), strict=True):
                heap_sort(rows.keys, rows.indices, f, f + k, end)
            return
        introselect(rows, first, first + k - 1, last)
        if in_order:
            introsort(rows, first, first + k - 1)

    x_rows = as_rows(x, axis)
    order = unstable_topk(x_rows, k + 1, largest)
    tied = tied_rows(x_rows, order) if in_order or few else np.arange(len(x_rows))
    order = order[:, :k]
    if len(tied):
        order[tied] = indices_moved_by(algorithm, x_rows[tied], largest)[:, :k]
    return from_rows(order, x, axis)


def kthvalue_index(x: Any, k: int, axis: int) -> Any:
    """The index of the k-th smallest element, counted from 0; the axis remains."""
    if not isinstance(x, np.ndarray):
        return stable_argsort(x, axis).take([k], axis)
    x_rows = as_rows(x, axis)
    order = unstable_argsort(x_rows, False)
    tied = tied_rows(x_rows, order[:, max(k - 1, 0) : k + 2])
    found = order[:, k : k + 1].copy()  # not a view that keeps all
    if len(tied):

        def algorithm(rows: Rows, first: Any, last: Any) -> None:
            quickselect(rows, first, first + k, last)

        found[tied] = indices_moved_by(algorithm, x_rows[tied], False)[:, k : k + 1]
    return from_rows(found, x, axis)


def median_index(x: Any, axis: int, skip_nan: bool) -> Any:
    """The index of the lower median; the axis remains.

    If there is a nan, the first one is the median, unless nan is skipped.
    """
    xp = array_module(x)
    nan = x != x
    good = x.shape[axis] - xp.add.reduce(nan, axis=axis, keepdims=True)
    middle = xp.maximum(good - 1, 0) // 2
    if isinstance(x, np.ndarray):
        found = nth_index(x, middle, axis)
    else:
        found = xp.take_along_axis(stable_argsort(x, axis), middle, axis)
    if skip_nan:
        return found.copy()  # row-major in dimensions of one element, too
    return xp.where(good < x.shape[axis], nan.argmax(axis, keepdims=True), found)


def nth_index(x: Any, nth: Any, axis: int) -> Any:
    """The index of the nth[p]-th smallest element of each row in stable order."""
    x_rows, nth = as_rows(x, axis), as_rows(nth, axis)
    order = unstable_argsort(x_rows, False)
    beside = np.clip(nth + array_module(x).asarray([-1, 0, 1]), 0, x_rows.shape[1] - 1)
    tied = tied_rows(x_rows, np.take_along_axis(order, beside, 1))
    order[tied] = np.argsort(x_rows[tied], axis=1, kind="stable")
    return from_rows(np.take_along_axis(order, nth, 1), x, axis)


def indices_moved_by(
    algorithm: Callable[..., None], x_rows: Any, descending: bool
) -> Any:
    """The indices of the elements of rows after a sorting algorithm has moved them."""
    r, n = x_rows.shape
    keys = sortable_bits(x_rows)
    if keys is None:
        keys = ranks(x_rows)
    rows = Rows((~keys if descending else keys).reshape(-1), np.tile(np.arange(n), r))
    first = np.arange(r) * n
    algorithm(rows, first, first + n)
    return rows.indices.reshape(r, n)


def sortable_bits(x: Any) -> Any:
    """Numbers in the order of `x`, equal ones equal, from its bits; None for wide ones.

    The bits of floats are in their order, but for those of negative ones, whose lower
    31 bits are flipped. Nan becomes the greatest number.

    Example:
        >>> sortable_bits(np.array([-2.0, -0.0, 0.0, np.inf], np.float32)).tolist()
        [-1073741825, 0, 0, 2139095040]
    """
    most = np.int32(2**31 - 1)
    if x.dtype == np.float32:
        bits = (x + np.float32(0)).view(np.int32)  # -0 becomes 0
        return np.where(x == x, bits ^ ((bits >> 31) & most), most)
    small = x.dtype.kind in "biu" and (x.dtype.itemsize < 4 or x.dtype == np.int32)
    return x.astype(np.int32) if small else None


def ranks(x_rows: Any) -> Any:
    """The rank of each element in its row; equal ones share it."""
    order = unstable_argsort(x_rows, False)
    values = np.take_along_axis(x_rows, order, 1)
    keys = np.zeros(x_rows.shape, np.int32)
    rank = np.cumsum(~equal_or_nan(values[:, 1:], values[:, :-1]), 1)
    np.put_along_axis(keys, order[:, 1:], rank.astype(np.int32), 1)
    return keys


def radix_argsort(x: Any) -> Any:
    """The indices that sort a vector of integers, stably, by digits of 16 bits.

    NumPy sorts 16-bit integers by counting, in a sixth of the time of wider ones.
    """
    least, most = int(x.min()), int(x.max())
    if most - least >= 2**32:
        return np.argsort(x, kind="stable")
    above = (x - x.dtype.type(least)).view(f"u{x.dtype.itemsize}")  # may wrap around
    digits = above.astype(np.uint32)
    order = np.argsort(digits.astype(np.uint16), kind="stable")
    if most - least < 2**16:
        return order
    high = (digits >> 16).astype(np.uint16)
    return order[np.argsort(high[order], kind="stable")]


def tied_rows(x_rows: Any, order: Any) -> Any:
    """The rows in which neighbours, in a given order, are equal."""
    values = np.take_along_axis(x_rows, order, 1)
    return np.flatnonzero(equal_or_nan(values[:, 1:], values[:, :-1]).any(1))


def equal_or_nan(x: Any, y: Any) -> Any:
    """A mask of elements that sorting treats as equal, including nan."""
    return (x == y) | ((x != x) & (y != y))


def unstable_argsort(x_rows: Any, descending: bool) -> Any:
    """The indices that sort rows, equal elements in any order."""
    order = np.argsort(x_rows, axis=1)
    return order[:, ::-1].copy(order="C") if descending else order


def unstable_topk(x_rows: Any, k: int, largest: bool) -> Any:
    """The first k of `unstable_argsort`."""
    n = x_rows.shape[1]
    if 2 * k > n:
        return unstable_argsort(x_rows, largest)[:, :k]
    part = slice(n - k, None) if largest else slice(k)
    found = np.argpartition(x_rows, n - k if largest else k - 1, axis=1)[:, part]
    inside = unstable_argsort(np.take_along_axis(x_rows, found, 1), largest)
    return np.take_along_axis(found, inside, 1)


def comparable(x: Any) -> Any:
    """An array that NumPy sorts with nan at the end (not so bfloat16)."""
    return x.astype(np.float32) if x.dtype.kind == "V" else x


def as_rows(x: Any, axis: int) -> Any:
    """An array with its axis last and all others as one: (.., n, ..) -> (r, n)."""
    x_rows = np.moveaxis(comparable(x), axis, -1)
    rows = x.size // max(x.shape[axis], 1)
    return array_module(x).ascontiguousarray(x_rows).reshape(rows, x.shape[axis])


def from_rows(rows: Any, x: Any, axis: int) -> Any:
    """Rows back along the axis of the array they were made from."""
    shape = [n for i, n in enumerate(x.shape) if i != axis]
    found = rows.reshape(*shape, rows.shape[1])
    return array_module(found).ascontiguousarray(np.moveaxis(found, -1, axis))
