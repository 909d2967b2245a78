"""Parses the index of `x[0, 1:3, None, mask, [2, 0]]`.

An index is split into two parts. The basic part (integers, slices and None) selects a
view, as in NumPy's basic indexing. The advanced part (index tensors and masks) is then
applied to the dimensions of that view. PyTorch takes the same two steps.
"""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np

from ..dtypes import of_array
from ..errors import python_type_name
from .tensor import Tensor

__all__ = ["ParsedIndex", "check_long", "check_slice", "parse"]


class ParsedIndex(NamedTuple):
    """A parsed index.

    Attributes:
        basic: the basic part, without "..."; `()` if it selects everything.
        slots: for each dimension of the view, the position in `indices` of the tensor
            that indexes it, or None; `()` without an advanced part.
        indices: the advanced part: index tensors, masks and arrays.
    """

    basic: tuple[Any, ...]
    slots: tuple[int | None, ...]
    indices: tuple[Any, ...]


FULL = slice(None)


def parse(index: Any, shape: tuple[int, ...]) -> ParsedIndex:
    """Parse an index into a tensor of the given shape.

    The entries are read from left to right; the first invalid one is reported.

    Raises:
        IndexError: for an index out of bounds, or too many of them.
        ValueError: for slices with a step below 1.
        TypeError: for strings, and slices whose ends are not integers.
    """
    several = isinstance(index, tuple) or _is_old_tuple(index)
    entries = index if several else (index,)
    if type(index) is str and len(index) > len(shape):  # a string is a sequence
        raise IndexError(f"too many indices for tensor of dimension {len(shape)}")
    named = sum(map(_dims_named, entries))
    if named > len(shape):
        raise IndexError(f"too many indices for tensor of dimension {len(shape)}")
    parser = _IndexParser(shape, len(shape) - named)
    for place, entry in enumerate(entries):
        parser.read(entry, place)
    return parser.parsed()


class _IndexParser:
    """The state of parsing: what has been read, and the next dimension to index.

    Args:
        shape: the shape of the tensor.
        rest: how many dimensions "..." stands for.
    """

    def __init__(self, shape: tuple[int, ...], rest: int) -> None:
        self.shape, self.rest = shape, rest
        self.dim = 0
        self.basic: list[Any] = []
        self.slots: list[int | None] = []
        self.indices: list[Any] = []

    def read(self, entry: Any, place: int) -> None:
        """Read the entry at position `place`."""
        if entry is Ellipsis:
            self.skip(self.rest)
            return
        part = _simplified(entry)
        if part is None:
            self.basic.append(None)
            self.slots.append(None)
        elif isinstance(part, bool):  # selects all or nothing along a new dimension
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
        """The size of the next dimension.

        Raises:
            IndexError: if a second "..." has gone beyond the last dimension.
        """
        if self.dim < len(self.shape):
            return self.shape[self.dim]
        ndim = len(self.shape)
        raise IndexError(f"index 0 is out of bounds for dimension {ndim} with size 0")

    def skip(self, dims: int) -> None:
        """Select whole dimensions; a second "..." may go beyond the last one."""
        there = max(0, min(dims, len(self.shape) - self.dim))
        self.basic += [FULL] * there
        self.slots += [None] * there
        self.dim += dims

    def add(self, index: Any) -> None:
        """Add an index tensor for the next dimension, or a mask for the next few."""
        self.slots.append(len(self.indices))
        self.indices.append(index)

    def parsed(self) -> ParsedIndex:
        """The result, without trailing full slices."""
        basic = self.basic
        while basic and basic[-1] is FULL:
            basic.pop()
        slots = self.slots if self.indices else []
        return ParsedIndex(tuple(basic), tuple(slots), tuple(self.indices))


def _is_old_tuple(index: Any) -> bool:
    """Whether a list is read as a tuple, as early versions of NumPy did.

    It is if it is short and contains a slice, None, "...", a sequence or a tensor.
    """
    return (
        isinstance(index, list)
        and len(index) < 32
        and any(p is None or p is Ellipsis or isinstance(p, SEQUENCES) for p in index)
    )


SEQUENCES = (slice, list, tuple, range, np.ndarray, Tensor)


def _simplified(part: Any) -> Any:
    """Convert an entry to None, a bool, int, slice, Ellipsis, tensor or array."""
    if part is None or part is Ellipsis or isinstance(part, (bool, int, slice)):
        return part
    if isinstance(part, Tensor):
        return _tensor(part)
    if isinstance(part, (list, tuple, range, np.ndarray)):
        for entry in part if type(part) in (list, tuple) else ():
            _refuse_text(entry)
        array = _as_index(np.asarray(_with_arrays(part)), part)
        return array if array.ndim else array.item()
    if hasattr(part, "__index__"):
        return part.__index__()
    _refuse_text(part)
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte "
        "Variables "
        f"are valid indices (got {python_type_name(part)})"
    )


def _as_index(array: Any, data: Any) -> Any:
    """An array made of `data` as an index; all but masks are cast to integers.

    Raises:
        TypeError, ValueError, RuntimeError: for what cannot be converted to int64.
    """
    if array.dtype in (np.bool_, np.uint8):
        return _checked(array)
    if not array.size or array.dtype.kind == "i":
        return array.astype(np.int64, copy=False)
    if data is array:
        of_array(array)  # refuses what is no number
    elif array.dtype.kind == "c":
        raise TypeError("'complex' object cannot be interpreted as an integer")
    elif array.dtype.kind == "O" or array.dtype == np.uint64:
        raise ValueError("Overflow when unpacking long long")
    elif not np.isfinite(array).all():
        raise RuntimeError("value cannot be converted to type int64 without overflow")
    return array.real.astype(np.int64)


def _refuse_text(part: Any) -> None:
    """Raise the error for a string used as an index."""
    if isinstance(part, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(part).__name__}'")


def _with_arrays(part: Any) -> Any:
    """Convert the tensors in a nested sequence to NumPy arrays."""
    if isinstance(part, Tensor):
        return part._host_array()
    if isinstance(part, (list, tuple)):
        return [_with_arrays(p) for p in part]
    return part


def _tensor(part: Tensor) -> Any:
    """Check an index tensor; one without dimensions becomes a Python number."""
    if part._data.ndim:
        return _checked(part)
    kind = part._data.dtype
    if kind.kind not in "iub":
        _refuse_kind()
    return bool(part._data) if kind in (np.bool_, np.uint8) else int(part._data)


def _checked(part: Any) -> Any:
    """Check the dtype of an index tensor or array; masks of bytes become bool."""
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
    """How many dimensions an entry indexes; for a mask, as many as it has."""
    if entry is None or entry is Ellipsis or isinstance(entry, bool):
        return 0
    if isinstance(entry, Tensor) and entry._data.dtype in (np.bool_, np.uint8):
        return int(entry._data.ndim)
    return 1


def _entry(index: int, place: int, n: int) -> int:
    """Check an integer, and count it from the front.

    The message calls the position among the entries a dimension, as PyTorch does.
    """
    if not -n <= index < n:
        check_long(index)
        raise IndexError(
            f"index {index} is out of bounds for dimension {place} with size {n}"
        )
    return index + n if index < 0 else index


def _range(part: slice, n: int) -> slice:
    """Limit the ends of a slice to a dimension of size n."""
    if part == FULL:
        return FULL
    step = check_slice(part)
    start, stop, step = slice(_end(part.start), _end(part.stop), step).indices(n)
    # In PyTorch, ends counted from the last element make a view even if it has all.
    counted_back = part.start or (part.stop is not None and _end(part.stop) < 0)
    if (start, stop, step) == (0, n, 1) and not counted_back:
        return FULL
    return slice(start, max(start, stop), step)


def check_long(index: Any) -> None:
    """Raise for an integer that has more than 64 bits.

    Raises:
        ValueError: in PyTorch's words.
    """
    if not -(2**63) <= index < 2**63:
        raise ValueError("Overflow when unpacking long long")


def check_slice(part: slice) -> int:
    """The step of a slice, after checking that it and the ends are usable.

    Raises:
        TypeError: for what is no integer.
        ValueError: for a step below 1.
    """
    _end(part.start)
    _end(part.stop)
    step = 1 if part.step is None else int(_end(part.step))
    if step == 0:
        raise ValueError("slice step cannot be zero")
    if step < 0:
        raise ValueError("step must be greater than zero")
    return step


def _end(value: Any) -> Any:
    if value is None or type(value) is int:
        return value
    if not hasattr(value, "__index__"):
        raise TypeError(
            "slice indices must be integers or None or have an __index__ method"
        )
    return value.__index__()
