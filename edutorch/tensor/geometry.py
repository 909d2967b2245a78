"""Geometry: the elements of a storage that a tensor refers to."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np

from .storage import byte_range, strided_view

__all__ = ["Geometry", "element_strides", "out_of_bounds"]


def element_strides(array: Any) -> tuple[int, ...]:
    """Strides in elements.

    NumPy's strides are arbitrary where they have no effect: those of empty tensors, and
    the 0 of a dimension added by `None`, are replaced by those implied by the sizes.
    """
    shape, size = array.shape, array.itemsize
    steps = [s // size for s in array.strides]
    step = 1
    for i in reversed(range(len(shape))):
        if not array.size or (steps[i] == 0 and shape[i] == 1):
            steps[i] = step
        step = steps[i] * max(shape[i], 1)
    return tuple(steps)


class Geometry(NamedTuple):
    """The elements of a storage that a tensor refers to: shape, strides and offset."""

    shape: tuple[int, ...]
    stride: tuple[int, ...]
    offset: int

    @classmethod
    def of(cls, x: Any) -> Geometry:
        """The geometry of an array."""
        return cls(x.shape, element_strides(x), byte_range(x)[0] // x.itemsize)

    def at(self, offset: int) -> Geometry:
        """The same cells beginning at another place."""
        return self._replace(offset=offset)

    @property
    def reach(self) -> int:
        """The number of elements that the storage must have."""
        if not prod(self.shape):
            return self.offset
        steps = zip(self.shape, self.stride, strict=True)
        return self.offset + 1 + sum((n - 1) * s for n, s in steps)

    def overlapping(self) -> bool:
        """Whether several elements may share a position of the storage."""
        steps = zip(self.stride, self.shape, strict=True)
        reach = 1
        for step, n in sorted((s, n) for s, n in steps if n != 1):
            if step < reach:
                return True
            reach += step * (n - 1)
        return False

    def dense(self) -> bool:
        """Whether the elements fill their part of the storage, each position once."""
        steps = zip(self.stride, self.shape, strict=True)
        reach = 1
        for step, n in sorted((s, n) for s, n in steps if n != 1):
            if step != reach:
                return False
            reach *= n
        return True

    def view_of(self, x: Any, dtype: Any = None) -> Any:
        """These cells of an array's memory, as a view of its dtype.

        Raises:
            RuntimeError: if that memory has not so many elements.
        """
        size, (_, nbytes) = (dtype or x).itemsize, byte_range(x)
        if 0 not in self.shape and self.reach * size > nbytes:
            raise out_of_bounds(self, size, nbytes)
        steps = tuple(s * size for s in self.stride)
        return strided_view(x, self.shape, steps, self.offset * size, dtype)

    def element_positions(self) -> Any:
        """The position in the storage of every element."""
        cells = np.full(self.shape, self.offset)
        for dim, (n, step) in enumerate(zip(self.shape, self.stride, strict=True)):
            line = np.arange(n) * step
            cells += line.reshape(n, *(1,) * (len(self.shape) - dim - 1))
        return cells


def out_of_bounds(cells: Geometry, itemsize: int, nbytes: int) -> RuntimeError:
    """The error for cells outside a storage of `nbytes` bytes."""
    return RuntimeError(
        f"setStorage: sizes {list(cells.shape)}, strides {list(cells.stride)}, storage "
        f"offset {cells.offset}, and itemsize {itemsize} requiring a storage size of "
        f"{cells.reach * itemsize} are out of bounds for storage of size {nbytes}"
    )
