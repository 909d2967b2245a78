"""`x[...]` and `x[...] = v`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.op import apply, apply1
from ...tensor.indexing import parse
from ...tensor.tensor import Tensor
from ..attach import public
from ..convert.copies import fill_
from ..shape.slices import Select, Slice
from ..shape.squeezing import _expanded
from ..shape.views import reshape
from .advanced import Index, here, put

__all__: list[str] = []


@public("__getitem__")
def _tensor_getitem(self: Tensor, index: Any) -> Tensor:
    """Integers, slices and None give views; index tensors, lists and masks give copies.

    Math: y = x[index]      ∂L/∂x = 0 with g added at [index]

    Raises:
        IndexError: for entries or dimensions that are not there.
        ValueError: for slices with a step below 1.
    """
    if type(index) is int:
        n = self._data.shape[0] if self._data.ndim else 0
        if -n <= index < n:
            return apply1(Select((index + n if index < 0 else index,)), self)
        _refuse(index, self)
    parsed = parse(index, self._data.shape)
    view = self
    if parsed.basic or not parsed.indices:
        view = apply1(Slice(parsed.basic), self)
    if not parsed.indices:
        return view
    indices = [here(i, view) for i in parsed.indices]
    return apply(Index(parsed.slots), view, *indices)  # type: ignore[no-any-return]


def _refuse(index: int, x: Tensor) -> None:
    if not x._data.ndim:
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or "
            "`tensor.item<T>()` in C++ to convert a 0-dim tensor to a number"
        )
    raise IndexError(
        f"index {index} is out of bounds for dimension 0 with size {x._data.shape[0]}"
    )


@public("__setitem__")
def _tensor_setitem(self: Tensor, index: Any, value: Any) -> None:
    """Overwrite a part of this tensor, in its own memory and with its history.

    Math: x[index] <- v      ∂L/∂x = g, 0 at [index]      ∂L/∂v = g[index]

    Raises:
        IndexError: for entries that are not there.
        RuntimeError: if the value does not broadcast to the part.
    """
    if not isinstance(value, (Tensor, int, float, complex, np.generic)):
        raise TypeError(f"can't assign a {_name(value)} to a {self.type()}")
    parsed = parse(index, self._data.shape)
    view = self
    if any(p != slice(None) for p in parsed.basic):
        view = apply1(Slice(parsed.basic), self)
    if parsed.indices:
        put(view, parsed, _prepared(value, view))
    elif isinstance(value, Tensor) and value._data.ndim:
        if not _is_same(value, view):
            value = _fewer_ones(value, view._data.ndim)
            if value._data.shape != view._data.shape:
                value = _expanded(value, view._data.shape)
            view.copy_(value)  # type: ignore[attr-defined]
    else:
        fill_(view, value)


def _name(value: Any) -> str:
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def _prepared(value: Any, view: Tensor) -> Any:
    """A value in the dtype of the tensor that takes it."""
    if isinstance(value, Tensor) and value._data.dtype != view._data.dtype:
        return value.to(view.dtype)  # type: ignore[attr-defined]
    return value


def _fewer_ones(value: Tensor, ndim: int) -> Tensor:
    """A value without leading dimensions of size 1 that the target does not have."""
    shape = value._data.shape
    extra = 0
    while len(shape) - extra > ndim and shape[extra] == 1:
        extra += 1
    return reshape(value, shape[extra:]) if extra else value


def _is_same(value: Tensor, view: Tensor) -> bool:
    """Whether `x[i] += 1` writes back what is there already."""
    if value._storage is None or value._storage is not view._storage:
        return False
    a, b = value._data, view._data
    return (
        a.shape == b.shape
        and a.strides == b.strides
        and a.dtype == b.dtype
        and value.data_ptr() == view.data_ptr()
    )
