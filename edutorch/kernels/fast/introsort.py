"""Compiled loops of `kernels/introsort.py` and `heapsort.py`.

Parts of the flat array `keys` are sorted in place; `indices` is permuted alike.
"""

from __future__ import annotations

from typing import Any

from edutorch.kernels.fast.bounds import require
from edutorch.kernels.fast.compiling import helper, kernel

__all__ = ["heap_sort", "introsort"]

KEYS = ("int32",)
INSERTION = 16  # as in the NumPy file


@helper
def _swap(keys: Any, indices: Any, i: int, j: int) -> None:
    keys[i], keys[j] = keys[j], keys[i]
    indices[i], indices[j] = indices[j], indices[i]


@helper
def _sift(
    keys: Any, indices: Any, start: int, top: int, n: int, key: Any, index: int
) -> None:
    """Sift down to a leaf, always moving the larger child up, then sift up again."""
    hole, child = top, 2 * top + 2
    while child <= n:
        if child == n or keys[start + child] < keys[start + child - 1]:
            child -= 1
        keys[start + hole] = keys[start + child]
        indices[start + hole] = indices[start + child]
        hole, child = child, 2 * child + 2
    parent = (hole - 1) // 2
    while hole > top and keys[start + parent] < key:
        keys[start + hole] = keys[start + parent]
        indices[start + hole] = indices[start + parent]
        hole, parent = parent, (parent - 1) // 2
    keys[start + hole], indices[start + hole] = key, index


@helper
def _partial_sort(keys: Any, indices: Any, first: int, middle: int, last: int) -> None:
    """Move the smallest elements in front of `middle`, sorted, by a heap."""
    size = middle - first
    for top in range(size // 2 - 1, -1, -1):
        _sift(keys, indices, first, top, size, keys[first + top], indices[first + top])
    for i in range(middle, last):
        if keys[i] < keys[first]:
            key, index = keys[i], indices[i]
            keys[i], indices[i] = keys[first], indices[first]
            _sift(keys, indices, first, 0, size, key, index)
    for n in range(size - 1, 0, -1):  # the largest goes to the end
        key, index = keys[first + n], indices[first + n]
        keys[first + n], indices[first + n] = keys[first], indices[first]
        _sift(keys, indices, first, 0, n, key, index)


@helper
def _median(keys: Any, a: int, b: int, c: int) -> int:
    """The position of the median of the elements at a, b and c."""
    x, y, z = keys[a], keys[b], keys[c]
    if x < y:
        return b if y < z else c if x < z else a
    return a if x < z else c if y < z else b


@helper
def _partition(keys: Any, indices: Any, first: int, last: int) -> int:
    """Hoare's partition at the median of three; returns the start of the right part."""
    middle = _median(keys, first + 1, (first + last) // 2, last - 1)
    _swap(keys, indices, first, middle)
    pivot, i, j = keys[first], first + 1, last - 1
    while True:
        while keys[i] < pivot:
            i += 1
        while pivot < keys[j]:
            j -= 1
        if i >= j:
            return i
        _swap(keys, indices, i, j)
        i, j = i + 1, j - 1


@helper
def _insertion_sort(keys: Any, indices: Any, first: int, last: int) -> None:
    """Insertion sort, which is stable and fast if the part is nearly sorted."""
    for i in range(first + 1, last):
        key, index, j = keys[i], indices[i], i
        while j > first and key < keys[j - 1]:
            keys[j], indices[j] = keys[j - 1], indices[j - 1]
            j -= 1
        keys[j], indices[j] = key, index


@kernel("void(T[::1], int64[::1], int64, int64, int64)", KEYS)
def heap_sort(keys: Any, indices: Any, first: int, middle: int, last: int) -> None:
    """Move the smallest elements of a part in front of `middle`, sorted."""
    require(keys.size == indices.size and 0 <= first < middle <= last <= keys.size)
    _partial_sort(keys, indices, first, middle, last)


@helper
def _introsort_loop(
    keys: Any, indices: Any, first: int, last: int, depth_limit: int
) -> None:
    """Quicksort until parts are short; heapsort when the depth limit is reached."""
    while last - first > INSERTION:
        if depth_limit == 0:
            _partial_sort(keys, indices, first, last, last)
            return
        depth_limit -= 1
        cut = _partition(keys, indices, first, last)
        _introsort_loop(keys, indices, cut, last, depth_limit)
        last = cut


@kernel("void(T[::1], int64[::1], int64[::1], int64[::1], int64[::1])", KEYS)
def introsort(
    keys: Any, indices: Any, firsts: Any, lasts: Any, depth_limits: Any
) -> None:
    """Sort each part `keys[first:last]`, with its depth limit for quicksort."""
    require(
        keys.size == indices.size and firsts.size == lasts.size == depth_limits.size
    )
    for p in range(firsts.size):
        require(0 <= firsts[p] <= lasts[p] <= keys.size)
        _introsort_loop(keys, indices, firsts[p], lasts[p], depth_limits[p])
        _insertion_sort(keys, indices, firsts[p], lasts[p])
