"""The meaning of an index in brackets: `x[0, 1:3, None, mask, [2, 0]]`.

An index is split into a basic part (integers, slices, None: a view, by NumPy's basic
indexing) and an advanced part (index tensors and masks), which is applied to the
dimensions of that view. PyTorch uses the same two steps.
"""

from __future__ import annotations

import operator
import warnings
from typing import Any, NamedTuple

import numpy as np

from .tensor import Tensor

__all__ = ["Parsed", "parse"]


class Parsed(NamedTuple):
    """An index taken apart.

    Attributes:
        basic: the index of the view, without "..."; `()` if the view is everything.
        slots: for each dimension of the view None or the number of an index.
        indices: the index tensors, masks and arrays.
    """

    basic: tuple[Any, ...]
    slots: tuple[int | None, ...]
    indices: tuple[Any, ...]


FULL = slice(None)


def parse(index: Any, shape: tuple[int, ...]) -> Parsed:
    """Take an index apart for a tensor of the given shape.

    The entries are read one after the other, so that the first wrong one is reported.

    Raises:
        IndexError: if it names entries or dimensions that are not there.
        ValueError: for slices with a step below 1.
        TypeError: for strings, and ends of slices that are not numbers.
    """
    entries = index if type(index) is tuple or _is_old_tuple(index) else (index,)
    if type(index) is str and len(index) > len(shape):  # one index a letter
        raise IndexError(f"too many indices for tensor of dimension {len(shape)}")
    named = sum(map(_dims_named, entries))
    if named > len(shape):
        raise IndexError(f"too many indices for tensor of dimension {len(shape)}")
    reading = _Reading(shape, len(shape) - named)
    for place, entry in enumerate(entries):
        reading.read(entry, place)
    return reading.parsed()


class _Reading:
    """An index while it is taken apart: what was read, and the dimension that is next.

    Args:
        shape: that of the tensor.
        rest: the number of dimensions of "...".
    """

    def __init__(self, shape: tuple[int, ...], rest: int) -> None:
        self.shape, self.rest = shape, rest
        self.dim = 0
        self.basic: list[Any] = []
        self.slots: list[int | None] = []
        self.indices: list[Any] = []

    def read(self, entry: Any, place: int) -> None:
        """One entry, which is the index's `place`-th."""
        if entry is Ellipsis:
            self.skip(self.rest)
            return
        part = _simplified(entry)
        if part is None:
            self.basic.append(None)
            self.slots.append(None)
        elif isinstance(part, bool):  # as an index of a new dimension: all or nothing
            self.basic.append(None)
            self.add(np.zeros(int(part), np.int64))
        elif isinstance(part, int):
            self.basic.append(_entry(part, place, self.size()))
            self.dim += 1
        elif isinstance(part, slice):
            self.basic.append(_range(part, self.size()))
            self.slots.append(None)
            self.dim += 1
        else:
            if self.dim >= len(self.shape):
                raise IndexError(
                    f"too many indices for tensor of dimension {len(self.shape)} "
                    f"(got {self.dim + 1})"
                )
            array = getattr(part, "_data", part)
            used = array.ndim if array.dtype.kind == "b" else 1
            self.basic += [FULL] * used
            self.add(part)
            self.dim += used

    def size(self) -> int:
        """The size of the next dimension; a second "..." may have skipped it."""
        if self.dim < len(self.shape):
            return self.shape[self.dim]
        ndim = len(self.shape)
        raise IndexError(f"index 0 is out of bounds for dimension {ndim} with size 0")

    def skip(self, dims: int) -> None:
        """Take dimensions as they are; a second "..." may go beyond the last one."""
        there = max(0, min(dims, len(self.shape) - self.dim))
        self.basic += [FULL] * there
        self.slots += [None] * there
        self.dim += dims

    def add(self, index: Any) -> None:
        """An index for the next dimension, or for several where it is a mask."""
        self.slots.append(len(self.indices))
        self.indices.append(index)

    def parsed(self) -> Parsed:
        """What was read; a view of everything is none."""
        basic = self.basic
        while basic and basic[-1] is FULL:
            basic.pop()
        slots = self.slots if self.indices else []
        return Parsed(tuple(basic), tuple(slots), tuple(self.indices))


def _is_old_tuple(index: Any) -> bool:
    """A short list that holds more than numbers means a tuple, as it did long ago."""
    return (
        isinstance(index, list)
        and len(index) < 32
        and any(
            p is None or p is Ellipsis or isinstance(p, (slice, list, tuple, Tensor))
            for p in index
        )
    )


def _simplified(part: Any) -> Any:
    """One entry of an index as None, bool, int, slice, Ellipsis, tensor or array."""
    if part is None or part is Ellipsis or isinstance(part, (bool, int, slice)):
        return part
    if isinstance(part, Tensor):
        return _tensor(part)
    if isinstance(part, np.generic) or (type(part) is np.ndarray and not part.ndim):
        return bool(part) if part.dtype.kind == "b" else operator.index(part)  # type: ignore[arg-type]  # refuses what has none
    if isinstance(part, (list, tuple, range, np.ndarray)):
        for entry in part if type(part) in (list, tuple) else ():
            _refuse_text(entry)
        array = np.asarray(_with_arrays(part))
        array = array if array.size else array.astype(np.int64)
        return _checked(array)
    if hasattr(part, "__index__"):
        return part.__index__()
    _refuse_text(part)
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte "
        "Variables "
        f"are valid indices (got {type(part).__name__})"
    )


def _refuse_text(part: Any) -> None:
    """Refuse text where an index is expected."""
    if isinstance(part, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(part).__name__}'")


def _with_arrays(part: Any) -> Any:
    """A nested sequence with its tensors as NumPy arrays."""
    if isinstance(part, Tensor):
        return part._host_array()
    if isinstance(part, (list, tuple)):
        return [_with_arrays(p) for p in part]
    return part


def _tensor(part: Tensor) -> Any:
    """A tensor without dimensions is the number it holds."""
    if part._data.ndim:
        return _checked(part)
    kind = part._data.dtype
    if kind.kind not in "iub":
        _refuse_kind()
    return bool(part._data) if kind in (np.bool_, np.uint8) else int(part._data)


def _checked(part: Any) -> Any:
    """An index tensor or array of a type that can be one; old byte masks as bool."""
    array = part._data if isinstance(part, Tensor) else part
    if array.dtype == np.uint8:
        warnings.warn(
            "indexing with dtype torch.uint8 is now deprecated, please use a dtype "
            "torch.bool instead.",
            UserWarning,
            stacklevel=6,
        )
        return array.astype(bool)
    if array.dtype not in (np.int64, np.int32, np.bool_):
        _refuse_kind()
    return part


def _refuse_kind() -> None:
    raise IndexError("tensors used as indices must be long, int, byte or bool tensors")


def _dims_named(entry: Any) -> int:
    """The number of dimensions that an entry indexes; for a mask, its own."""
    if entry is None or entry is Ellipsis or isinstance(entry, (bool, np.bool_)):
        return 0
    if isinstance(entry, Tensor) and entry._data.dtype in (np.bool_, np.uint8):
        return int(entry._data.ndim)
    return 1


def _entry(index: int, place: int, n: int) -> int:
    """An integer counted from the front; PyTorch names its place among the entries."""
    if not -n <= index < n:
        raise IndexError(
            f"index {index} is out of bounds for dimension {place} with size {n}"
        )
    return index + n if index < 0 else index


def _range(part: slice, n: int) -> slice:
    """A slice with its ends inside the dimension."""
    if part == FULL:
        return FULL
    step = 1 if part.step is None else _end(part.step)
    if step == 0:
        raise ValueError("slice step cannot be zero")
    if step < 0:
        raise ValueError("step must be greater than zero")
    start, stop, step = slice(_end(part.start), _end(part.stop), step).indices(n)
    # As PyTorch has it, whoever counts the start from the end asks for a view.
    if (start, stop, step) == (0, n, 1) and not part.start:
        return FULL
    return slice(start, max(start, stop), step)


def _end(value: Any) -> Any:
    if value is None or type(value) is int:
        return value
    if not hasattr(value, "__index__"):
        raise TypeError(
            "slice indices must be integers or None or have an __index__ method"
        )
    return value.__index__()
