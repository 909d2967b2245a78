"""What an index in brackets means: `x[0, 1:3, None, mask, [2, 0]]`.

An index is taken apart into a basic part (integers, slices, None: a view, by NumPy's
basic indexing) and an advanced part (index tensors and masks), which then applies to
the dimensions of that view. PyTorch works in these two steps, too.
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

    Raises:
        IndexError: if it names entries or dimensions that are not there.
        ValueError: for slices with a step below 1.
        TypeError: for strings, and ends of slices that are no numbers.
    """
    if index is Ellipsis:
        return Parsed((), (), ())
    entries = index if type(index) is tuple or _is_old_tuple(index) else (index,)
    parts = [_simplified(p) for p in entries]
    parts = _without_ellipsis(parts, len(shape))
    basic: list[Any] = []
    slots: list[int | None] = []
    indices: list[Any] = []
    dim = 0
    for part in parts:
        if part is None or isinstance(part, bool):
            basic.append(None)
            slots.append(None if part is None else len(indices))
            indices += [] if part is None else [np.array([part])]
        elif isinstance(part, int):
            basic.append(_entry(part, dim, shape))
            dim += 1
        elif isinstance(part, slice):
            basic.append(_range(part, shape[dim]))
            slots.append(None)
            dim += 1
        else:
            used = _dims_used(part)
            _check_mask(part, dim, shape, len(indices))
            basic += [FULL] * used
            slots.append(len(indices))
            indices.append(part)
            dim += used
    if not indices:
        slots = []
    while len(basic) > 1 and basic[-1] is FULL:
        basic.pop()
    if (indices or len(entries) > 1) and all(p is FULL for p in basic):
        basic = []
    return Parsed(tuple(basic), tuple(slots), tuple(indices))


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
        return bool(part) if part.dtype.kind == "b" else operator.index(part)  # type: ignore[arg-type]
    if isinstance(part, (list, tuple, range, np.ndarray)):
        array = np.asarray(_plain(part))
        array = array if array.size else array.astype(np.int64)
        return _checked(array)
    if hasattr(part, "__index__"):
        return part.__index__()
    if isinstance(part, str):
        raise TypeError("new(): invalid data type 'str'")
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte "
        "Variables "
        f"are valid indices (got {type(part).__name__})"
    )


def _plain(part: Any) -> Any:
    """A nested sequence with its tensors as NumPy arrays."""
    if isinstance(part, Tensor):
        return part.numpy(force=True)
    if isinstance(part, (list, tuple)):
        return [_plain(p) for p in part]
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


def _dims_used(part: Any) -> int:
    """How many dimensions an index entry consumes: a mask as many as it has."""
    if part is None or isinstance(part, bool):
        return 0
    if isinstance(part, (int, slice)):
        return 1
    array = part._data if isinstance(part, Tensor) else part
    return int(array.ndim) if array.dtype.kind == "b" else 1


def _without_ellipsis(parts: list[Any], ndim: int) -> list[Any]:
    """`...` written out as slices, also the one that stands unseen at the end."""
    places = [i for i, p in enumerate(parts) if p is Ellipsis]
    used = sum(_dims_used(p) for p in parts if p is not Ellipsis)
    if used > ndim:
        if not ndim and any(isinstance(p, slice) for p in parts):
            raise IndexError("slice() cannot be applied to a 0-dim tensor.")
        raise IndexError(f"too many indices for tensor of dimension {ndim}")
    place = places[0] if places else len(parts)
    after = [p for p in parts[place + 1 :] if p is not Ellipsis]
    if len(places) > 1 and used < ndim and any(_dims_used(p) for p in after):
        # A second "..." counts as many dimensions as the first: those are too many.
        raise IndexError(f"index 0 is out of bounds for dimension {ndim} with size 0")
    return [*parts[:place], *[FULL] * (ndim - used), *after]


def _entry(index: int, dim: int, shape: tuple[int, ...]) -> int:
    n = shape[dim]
    if not -n <= index < n:
        raise IndexError(
            f"index {index} is out of bounds for dimension {dim} with size {n}"
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
    if (start, stop, step) == (0, n, 1):
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


def _check_mask(part: Any, dim: int, shape: tuple[int, ...], nr: int) -> None:
    array = part._data if isinstance(part, Tensor) else part
    if array.dtype.kind != "b":
        return
    for i, n in enumerate(array.shape):
        if n != shape[dim + i]:
            raise IndexError(
                f"The shape of the mask {list(array.shape)} at index {i} does "
                "not match "
                f"the shape of the indexed tensor {list(shape)} at index {dim + i}"
            )
