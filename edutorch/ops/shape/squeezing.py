"""Adds and removes dimensions of size 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import Op, apply1
from ...tensor.storage import strided_view
from ...tensor.tensor import Tensor
from ..argument_errors import (
    argument_error,
    check_call,
    check_integer,
    invalid_combination,
)
from ..dims import ABSENT, dim_of, dims_of, ndim_of
from ..registration import public
from .views import reshape

__all__ = ["squeeze", "unsqueeze"]


class Unsqueeze(Op):
    """Adds a dimension of size 1.

    Math: y = x      ∂L/∂x = g without that dimension
    """

    backward_in_single = False
    attributes = ("dim",)
    onnx = "Unsqueeze"
    is_view = True
    saves = ()

    def __init__(self, dim: int) -> None:
        self.dim = dim

    def forward(self, x: Any) -> Any:
        self.old_shape = shape = x.shape
        if type(x) is np.ndarray and x.flags.c_contiguous:  # None has no stride
            y = x.reshape((*shape[: self.dim], 1, *shape[self.dim :]))
            return _with_strides_of(x, y, self.dim) if 1 in shape else y
        return x[(*(slice(None),) * self.dim, None)]

    def backward(self, g: Any) -> Any:
        return reshape(g, self.old_shape)


def _with_strides_of(x: Any, y: Any, dim: int) -> Any:
    """`y`, which is `x` with one more dimension, with all strides of `x`.

    In dimensions of size 1 they may be any, and `reshape` gives others.
    """
    strides = x.strides
    if not x.size or y.strides[:dim] + y.strides[dim + 1 :] == strides:
        return y
    step = x.shape[dim] * strides[dim] if dim < x.ndim else x.itemsize
    return strided_view(x, y.shape, (*strides[:dim], step, *strides[dim:]))


@public("unsqueeze")
def unsqueeze(
    input: Tensor,
    dim: Any = None,
    *,
    axis: Any = None,
) -> Tensor:
    """A view with a dimension of size 1 added before dimension `dim`.

    Math: y = x      ∂L/∂x = g without that dimension
    Shape: (n, m) -> (1, n, m), (n, 1, m) or (n, m, 1)

    Raises:
        IndexError: if `dim` is further out than one beyond the last dimension.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([1, 2])
        >>> torch.unsqueeze(x, 0), torch.unsqueeze(x, 1)
        (tensor([[1, 2]]), tensor([[1],
                [2]]))
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis
    if dim is None:
        raise argument_error() or TypeError(
            'unsqueeze() missing 1 required positional arguments: "dim"'
        )
    return apply1(
        Unsqueeze(dim_of(dim, ndim_of(input, "unsqueeze") + 1, "unsqueeze")),
        input,
    )


class Squeeze(Op):
    """Removes dimensions of size 1.

    Math: y = x      ∂L/∂x = g with those dimensions
    """

    backward_in_single = False
    attributes = ("dim", "form")
    onnx = "Squeeze"
    is_view = True
    saves = ()

    def __init__(self, dim: tuple[int, ...], form: int) -> None:
        self.dim, self.form = dim, form

    def name(self) -> str:
        """PyTorch's name of the node, which differs for each form of `squeeze`."""
        return f"SqueezeBackward{self.form}"

    def forward(self, x: Any) -> Any:
        self.old_shape = x.shape
        return x.reshape([n for i, n in enumerate(x.shape) if i not in self.dim])

    def backward(self, g: Any) -> Any:
        return reshape(g, self.old_shape)


@public("squeeze")
def squeeze(
    input: Tensor,
    dim: Any = ABSENT,
    *more: Any,
    axis: Any = None,
) -> Tensor:
    """A view without dimensions of size 1.

    Math: y = x      ∂L/∂x = g with those dimensions
    Shape: (1, n, 1) -> (n), or (n, 1) with dim=0

    Args:
        dim: look only at this dimension, or at these; others stay.
        more: further dimensions, which only the method takes.

    Raises:
        IndexError: if a dimension does not exist.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(1, 3, 1)
        >>> torch.squeeze(x).shape, torch.squeeze(x, 0).shape
        (torch.Size([3]), torch.Size([3, 1]))
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis
    if more:
        check_call(False)
        dim = (dim, *more)
    if isinstance(dim, Tensor) and dim._data.size == 1 and dim._data.dtype.kind in "iu":
        check_integer(dim)  # of several dimensions only the method takes
        dim = (int(dim),) if dim._data.ndim else int(dim)
    n = ndim_of(input, "squeeze")
    shape = input.shape
    if dim is ABSENT:
        dims, form = tuple(range(n)), 0
    elif dim is None:
        raise invalid_combination("squeeze")
    elif isinstance(dim, (tuple, list)):
        dims, form = (dims_of(dim, n, "squeeze") or ()) if dim else (), 2
    else:
        dims, form = (dim_of(dim, n, "squeeze"),), 1
    return apply1(Squeeze(tuple(d for d in dims if n and shape[d] == 1), form), input)
