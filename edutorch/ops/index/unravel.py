"""Converts flat indices to coordinates."""

from __future__ import annotations

from math import prod
from typing import Any

from ... import dtypes
from ...tensor.tensor import Tensor
from ..argument_errors import parser_errors

__all__ = ["unravel_index"]


@parser_errors
def unravel_index(indices: Tensor, shape: Any) -> tuple[Tensor, ...]:
    """The coordinates of flat indices in a tensor of a given shape.

    Math: y[d] = ⌊i / (n[d + 1] · n[d + 2] ..)⌋ mod n[d]
    Shape: (*) -> a tuple of (*), one for each dimension

    Raises:
        TypeError: for indices or a shape that are not integers.
        ValueError: for a shape with negative sizes.

    Example:
        >>> import edutorch as torch
        >>> torch.unravel_index(torch.tensor([5, 7]), (3, 4))
        (tensor([1, 1]), tensor([1, 3]))
    """
    if indices.is_complex() or indices._data.dtype.kind not in "iu":
        raise TypeError(
            f"expected 'indices' to be integer dtype, but got {indices.dtype}"
        )
    if not isinstance(shape, (int, tuple, list)):
        raise TypeError(
            f"expected 'shape' to be int or sequence of ints, but got {type(shape)}"
        )
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    for size in sizes:
        if not isinstance(size, int):
            raise TypeError(
                f"expected 'shape' sequence to only contain ints, but got {type(size)}"
            )
        if size < 0:
            raise ValueError(
                f"'shape' cannot have negative values, but got {tuple(sizes)}"
            )
    steps = [prod(sizes[d + 1 :]) for d in range(len(sizes))]
    steps, ends = (indices.new_tensor(n, dtype=dtypes.int64) for n in (steps, sizes))
    places = indices.to(dtypes.int64).unsqueeze(-1) // steps % ends  # (*, d)
    return tuple(places.unbind(-1))
