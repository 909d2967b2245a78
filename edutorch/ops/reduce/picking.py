"""Elements picked along a dimension, for ops that choose some of their input."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.op import Op, apply1
from ...backends import array_module

__all__: list[str] = []


def pick_array(x: Any, index: Any, dim: int) -> Any:
    """The elements of an array at `index` along `dim`."""
    if x.ndim == 0:
        return x.reshape(1)[index.reshape(-1)].reshape(index.shape)
    return np.take_along_axis(x, index, dim)


class Pick(Op):
    """Elements at given indices along a dimension.

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
    """Zeros with given elements added at indices along a dimension.

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
        where = list(xp.ogrid[tuple(slice(n) for n in x.shape)])
        where[self.dim] = self.index
        xp.add.at(y, tuple(where), x)
        return y

    def backward(self, g: Any) -> Any:
        return pick(g, self.index, self.dim)


def place(x: Any, index: Any, dim: int, shape: tuple[int, ...]) -> Any:
    """Zeros of `shape` with `x` added at the constant `index`, for formulas."""
    return apply1(Place(index, dim, shape), x)
