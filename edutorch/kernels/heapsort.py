"""Heapsort: the fallback of introsort, and the selection of a few of many elements.

A heap is a row in which no element i is less than its children 2i + 1 and 2i + 2, so
that the largest comes first. Each function reorders `keys`, and `indices` alike.

Reference: Williams (1964), "Algorithm 232: Heapsort"; Floyd (1964), "Treesort 3".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.compiled import CompiledKernels

__all__ = ["heap_select", "heap_sort"]

_compiled = CompiledKernels("introsort")


def sift(heap: list[Any], hole: int, n: int, item: Any) -> None:
    """Sift down to a leaf, always moving the larger child up, then sift up again.

    Items are pairs (key, index), of which only keys are compared.
    """
    top, child = hole, 2 * hole + 2
    while child < n:
        if heap[child][0] < heap[child - 1][0]:
            child -= 1
        heap[hole] = heap[child]
        hole, child = child, 2 * child + 2
    if child == n:  # the last node is an only child
        heap[hole] = heap[n - 1]
        hole = n - 1
    parent = (hole - 1) // 2
    while hole > top and heap[parent][0] < item[0]:
        heap[hole] = heap[parent]
        hole, parent = parent, (parent - 1) // 2
    heap[hole] = item


def make_heap(items: list[Any]) -> None:
    """Order items as a heap, from the last parent to the first."""
    for i in range(len(items) // 2 - 1, -1, -1):
        sift(items, i, len(items), items[i])


def heap_select(keys: Any, indices: Any, first: int, middle: int, last: int) -> None:
    """Move the smallest elements of a part in front of `middle`, as a heap."""
    write_pairs(keys, indices, first, smallest_heap(keys, indices, first, middle, last))


def heap_sort(keys: Any, indices: Any, first: int, middle: int, last: int) -> None:
    """Move the smallest elements of a part in front of `middle`, sorted."""
    run = _compiled.find("heap_sort", keys)
    if run is not None:
        run(keys, indices, first, middle, last)
        return
    heap = smallest_heap(keys, indices, first, middle, last)
    for n in range(len(heap) - 1, 0, -1):  # the largest moves to the end
        item, heap[n] = heap[n], heap[0]
        sift(heap, 0, n, item)
    write_pairs(keys, indices, first, heap)


def smallest_heap(
    keys: Any, indices: Any, first: int, middle: int, last: int
) -> list[Any]:
    """A heap of the smallest elements of a part, as many as are in front of `middle`.

    Past `middle` only elements less than the greatest of the heap matter. They are
    searched in blocks of doubling length, each of which has few.
    """
    heap = to_pairs(keys, indices, first, middle)
    make_heap(heap)
    start, size = middle, middle - first
    while start < last:
        block = keys[start : min(start + size, last)]
        for i in np.flatnonzero(block < heap[0][0]) + start:
            if keys[i] < heap[0][0]:
                item = int(keys[i]), int(indices[i])
                keys[i], indices[i] = heap[0]
                sift(heap, 0, len(heap), item)
        start, size = start + size, 2 * size
    return heap


def to_pairs(keys: Any, indices: Any, first: int, last: int) -> list[Any]:
    """A part as a list of pairs (key, index)."""
    part = slice(first, last)
    return list(zip(keys[part].tolist(), indices[part].tolist(), strict=True))


def write_pairs(keys: Any, indices: Any, first: int, items: list[Any]) -> None:
    """Write a list of pairs back."""
    part = slice(first, first + len(items))
    keys[part], indices[part] = zip(*items, strict=True)
