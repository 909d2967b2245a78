"""Where elements are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.op import Op, apply1
from ...backends import array_module
from ...tensor.tensor import Tensor
from ..attach import into, public

__all__ = ["argwhere", "nonzero"]


class Nonzero(Op):
    """The places of all elements that are not zero, as rows."""

    differentiable = False
    onnx = "NonZero"
    saves = ()

    def forward(self, x: Any) -> Any:
        if not x.ndim:
            return array_module(x).zeros((int(bool(x)), 0), np.int64)
        return np.stack(np.nonzero(x)).T  # as in PyTorch, columns lie together


@public("nonzero")
def nonzero(input: Tensor, *, out: Tensor | None = None, as_tuple: bool = False) -> Any:
    """The places of all elements that are not zero.

    Shape: (n, m) -> (k, 2), or with `as_tuple` 2 tensors (k), fit for indexing

    Example:
        >>> import edutorch as torch
        >>> torch.nonzero(torch.tensor([[0, 5], [6, 0]]))
        tensor([[0, 1],
                [1, 0]])
    """
    if as_tuple:
        whole = input if input.ndim else input.reshape(1)
        return tuple(apply1(Nonzero(), whole).unbind(1))
    result = apply1(Nonzero(), input)
    return result if out is None else into(out, result)


@public("argwhere")
def argwhere(input: Tensor) -> Tensor:
    """The places of all elements that are not zero, as rows.

    Shape: (n, m) -> (k, 2)

    Example:
        >>> import edutorch as torch
        >>> torch.argwhere(torch.tensor([0, 5, 6]))
        tensor([[1],
                [2]])
    """
    return apply1(Nonzero(), input)
