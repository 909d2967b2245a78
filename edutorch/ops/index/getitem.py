"""`x[...]` and `x[...] = v`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import apply, apply1, apply2
from ...autograd.inplace import check_writable, is_untracked
from ...autograd.memory_overlap import overlaps_itself, refuse_overlap
from ...dtypes import bfloat16, float16, float64
from ...kernels.casts import cast
from ...tensor.conj_neg_view import ConjNegView
from ...tensor.indexing import check_long, check_slice, parse
from ...tensor.tensor import Tensor
from ..convert.copy_fill import castable_number, fill_by_copy, is_same_data
from ..create.from_data import qualified
from ..registration import public
from ..shape.broadcasting import expand_to
from ..shape.slices import Select, Slice
from ..shape.views import reshape
from .advanced import (
    Index,
    check_filled_number,
    index_to_device,
    put,
    refuse_byte_mask,
)

__all__: list[str] = []


@public("__getitem__")
def _tensor_getitem(self: Tensor, index: Any) -> Tensor:
    """Integers, slices and None give views; index tensors, lists and masks, copies.

    Math: y = x[index]      ∂L/∂x = 0 with g added at [index]

    Raises:
        IndexError: for entries or dimensions that are not there.
        ValueError: for slices with a step below 1.
    """
    kind = type(index)
    if kind is int and self._data.ndim:
        return apply1(Select((index, ...)), self)
    if kind is slice and (index.step is None or index.step > 0):
        return apply1(Slice((index, ...)), self)
    if kind is tuple and _is_basic(index):
        return apply1(Slice((*index, ...)), self)
    if kind is Tensor and _is_usable_index(index, self):
        return apply2(Index((0,)), self, index)
    if not self._data.ndim:
        _refuse_number(index)
    parsed = parse(index, self._data.shape)
    view = self
    if parsed.basic or not parsed.indices:
        view = apply1(Slice((*parsed.basic, ...)), self)
    if not parsed.indices:
        return view
    indices = [index_to_device(i, view) for i in parsed.indices]
    return apply(Index(parsed.slots), view, *indices)


def _is_basic(index: tuple[Any, ...]) -> bool:
    """Whether NumPy reads an index like PyTorch: integers, None, forward slices."""
    for part in index:
        kind = type(part)
        if kind is slice:
            if part.step is not None and not (type(part.step) is int and part.step > 0):
                return False
        elif kind is not int and part is not None:
            return False
    return True


def _is_usable_index(index: Tensor, x: Tensor) -> bool:
    """Whether an index tensor is usable as it is: integers, or a mask that fits."""
    array = index._data
    if not array.ndim or not x._data.ndim or index._device is not x._device:
        return False
    if array.dtype.kind == "b":
        return bool(array.shape == x._data.shape[: array.ndim])
    return bool(array.dtype == np.int64)


def _refuse_number(index: Any) -> None:
    """Raise for integers and slices on 0-d tensors."""
    if isinstance(index, slice):
        check_slice(index)
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    if isinstance(index, bool) or not isinstance(index, (int, np.integer)):
        return
    if index == 0:
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or "
            "`tensor.item<T>()` in C++ to convert a 0-dim tensor to a number"
        )
    check_long(index)
    raise IndexError(f"index {index} is out of bounds for dimension 0 with size 0")


@public("__contains__")
def _tensor_contains(self: Tensor, element: Any, /) -> bool:
    """Whether some element equals a number, or an element of a broadcast tensor.

    Raises:
        RuntimeError: for an element that is neither.

    Example:
        >>> import edutorch as torch
        >>> 5 in torch.tensor([1, 5])
        True
    """
    if not isinstance(element, (Tensor, int, float, complex, np.generic)):
        raise RuntimeError(
            "Tensor.__contains__ only supports Tensor or scalar, but you passed in a "
            f"{type(element)}."
        )
    return bool((self == element).any())


@public("__setitem__")
def _tensor_setitem(self: Tensor, index: Any, value: Any) -> None:
    """Overwrite a part of this tensor in place, recording the change.

    Math: x[index] <- v      ∂L/∂x = g, 0 at [index]      ∂L/∂v = g[index]

    Raises:
        IndexError: for entries that do not exist.
        RuntimeError: if the value does not broadcast to the part.
        TypeError: if the value is neither a tensor nor a number.
    """
    if not isinstance(value, (Tensor, int, float, complex, np.integer)):
        raise TypeError(f"can't assign a {qualified(value)} to a {self.type()}")
    if _assign_directly(self, index, value):
        return
    if not isinstance(value, Tensor):
        value = _checked_scalar(value, self)
    if not self._data.ndim:
        _refuse_number(index)
    if index is False:
        return  # selects nothing, for any value
    index = None if index is True else index  # selects everything
    parsed = parse(index, self._data.shape)
    view = self
    if any(p != slice(None) for p in parsed.basic):
        view = apply1(Slice((*parsed.basic, ...)), self)
    if parsed.indices:
        if len(parsed.indices) == 1:
            _check_byte_mask(view, index, value, parsed.slots.index(0))
        put(view, parsed, _prepare_value(value, view, parsed.indices))
    elif isinstance(value, Tensor) and (value._data.ndim or not view._data.ndim):
        _copy_to_view(view, value)
    else:
        check_writable(view)
        fill_by_copy(view, value)


def _copy_to_view(view: Tensor, value: Tensor) -> None:
    """Copy a value, broadcast, into the part of a tensor that a view selects."""
    if is_same_data(value, view) and is_untracked(view, (value,)):
        view.untyped_storage().version += 1  # PyTorch copies it onto itself
        return
    if value._data.shape != view._data.shape:
        value = expand_to(_strip_leading_ones(value), view._data.shape)
        if value._data.size == 1 and view._data.ndim:  # then they lie in other steps
            refuse_overlap(view, (value,))
    view.copy_(value)


def _checked_scalar(value: Any, x: Tensor) -> Any:
    """A number to assign, checked; 16-bit floats accept any double, and round it.

    Raises:
        RuntimeError: if the dtype of `x` does not hold it.
        ValueError: for an integer of more than 64 bits.
    """
    if type(value) is int and not LEAST <= value < BEYOND:
        check_long(value)
    if x.dtype not in (float16, bfloat16):
        return castable_number(value, x)
    with np.errstate(all="ignore"):
        return float(
            cast(np.float64(castable_number(value, x, float64)), x.dtype.numpy)
        )


def _assign_directly(x: Tensor, index: Any, value: Any) -> bool:
    """Assign without creating a view if possible; return whether it was."""
    if not is_untracked(x, (value,)):
        return False
    kind = type(index)
    if kind is Tensor:
        if index._device is not x._device or index._data.dtype not in INDEX_DTYPES:
            return False
        if index._data.dtype == np.bool_ and not _is_usable_index(index, x):
            return False
        index = index._data
    elif not _is_basic(index if kind is tuple else (index,)):
        return False
    if isinstance(value, Tensor):
        if value._device is not x._device or value._data.dtype != x._data.dtype:
            return False
        if value._storage is not None and value._storage is x._storage:
            return False  # overlapping memory is refused by the general path
        value = value._data
    else:
        value = _checked_scalar(value, x)
    if type(x) is ConjNegView or overlaps_itself(x._data):
        return False  # the part that is written to may not
    check_writable(x)
    try:
        x._data[index] = value
    except (IndexError, ValueError, TypeError):
        return False  # the general path raises PyTorch's errors
    x.untyped_storage().version += 1
    return True


LEAST, BEYOND = -(2**63), 2**63  # integers of 64 bits
INDEX_DTYPES = (np.dtype(np.int64), np.dtype(np.bool_))


def _prepare_value(value: Any, view: Tensor, indices: tuple[Any, ...]) -> Any:
    """A value without leading ones; a single one for a mask may have any dtype."""
    if not isinstance(value, Tensor):
        return value
    value = _strip_leading_ones(value)
    if value._data.size == 1 and len(indices) == 1 and _is_mask(indices[0]):
        integers = not (view.is_floating_point() or view.is_complex())
        check_filled_number(value, view)
        if not (integers and value._requires_grad):  # whose history is recorded
            return value.to(view.dtype)
    return value


def _is_mask(index: Any) -> bool:
    return getattr(index, "_data", index).dtype == np.bool_


def _check_byte_mask(view: Tensor, index: Any, value: Any, dim: int) -> None:
    """Check a byte mask from `dim` on; it can select but not assign a number."""
    entries = index if type(index) is tuple else (index,)
    arrays = [getattr(entry, "_data", entry) for entry in entries]
    mask = next((array for array in arrays if _is_byte_mask(array)), None)
    if mask is None:
        return
    if view._data.shape[dim : dim + mask.ndim] != mask.shape:
        return  # writing with it raises the right error
    check_writable(view)
    if not isinstance(value, Tensor) or value._data.size == 1:
        refuse_byte_mask()


def _is_byte_mask(array: Any) -> bool:
    return bool(getattr(array, "ndim", 0)) and array.dtype == np.uint8


def _strip_leading_ones(value: Tensor) -> Tensor:
    """A value without leading dimensions of size 1."""
    shape = value._data.shape
    extra = 0
    while len(shape) > extra and shape[extra] == 1:
        extra += 1
    return reshape(value, shape[extra:]) if extra else value
