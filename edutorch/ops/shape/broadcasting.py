"""Bringing several shapes to one."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import apply1
from ...autograd.op_errors import broadcast_error
from ...errors import raise_if
from ...tensor.size import Size
from ...tensor.tensor import Tensor
from ..argument_checks import need_each, tensor_of
from ..argument_errors import parser_errors
from ..dims import sizes_of
from ..registration import composite, public
from .squeezing import expand_to
from .views import Expand, reshape

__all__ = ["broadcast_shapes", "broadcast_tensors", "broadcast_to"]


@public("broadcast_to")
@parser_errors
def broadcast_to(input: Tensor, size: Any) -> Tensor:
    """A view of `input` expanded to a shape.

    Math: y = x, repeated      ∂L/∂x = Σ g over what was repeated
    Shape: (n, 1) -> `size`, such as (k, n, m)

    Raises:
        RuntimeError: if a dimension of another size would have to change.

    Example:
        >>> import edutorch as torch
        >>> torch.broadcast_to(torch.tensor([1, 2]), (2, 2))
        tensor([[1, 2],
                [1, 2]])
    """
    return expand_to(
        tensor_of(input, "broadcast_to"), sizes_of((size,), "broadcast_to")
    )


@public("broadcast_to")
def _tensor_broadcast_to(self: Tensor, *size: Any) -> Tensor:
    """A view of this tensor expanded to a shape; see `torch.broadcast_to`.

    Math: y = x, repeated      ∂L/∂x = Σ g over what was repeated
    Shape: (n, 1) -> `size`, such as (k, n, m)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1, 2]).broadcast_to(2, 2)
        tensor([[1, 2],
                [1, 2]])
    """
    return expand_to(self, sizes_of(size, "broadcast_to"))


def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """Views of all tensors, expanded to the one shape that fits them all.

    Math: yₖ = xₖ, repeated      ∂L/∂xₖ = Σ gₖ over what was repeated
    Shape: (n, 1), (m) -> (n, m), (n, m)

    Raises:
        RuntimeError: if the shapes do not fit each other.

    Example:
        >>> import edutorch as torch
        >>> column, row = torch.tensor([[1], [2]]), torch.tensor([3, 4])
        >>> torch.broadcast_tensors(column, row)
        (tensor([[1, 1],
                [2, 2]]), tensor([[3, 4],
                [3, 4]]))
    """
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    need_each(tensors)
    shapes = [t._data.shape for t in tensors]
    raise_if(broadcast_error(shapes))
    shape = np.broadcast_shapes(*shapes)
    return tuple(
        t if t._data.shape == shape else apply1(Expand(shape), t) for t in tensors
    )


def broadcast_shapes(*shapes: Any) -> Size:
    """The shape that tensors of the given shapes broadcast to.

    Math: the last sizes are compared first: max(n, m) where one of them is 1 or n = m
    Shape: sizes are compared from the last on; 1 gives way to the other

    Raises:
        RuntimeError: if the shapes do not fit each other.
        ValueError: for sizes below zero.

    Example:
        >>> import edutorch as torch
        >>> torch.broadcast_shapes((2, 1), (3,))
        torch.Size([2, 3])
    """
    given = [(s,) if isinstance(s, int) else tuple(s) for s in shapes]
    result: list[int] = [1] * max((len(s) for s in given), default=0)
    for nr, shape in enumerate(given):
        for i in range(-1, -1 - len(shape), -1):
            n = shape[i]
            if n < 0:
                raise ValueError(
                    "Attempting to broadcast a dimension with negative length!"
                )
            if n in (1, result[i]):
                continue
            if result[i] != 1:
                known = list(result)
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {n} at {i}! "
                    f"Mismatching argument at index {nr} had {shape}; but expected "
                    f"shape should be broadcastable to {known}"
                )
            result[i] = n
    return Size(result)


@public("sum_to_size")
@composite
def _tensor_sum_to_size(self: Tensor, *size: Any) -> Tensor:
    """Sums over the dimensions that broadcasting from `size` to this shape adds.

    Math: y = Σ x over the repeats      ∂L/∂x = g, repeated
    Shape: (k, n, m) -> `size`, such as (n, 1)

    Raises:
        RuntimeError: if `size` does not broadcast to this shape.

    Example:
        >>> import edutorch as torch
        >>> torch.ones(2, 3).sum_to_size(3)
        tensor([2., 2., 2.])
    """
    shape, own = sizes_of(size, "sum_to_size"), self._data.shape
    wrong = broadcast_error([own, shape]) is not None or len(shape) > len(own)
    if wrong or np.broadcast_shapes(own, shape) != own:
        raise RuntimeError(
            f"size {{{list(shape)}}} is not expandable to size {{{list(own)}}}."
        )
    if not shape:
        return self.sum()
    if shape == own:
        return self
    lead = len(own) - len(shape)
    dims = [d for d, n in enumerate(own) if d < lead or shape[d - lead] != n]
    total = self.sum(dims, keepdim=True)
    return reshape(total, shape) if lead else total
