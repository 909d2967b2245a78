"""Elements selected along a dimension, for ops such as `max` and `median`."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ...autograd.dispatch import Op, apply1
from ...backends import array_module
from ..dims import dim_of, keepdim_shape
from ..shape.views import reshape

__all__: list[str] = []


def refuse_empty(x: Any, dim: Any, name: str) -> None:
    """Raise for an extreme of no elements, naming a dimension as it was given.

    Raises:
        RuntimeError: for the extreme of all elements, if there are none.
        IndexError: if a dimension to reduce has size 0.
    """
    if x.size:
        return
    if dim is None or dim == ():
        raise RuntimeError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. "
            "Specify the reduction dim with the 'dim' argument."
        )
    function = name if name == "aminmax" else f"{name}()"
    for d in dim if isinstance(dim, (tuple, list)) else (dim,):
        if type(d) is int and x.ndim and x.shape[dim_of(d, x.ndim)] == 0:
            raise IndexError(
                f"{function}: Expected reduction dim {d} to have non-zero size."
            )


def pick_array(x: Any, index: Any, dim: int) -> Any:
    """The elements of an array at `index` along `dim`."""
    if x.ndim == 0:
        return x.reshape(1)[index.reshape(-1)].reshape(index.shape)
    return np.take_along_axis(x, index, dim)


class Pick(Op):
    """Selects elements at given indices along a dimension.

    Math: y[.., j, ..] = x[.., index[.., j, ..], ..]      ∂L/∂x = g added there
    """

    attributes = ("index", "dim")
    saves = ()

    def __init__(self, index: Any, dim: int) -> None:
        self.index, self.dim = index, dim

    def forward(self, x: Any) -> Any:
        self.shape = x.shape
        return pick_array(x, self.index, self.dim)

    def backward(self, g: Any) -> Any:
        return place(g, self.index, self.dim, self.shape)


def pick(x: Any, index: Any, dim: int) -> Any:
    """The elements of `x` at the constant `index` along `dim`, for formulas."""
    return apply1(Pick(index, dim), x)


class Place(Op):
    """Adds elements to zeros at indices along a dimension.

    Math: y[.., index[.., j, ..], ..] += x[.., j, ..]      ∂L/∂x = g picked there
    """

    attributes = ("index", "dim", "shape")
    saves = ()

    def __init__(self, index: Any, dim: int, shape: tuple[int, ...]) -> None:
        self.index, self.dim, self.shape = index, dim, shape

    def forward(self, x: Any) -> Any:
        xp = array_module(x)
        y = xp.zeros(self.shape, x.dtype)
        if y.ndim == 0:
            y += x.sum()
            return y
        positions = list(xp.ogrid[tuple(slice(n) for n in x.shape)])
        positions[self.dim] = self.index
        xp.add.at(y, tuple(positions), x)
        return y

    def backward(self, g: Any) -> Any:
        return pick(g, self.index, self.dim)


def place(x: Any, index: Any, dim: int, shape: tuple[int, ...]) -> Any:
    """Zeros of `shape` with `x` added at the constant `index`, for formulas."""
    return apply1(Place(index, dim, shape), x)


class Chosen(Op):
    """Base class: one element along a dimension, with its index.

    Math: y = x[i]      ∂L/∂x = g at i, else 0
    Shape: (*) -> two of (* without dim)
    """

    attributes: ClassVar[tuple[str, ...]] = ("dim", "keepdim")
    multiple_outputs = True
    saves = ()
    saves_extra = True

    def __init__(self, dim: int, keepdim: bool) -> None:
        self.dim, self.keepdim = dim, keepdim

    def find(self, x: Any) -> Any:
        """The index of the selected element, with the dimension kept."""
        raise NotImplementedError

    def forward(self, x: Any) -> Any:
        self.shape = x.shape
        if x.ndim == 0:
            self.saved = np.zeros((), np.int64)
            return x.copy(), self.saved
        self.saved = index = self.find(x)
        y = pick_array(x, index, self.dim)
        if self.keepdim:
            return y, index
        return y.squeeze(self.dim), index.squeeze(self.dim)

    def backward(self, g: Any, _g_index: Any) -> Any:
        shape = keepdim_shape(self.shape, (self.dim,))
        return place(reshape(g, shape), self.saved, self.dim, self.shape)
