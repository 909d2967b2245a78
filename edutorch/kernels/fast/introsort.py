"""Compiled loops of `kernels/introsort.py` and `heapsort.py`.

Parts of flat arrays are sorted in place: `keys`, and `places` moved along.
"""

from __future__ import annotations

from typing import Any

from edutorch.kernels.fast.bounds import require
from edutorch.kernels.fast.compiling import helper, kernel

__all__ = ["heap_sort", "introsort"]

KEYS = ("int32",)
INSERTION = 16  # as in the plain file


@helper
def _swap(keys: Any, places: Any, i: int, j: int) -> None:
    keys[i], keys[j] = keys[j], keys[i]
    places[i], places[j] = places[j], places[i]


@helper
def _sift(
    keys: Any, places: Any, start: int, top: int, n: int, key: Any, place: int
) -> None:
    """Fill the hole at the top: the greater child moves up, the item climbs back."""
    hole, child = top, 2 * top + 2
    while child <= n:
        if child == n or keys[start + child] < keys[start + child - 1]:
            child -= 1
        keys[start + hole] = keys[start + child]
        places[start + hole] = places[start + child]
        hole, child = child, 2 * child + 2
    parent = (hole - 1) // 2
    while hole > top and keys[start + parent] < key:
        keys[start + hole] = keys[start + parent]
        places[start + hole] = places[start + parent]
        hole, parent = parent, (parent - 1) // 2
    keys[start + hole], places[start + hole] = key, place


@helper
def _least(keys: Any, places: Any, first: int, middle: int, last: int) -> None:
    """Gather the least elements in front of `middle`, in order."""
    size = middle - first
    for top in range(size // 2 - 1, -1, -1):
        _sift(keys, places, first, top, size, keys[first + top], places[first + top])
    for i in range(middle, last):
        if keys[i] < keys[first]:
            key, place = keys[i], places[i]
            keys[i], places[i] = keys[first], places[first]
            _sift(keys, places, first, 0, size, key, place)
    for n in range(size - 1, 0, -1):  # the greatest goes to the end
        key, place = keys[first + n], places[first + n]
        keys[first + n], places[first + n] = keys[first], places[first]
        _sift(keys, places, first, 0, n, key, place)


@helper
def _median(keys: Any, a: int, b: int, c: int) -> int:
    """Where the median of the elements at a, b, c is."""
    x, y, z = keys[a], keys[b], keys[c]
    if x < y:
        return b if y < z else c if x < z else a
    return a if x < z else c if y < z else b


@helper
def _partition(keys: Any, places: Any, first: int, last: int) -> int:
    """Divide a part by the median of three; where the second half begins."""
    middle = _median(keys, first + 1, (first + last) // 2, last - 1)
    _swap(keys, places, first, middle)
    pivot, i, j = keys[first], first + 1, last - 1
    while True:
        while keys[i] < pivot:
            i += 1
        while pivot < keys[j]:
            j -= 1
        if i >= j:
            return i
        _swap(keys, places, i, j)
        i, j = i + 1, j - 1


@helper
def _insert(keys: Any, places: Any, first: int, last: int) -> None:
    """Sort what is nearly sorted, equal elements in the order they are in."""
    for i in range(first + 1, last):
        key, place, j = keys[i], places[i], i
        while j > first and key < keys[j - 1]:
            keys[j], places[j] = keys[j - 1], places[j - 1]
            j -= 1
        keys[j], places[j] = key, place


@kernel("void(T[::1], int64[::1], int64, int64, int64)", KEYS)
def heap_sort(keys: Any, places: Any, first: int, middle: int, last: int) -> None:
    """Gather the least elements of a part in front of `middle`, in order."""
    require(keys.size == places.size and 0 <= first < middle <= last <= keys.size)
    _least(keys, places, first, middle, last)


@helper
def _divide(keys: Any, places: Any, first: int, last: int, tries: int) -> None:
    """Halve a part and its second halves until few elements are left of each."""
    while last - first > INSERTION:
        if tries == 0:
            _least(keys, places, first, last, last)
            return
        tries -= 1
        cut = _partition(keys, places, first, last)
        _divide(keys, places, cut, last, tries)
        last = cut


@kernel("void(T[::1], int64[::1], int64[::1], int64[::1], int64[::1])", KEYS)
def introsort(keys: Any, places: Any, firsts: Any, lasts: Any, tries: Any) -> None:
    """Sort each part, which may be halved so many times."""
    require(keys.size == places.size and firsts.size == lasts.size == tries.size)
    for p in range(firsts.size):
        require(0 <= firsts[p] <= lasts[p] <= keys.size)
        _divide(keys, places, firsts[p], lasts[p], tries[p])
        _insert(keys, places, firsts[p], lasts[p])
