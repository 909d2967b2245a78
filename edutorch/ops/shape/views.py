"""Views: other shapes of the same memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.op import Op, apply1
from ...autograd.unbroadcast import sum_to
from ...tensor.tensor import Tensor
from ..attach import public
from ..dims import dim_of, sizes_of

__all__ = ["reshape", "transpose"]


class View(Op):
    """The same elements in another shape.

    Math: y = x, in row-major order      ∂L/∂x = g in the old shape
    Shape: (*) -> `shape`
    """

    attributes = ("shape",)
    onnx = "Reshape"
    is_view = True
    saves = ()

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape

    def forward(self, x: Any) -> Any:
        self.old_shape = x.shape
        return x.reshape(self.shape)

    def backward(self, g: Any) -> Any:
        return reshape(g, self.old_shape)


class Expand(Op):
    """Dimensions of size 1 repeated without copying.

    Math: y = x, repeated      ∂L/∂x = Σ g over the repeats
    Shape: (*) -> `shape`
    """

    attributes = ("shape",)
    onnx = "Expand"
    is_view = True
    saves = ()

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape

    def forward(self, x: Any) -> Any:
        self.old_shape = x.shape
        return np.broadcast_to(x, self.shape)

    def backward(self, g: Any) -> Any:
        return sum_to(g, self.old_shape)


def expand(x: Any, shape: tuple[int, ...]) -> Any:
    """`x` broadcast to `shape`, for formulas; the public `expand` is a method."""
    return apply1(Expand(shape), x)


def reshape(input: Tensor, shape: Any) -> Tensor:
    """The same elements in another shape: a view where memory allows, else a copy.

    Math: y = x, in row-major order      ∂L/∂x = g in the old shape
    Shape: (*) -> `shape`; one size may be -1

    Raises:
        RuntimeError: if the number of elements differs.

    Example:
        >>> import edutorch as torch
        >>> torch.reshape(torch.ones(2, 3), (3, -1)).shape
        torch.Size([3, 2])
    """
    return apply1(View(shape), input)


class Transpose(Op):
    """Two dimensions swapped.

    Math: y[..i..j..] = x[..j..i..]      ∂L/∂x = g with them swapped back
    """

    attributes = ("dim0", "dim1")
    onnx = "Transpose"
    is_view = True
    saves = ()

    def __init__(self, dim0: int, dim1: int) -> None:
        self.dim0, self.dim1 = dim0, dim1

    def forward(self, x: Any) -> Any:
        return x.swapaxes(self.dim0, self.dim1) if x.ndim else x.view()

    def backward(self, g: Any) -> Any:
        return transpose(g, self.dim0, self.dim1)


@public("transpose", "swapaxes", "swapdims")
def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """A view with two dimensions swapped.

    Math: y[..i..j..] = x[..j..i..]      ∂L/∂x = g with them swapped back
    Shape: (.., n, .., m, ..) -> (.., m, .., n, ..)

    Raises:
        IndexError: if a dimension does not exist.

    Example:
        >>> import edutorch as torch
        >>> torch.transpose(torch.ones(2, 3), 0, 1).shape
        torch.Size([3, 2])
    """
    n = input.ndim
    return apply1(Transpose(dim_of(dim0, n), dim_of(dim1, n)), input)


_ = sizes_of
