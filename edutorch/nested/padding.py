"""Nested tensors padded to dense ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..nn.functional import pad
from ..ops import stack
from ..tensor.tensor import Tensor
from .layouts import Jagged

__all__ = ["padded"]


def padded(
    parts: Sequence[Tensor], structure: Any, padding: float, output_size: Any
) -> Tensor:
    """The parts, filled up to one size.

    Raises:
        RuntimeError: for an output that is too small.
    """
    sizes = [max(n) for n in zip(*(p.shape for p in parts), strict=True)]
    if output_size is not None and isinstance(structure, Jagged):
        axis = structure.ragged - 1
        sizes[axis] = output_size[axis + 1]
        parts = [p.narrow(axis, 0, min(p.shape[axis], sizes[axis])) for p in parts]
    elif output_size is not None:
        requested = list(output_size)[1:]
        if any(n < m for n, m in zip(requested, sizes, strict=True)):
            raise RuntimeError(
                "Value in output_size is less than NestedTensor padded size. "
                "Truncation is not supported."
            )
        sizes = requested
    return stack([_filled(p, sizes, padding) for p in parts])


def _filled(part: Tensor, sizes: list[int], value: float) -> Tensor:
    widths: list[int] = []
    for have, want in zip(reversed(part.shape), reversed(sizes), strict=True):
        widths += [0, want - have]
    return pad(part, widths, value=value)
