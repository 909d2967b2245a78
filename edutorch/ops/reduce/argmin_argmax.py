"""The indices of the largest and smallest elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import Op, apply1
from ...tensor.tensor import Tensor
from ..argument_checks import type_error
from ..dims import ABSENT, axis_for, dim_of, ndim_of
from ..registration import copyto, public
from .selection import refuse_empty

__all__ = ["argmax", "argmin"]


class Argmax(Op):
    """The index of the first largest element, overall or along a dimension."""

    attributes = ("dim", "keepdim")
    onnx = "ArgMax"
    differentiable = False
    find: Any = staticmethod(np.argmax)

    def __init__(self, dim: int | None, keepdim: bool) -> None:
        self.dim, self.keepdim = dim, keepdim

    def check(self, x: Any) -> None:
        _refuse_unordered(self.public, x)
        if self.dim is None and not x._data.size:
            raise IndexError(
                f"{self.public}(): Expected reduction dim to be specified for "
                "input.numel() == 0."
            )
        refuse_empty(x._data, (self.dim or 0,), self.public)

    def forward(self, x: Any) -> Any:
        if x.ndim == 0:
            return np.zeros((), np.int64)
        return self.find(x, axis=self.dim, keepdims=self.keepdim)


class Argmin(Argmax):
    """The index of the first smallest element, overall or along a dimension."""

    onnx = "ArgMin"
    find: Any = staticmethod(np.argmin)


def _refuse_unordered(name: str, x: Any) -> None:
    """Refuse bools and complex numbers."""
    if x._data.dtype.kind == "b":
        raise RuntimeError(f"{name}(): does not support bool input")
    if x._data.dtype.kind in "cW":
        raise RuntimeError(f"{name}(): does not support complex input")


def _ordered_dim(dim: Any, input: Any, name: str) -> int:
    """A dimension as a non-negative number; PyTorch looks at the dtype before."""
    try:
        return dim_of(dim, ndim_of(input, name), name)
    except IndexError:
        _refuse_unordered(name, input)
        raise


@public("argmax")
def argmax(
    input: Tensor,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    out: Tensor | None = None,
    axis: Any = None,
    keepdims: Any = ABSENT,
) -> Tensor:
    """The index of the largest element, in the flattened tensor or along `dim`.

    Math: y = the first i with x[i] = max x
    Shape: (*) -> (), or (* without dim); int64

    Raises:
        IndexError: for an empty tensor without `dim`.

    Example:
        >>> import edutorch as torch
        >>> torch.argmax(torch.tensor([[1, 5], [3, 2]]), dim=1)
        tensor([1, 0])
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    if keepdims is not ABSENT:
        keepdim = keepdims
    if keepdim is not False and keepdim is not True:
        raise type_error("bool", "keepdim", keepdim, "argmax")
    dim = None if dim is None else _ordered_dim(dim, input, "argmax")
    result = apply1(Argmax(dim, keepdim), input)
    return result if out is None else copyto(out, result, "argmax", (input,))


@public("argmin")
def argmin(
    input: Tensor,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    out: Tensor | None = None,
    axis: Any = None,
    keepdims: Any = ABSENT,
) -> Tensor:
    """The index of the smallest element, in the flattened tensor or along `dim`.

    Math: y = the first i with x[i] = min x
    Shape: (*) -> (), or (* without dim); int64

    Raises:
        IndexError: for an empty tensor without `dim`.

    Example:
        >>> import edutorch as torch
        >>> torch.argmin(torch.tensor([[1, 5], [3, 2]]), dim=1)
        tensor([0, 1])
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    if keepdims is not ABSENT:
        keepdim = keepdims
    if keepdim is not False and keepdim is not True:
        raise type_error("bool", "keepdim", keepdim, "argmin")
    dim = None if dim is None else _ordered_dim(dim, input, "argmin")
    result = apply1(Argmin(dim, keepdim), input)
    return result if out is None else copyto(out, result, "argmin", (input,))
