"""Introsort with PyTorch's order of equal elements, for many rows at a time.

On the CPU, PyTorch sorts with the C++ standard library, which does not specify the
order of equal elements, although it is visible in the indices. The algorithm is an
introsort: quicksort with the median of three as pivot down to parts of 16 elements,
heapsort for a part that was split badly too often, and a final insertion sort.

Sequentially, Hoare's partition has two pointers: one moves right to the next element
that is not less than the pivot, the other moves left to the next that is not greater;
their elements are swapped, and so on until they meet. The i-th stop of a pointer does
not depend on the other, so all swaps can be found at once: the i-th element from the
left that is >= pivot with the i-th from the right that is <= pivot, until they cross.

Reference: Musser (1997), "Introspective sorting and selection algorithms".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from edutorch.kernels.compiled import CompiledKernels
from edutorch.kernels.heapsort import heap_select, heap_sort

__all__ = ["INSERTION", "Rows", "introselect", "introsort", "quickselect"]

_compiled = CompiledKernels("introsort")

INSERTION = 16  # parts of at most this many elements are sorted by insertion


@dataclass
class Rows:
    """Keys to sort and their original indices, with all rows in flat arrays."""

    keys: Any
    indices: Any

    def swap(self, i: Any, j: Any) -> None:
        """Exchange the elements at positions `i` with those at `j`, pair by pair."""
        for a in (self.keys, self.indices):
            a[i], a[j] = a[j], a[i]


def introsort(rows: Rows, first: Any, last: Any) -> None:
    """Sort each part `first[p] .. last[p] - 1`, equal elements as C++ leaves them."""
    bounds = first, last
    depth = depth_limit(last - first)
    run = _compiled.find("introsort", rows.keys)
    if run is not None:
        run(rows.keys, rows.indices, first, last, depth)
        return
    while len(first):
        long = last - first > INSERTION
        first, last, depth = first[long], last[long], depth[long]
        for f, n in zip(first[depth == 0], last[depth == 0], strict=True):
            heap_sort(rows.keys, rows.indices, int(f), int(n), int(n))
        live = depth > 0
        first, last, depth = first[live], last[live], depth[live] - 1
        median_to_front(rows, first, first + 1, (first + last) // 2, last - 1)
        cut = partition(rows, first, last)
        first, last = np.concatenate([first, cut]), np.concatenate([cut, last])
        depth = np.concatenate([depth, depth])
    insertion_sort(rows, *bounds)


def introselect(rows: Rows, first: Any, nth: Any, last: Any) -> None:
    """Move the element to `nth[p]` that sorting would; smaller ones precede it."""
    depth = depth_limit(last - first)
    while len(first):
        long = last - first > 3
        insertion_sort(rows, first[~long], last[~long])
        first, nth, last, depth = (v[long] for v in (first, nth, last, depth))
        for f, k, n in zip(*(v[depth == 0] for v in (first, nth, last)), strict=True):
            heap_select(rows.keys, rows.indices, int(f), int(k) + 1, int(n))
            rows.swap(f, k)
        live = depth > 0
        first, nth, last = (v[live] for v in (first, nth, last))
        depth = depth[live] - 1
        median_to_front(rows, first, first + 1, (first + last) // 2, last - 1)
        cut = partition(rows, first, last)
        right = cut <= nth
        first, last = np.where(right, cut, first), np.where(right, last, cut)


def quickselect(rows: Rows, first: Any, nth: Any, last: Any) -> None:
    """Like `introselect`, by the algorithm of PyTorch's `kthvalue`.

    The pivot is the median of the first, middle and last element. It waits at the
    front, less or equal next to it, greater or equal at the end, and at last goes where
    the right finger stopped.
    """
    last = last - 1  # here the last element, not the end
    while len(first):
        two, long = last - first == 1, last - first > 1
        insertion_sort(rows, first[two], last[two] + 1)
        first, nth, last = first[long], nth[long], last[long]
        rows.swap((first + last) // 2, first + 1)
        for a, b in ((first + 1, last), (first, last), (first + 1, first)):
            wrong = rows.keys[a] > rows.keys[b]
            rows.swap(a[wrong], b[wrong])
        i, j = hoare_partition(rows, rows.keys[first], first + 2, last, through=True)
        rows.swap(first, j)
        first, last = np.where(j <= nth, i, first), np.where(j >= nth, j - 1, last)


def depth_limit(n: Any) -> Any:
    """The recursion depth from which heap sort is used: 2 · ⌊log2 n⌋."""
    return 2 * (np.frexp(np.maximum(n, 1))[1].astype(np.int64) - 1)


def median_to_front(rows: Rows, first: Any, a: Any, b: Any, c: Any) -> None:
    """Swap the median of the elements at a, b, c to the front of each part."""
    x, y, z = (rows.keys[i] for i in (a, b, c))
    upper = np.where(y < z, b, np.where(x < z, c, a))  # where x < y
    lower = np.where(x < z, a, np.where(y < z, c, b))
    rows.swap(first, np.where(x < y, upper, lower))


def partition(rows: Rows, first: Any, last: Any) -> Any:
    """Divide each part by its first element; where the second half begins."""
    return hoare_partition(rows, rows.keys[first], first + 1, last)[0]


def hoare_partition(
    rows: Rows, pivot: Any, first: Any, last: Any, *, through: bool = False
) -> tuple[Any, Any]:
    """Hoare's partition of each part: where the left finger and the right one end.

    Args:
        through: whether fingers that meet at one element continue past it.
    """
    size, parts = last - first, np.arange(len(first))
    part = np.repeat(parts, size)
    at = ranges(first, size)
    key, middle = rows.keys[at], pivot[part]
    left, right = np.flatnonzero(key >= middle), np.flatnonzero(key <= middle)
    lefts = np.bincount(part[left], minlength=len(parts))
    rights = np.bincount(part[right], minlength=len(parts))
    left, right = at[left], at[right]
    left_start, right_end = np.cumsum(lefts) - lefts, np.cumsum(rights) - 1

    pairs = np.minimum(lefts, rights)
    part = np.repeat(parts, pairs)
    i = left[ranges(left_start, pairs)]
    j = right[right_end[part] - ranges(0 * pairs, pairs)]
    ahead = i < j
    rows.swap(i[ahead], j[ahead])
    swaps = np.bincount(part[ahead], minlength=len(parts))

    # A finger stops at its next element, or where the other finger swapped last.
    before_i = select_stops(left, left_start + swaps - 1, swaps > 0, first - 1)
    before_j = select_stops(right, right_end - swaps + 1, swaps > 0, last)
    if through:
        swaps = swaps + np.bincount(part[i == j], minlength=len(parts))
    i = select_stops(left, left_start + swaps, swaps < lefts, last)
    j = select_stops(right, right_end - swaps, swaps < rights, first - 1)
    return np.minimum(i, before_j), np.maximum(j, before_i)


def ranges(start: Any, count: Any) -> Any:
    """Concatenate the ranges start[p], ..., start[p] + count[p] - 1."""
    before = np.cumsum(count) - count
    return np.arange(count.sum()) + np.repeat(start - before, count)


def select_stops(stops: Any, which: Any, there: Any, otherwise: Any) -> Any:
    """The stop of each part that has one; `otherwise` for the others."""
    found = np.array(otherwise)
    found[there] = stops[which[there]]
    return found


def insertion_sort(rows: Rows, first: Any, last: Any) -> None:
    """Sort each part, equal elements in the order they are in."""
    at = ranges(first, last - first)
    part = np.repeat(np.arange(len(first)), last - first)
    order = np.lexsort((rows.keys[at], part))
    rows.keys[at], rows.indices[at] = rows.keys[at[order]], rows.indices[at[order]]
