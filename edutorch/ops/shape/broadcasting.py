"""Expands dimensions of size 1, and broadcasts several tensors to one shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...autograd.dispatch import apply1
from ...autograd.op_errors import broadcast_error, type_name
from ...errors import raise_if
from ...tensor.size import Size
from ...tensor.tensor import Tensor
from ..argument_checks import need_each, tensor_of, type_error
from ..argument_errors import argument_error, parser_errors
from ..dims import check_named_sizes, sizes_of
from ..registration import composite, method, public
from .views import Expand, reshape

__all__ = ["broadcast_shapes", "broadcast_tensors", "broadcast_to"]


@method
def _tensor_expand(
    self: Tensor, *sizes: Any, size: Any = None, implicit: bool = False
) -> Tensor:
    """A view in which dimensions of size 1 are repeated without using memory.

    Math: y = x, repeated      ∂L/∂x = Σ g over the repeats
    Shape: (n, 1) -> (n, m), or (k, n, m); -1 keeps a size

    Raises:
        RuntimeError: if a dimension of another size would have to change.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([[1], [2]]).expand(2, 3)
        tensor([[1, 1, 1],
                [2, 2, 2]])
    """
    if implicit is not False and implicit is not True:
        raise type_error("bool", "implicit", implicit, "expand")
    if size is not None:
        check_named_sizes(size)
    return expand_to(self, sizes_of(sizes if size is None else (size,), "expand"))


def expand_to(x: Tensor, sizes: tuple[int, ...]) -> Tensor:
    old = x._data.shape
    leading = len(sizes) - len(old)
    if leading < 0:
        raise RuntimeError(
            f"expand({type_name(x)}{{{list(old)}}}, size={list(sizes)}): the "
            "number of sizes "
            f"provided ({len(sizes)}) must be greater or equal to the number of "
            f"dimensions in the tensor ({len(old)})"
        )
    shape: list[int] = []
    overflows = False
    for i, n in reversed(list(enumerate(sizes))):
        own = old[i - leading] if i >= leading else None
        if n < 0:
            if n == -1 and own is None:
                raise RuntimeError(
                    f"The expanded size of the tensor ({n}) isn't allowed in a "
                    f"leading, non-existing dimension {i}"
                )
            overflows |= n < -1
        if own not in (None, 1, n) and n != -1:
            raise RuntimeError(
                f"The expanded size of the tensor ({n}) must match the existing size "
                f"({own}) at non-singleton dimension {i}.  Target sizes: "
                f"{list(sizes)}.  Tensor sizes: {list(old)}"
            )
        shape.append(n if own is None or n != -1 else own)
    if overflows:  # PyTorch reads negative sizes as very large ones
        raise RuntimeError("numel: integer multiplication overflow")
    return apply1(Expand(tuple(reversed(shape))), x)


@method
def _tensor_expand_as(self: Tensor, other: Tensor) -> Tensor:
    """This tensor expanded to the shape of `other`.

    Math: y = x, repeated      ∂L/∂x = Σ g over what was repeated
    Shape: (n, 1), (k, n, m) -> (k, n, m)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1, 2]).expand_as(torch.ones(2, 2))
        tensor([[1, 2],
                [1, 2]])
    """
    return expand_to(self, tensor_of(other, "expand_as", "other")._data.shape)


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
    if not isinstance(size, (tuple, list)):  # only the method takes numbers
        raise_if(argument_error())
    return expand_to(
        tensor_of(input, "broadcast_to"), sizes_of((size,), "broadcast_to")
    )


@public("broadcast_to")
def _tensor_broadcast_to(self: Tensor, *sizes: Any, size: Any = None) -> Tensor:
    """A view of this tensor expanded to a shape; see `torch.broadcast_to`.

    Math: y = x, repeated      ∂L/∂x = Σ g over what was repeated
    Shape: (n, 1) -> `size`, such as (k, n, m)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1, 2]).broadcast_to(2, 2)
        tensor([[1, 2],
                [1, 2]])
    """
    shape = sizes_of(sizes if size is None else (size,), "broadcast_to")
    return expand_to(self, shape)


def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """Views of all tensors, expanded to their broadcast shape.

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
        ValueError: for negative sizes.

    Example:
        >>> import edutorch as torch
        >>> torch.broadcast_shapes((2, 1), (3,))
        torch.Size([2, 3])
    """
    given = [_shape_of(s) for s in shapes if s is not None]
    result: list[int] = [1] * max((len(s) for s in given), default=0)
    for nr, shape in enumerate(given):
        for i in range(-1, -1 - len(shape), -1):
            n = shape[i]
            if n in (1, result[i]):
                continue
            if result[i] != 1:
                known = list(result)
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {n} at {i}! "
                    f"Mismatching argument at index {nr} had {shape}; but expected "
                    f"shape should be broadcastable to {known}"
                )
            if n < 0:
                raise ValueError(
                    "Attempting to broadcast a dimension with negative length!"
                )
            result[i] = n
    return Size(result)


def _shape_of(given: Any) -> Any:
    """A shape given as a number or a sequence."""
    if not isinstance(given, (int, Sequence)):
        raise RuntimeError(
            "Input shapes should be of type ints, a tuple of ints, or a list of ints, "
            f"got {given}"
        )
    return (given,) if isinstance(given, int) else given


@public("sum_to_size")
@composite
def _tensor_sum_to_size(self: Tensor, *sizes: Any, size: Any = None) -> Tensor:
    """Sum over the dimensions that broadcasting from `size` added.

    Math: y = Σ x over the repeats      ∂L/∂x = g, repeated
    Shape: (k, n, m) -> `size`, such as (n, 1)

    Raises:
        RuntimeError: if `size` does not broadcast to this shape.

    Example:
        >>> import edutorch as torch
        >>> torch.ones(2, 3).sum_to_size(3)
        tensor([2., 2., 2.])
    """
    shape = sizes_of(sizes if size is None else (size,), "sum_to_size")
    own = self._data.shape
    wrong = broadcast_error([own, shape]) is not None or len(shape) > len(own)
    if wrong or np.broadcast_shapes(own, shape) != own:
        raise RuntimeError(
            f"size {{{list(shape)}}} is not expandable to size {{{list(own)}}}."
        )
    if not shape:
        return self.sum()
    if shape == own:
        return self
    leading = len(own) - len(shape)
    dims = [d for d, n in enumerate(own) if d < leading or shape[d - leading] != n]
    total = self.sum(dims, keepdim=True)
    return reshape(total, shape) if leading else total
