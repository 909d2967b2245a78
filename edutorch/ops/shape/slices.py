"""Slices: the views of NumPy's basic indexing."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import Op, apply1
from ...backends import array_module
from ...tensor.geometry import element_strides
from ...tensor.indexing import check_long, check_slice
from ...tensor.storage import address, memory_owner, strided_view
from ...tensor.tensor import Tensor
from ..argument_errors import argument_error
from ..dims import dim_of, ndim_of
from ..int_arguments import int_of
from ..registration import public

__all__ = ["narrow", "select"]


def _slice_error(shape: tuple[int, ...], index: tuple[Any, ...]) -> IndexError:
    """PyTorch's message for a basic index that is out of range."""
    if not shape and isinstance(index[0], slice) and index[1:] == (Ellipsis,):
        check_slice(index[0])
        return IndexError("slice() cannot be applied to a 0-dim tensor.")
    named = sum(part is not None and part is not Ellipsis for part in index)
    if named > len(shape):
        return IndexError(f"too many indices for tensor of dimension {len(shape)}")
    sizes = iter(shape)
    for place, part in enumerate(index):  # PyTorch names the place among the entries
        n = 0 if part is None or part is Ellipsis else next(sizes)
        if type(part) is int and not -n <= part < n:
            check_long(part)
            return IndexError(
                f"index {part} is out of bounds for dimension {place} with size {n}"
            )
    raise AssertionError(f"nothing is wrong with the index {index}")


def empty_view_at(x: Any, y: Any, index: tuple[Any, ...]) -> Any:
    """`y`, an empty part of `x`, with the memory address that `index` implies.

    NumPy gives it the address of `x`; only from its own can it grow (`resize_`).
    """
    if not isinstance(x, np.ndarray):
        return y
    named = [part for part in index if part is not None]
    if Ellipsis in named:
        here = named.index(Ellipsis)
        named[here : here + 1] = [slice(None)] * (x.ndim - len(named) + 1)
    begin = 0  # in elements
    for part, n, step in zip(named, x.shape, element_strides(x), strict=False):
        begin += step * (part.indices(n)[0] if isinstance(part, slice) else part % n)
    begin = begin * x.itemsize + address(x) - address(memory_owner(x))
    return strided_view(x, y.shape, y.strides, begin)


class Slice(Op):
    """A part of a tensor given by integers, slices and None.

    The index ends in "...", so that NumPy makes a view of a single element, too.

    Math: y = x[index]      ∂L/∂x = 0 with g at [index]
    """

    backward_in_single = False
    attributes = ("index",)
    onnx = "Slice"
    is_view = True
    saves = ()

    def __init__(self, index: tuple[Any, ...]) -> None:
        self.index = index

    def forward(self, x: Any) -> Any:
        self.old_shape = x.shape
        try:
            y = x[self.index]
        except IndexError:
            raise _slice_error(x.shape, self.index) from None
        return y if y.size else empty_view_at(x, y, self.index)

    def backward(self, g: Any) -> Any:
        return apply1(SliceBackward(self.index, self.old_shape), g)

    def name(self) -> str:
        """PyTorch's name of the node; that of the last of several steps."""
        for part in reversed(self.index):
            if part is None:
                return "UnsqueezeBackward0"
            if isinstance(part, int):
                return "SelectBackward0"
            if part is not Ellipsis and part != slice(None):
                return "SliceBackward0"
        full_slice = self.index == (slice(None), ...)  # x[:], and not x[...]
        return "SliceBackward0" if full_slice else "AliasBackward0"


class Select(Slice):
    """One entry along a dimension.

    Math: y = x[.., index, ..]      ∂L/∂x = 0 with g there
    """

    onnx = "Gather"


class SliceBackward(Op):
    """Zeros with `g` in place of a slice: the gradient of `Slice`.

    Math: y = 0, y[index] = x      ∂L/∂x = g[index]
    """

    attributes = ("index", "shape")
    saves = ()

    def __init__(self, index: tuple[Any, ...], shape: tuple[int, ...]) -> None:
        self.index, self.shape = index, shape

    def forward(self, x: Any) -> Any:
        y = array_module(x).zeros(self.shape, x.dtype)
        y[self.index] = x
        return y

    def backward(self, g: Any) -> Any:
        return apply1(Slice(self.index), g)


def index_at_dim(dim: int, part: Any) -> tuple[Any, ...]:
    """An index with `part` for dimension `dim`, and full slices for the others."""
    return (*(slice(None),) * dim, part, ...)


def slice_dim(x: Any, dim: int, start: int, stop: int, step: int = 1) -> Tensor:
    """`x[start:stop:step]` along a dimension, for formulas and other ops."""
    return apply1(Slice(index_at_dim(dim, slice(start, stop, step))), x)


@public("select")
def select(input: Tensor, dim: int, index: int) -> Tensor:
    """A view of one entry along a dimension, which is removed.

    Math: y = x[.., index, ..]      ∂L/∂x = 0 with g there
    Shape: (.., n, ..) -> (.., ..)

    Raises:
        IndexError: if the dimension or the entry does not exist.

    Example:
        >>> import edutorch as torch
        >>> torch.select(torch.tensor([[1, 2], [3, 4]]), 1, 0)
        tensor([1, 3])
    """
    if not ndim_of(input, "select"):
        raise argument_error() or IndexError(
            "select() cannot be applied to a 0-dim tensor."
        )
    shape = input.shape
    dim = dim_of(dim, len(shape), "select")
    n, index = shape[dim], int_of(index, "index", "select")
    if not -n <= index < n:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(shape)} at "
            f"dimension {dim}"
        )
    return apply1(Select(index_at_dim(dim, index + n if index < 0 else index)), input)


@public("narrow")
def narrow(input: Tensor, dim: int, start: Any, length: int) -> Tensor:
    """A view of `length` entries along a dimension, from `start` on.

    Math: y = x[.., start : start + length, ..]      ∂L/∂x = 0 with g there
    Shape: (.., n, ..) -> (.., length, ..)

    Raises:
        RuntimeError: if the entries are not all there.
        IndexError: if the dimension does not exist.

    Example:
        >>> import edutorch as torch
        >>> torch.narrow(torch.arange(5), 0, 1, 3)
        tensor([1, 2, 3])
    """
    if isinstance(start, Tensor):
        if start._data.ndim or start._data.dtype.kind not in "iu":
            raise RuntimeError("start must be an 0-dim integral Tensor.")
        first = int(start.item())
    else:
        first = int_of(start, "start", "narrow")
    length = int_of(length, "length", "narrow")
    if not ndim_of(input, "narrow"):
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    dim = dim_of(dim, input.ndim, "narrow")
    n = input.shape[dim]
    if not -n <= first <= n:
        raise IndexError(
            f"start out of range (expected to be in range of [{-n}, {n}], but got "
            f"{first})"
        )
    begin = first + n if first < 0 else first
    if begin + length > n:
        raise RuntimeError(
            f"start ({begin}) + length ({length}) exceeds dimension size ({n})."
        )
    return slice_dim(input, dim, begin, begin + length)
