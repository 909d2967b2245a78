"""Nested tensors in files: a flat buffer, and the position of each part."""

from __future__ import annotations

from typing import Any

from ..nested.layouts import Strided
from ..nested.tensor import NestedTensor, nest, values_of
from ..ops.create.from_data import tensor
from ..tensor.tensor import Tensor
from .errors import corrupted

__all__ = ["nested_parts", "nested_tensor"]


def nested_parts(x: NestedTensor) -> tuple[Tensor, ...]:
    """The elements of a strided nested tensor, and sizes, strides, places of parts."""
    parts = x.unbind()
    places = [p.storage_offset() for p in parts]
    first = min(places, default=0)
    numbers = (
        [list(p.shape) for p in parts],
        [list(p.stride()) for p in parts],
        [place - first for place in places],
    )
    values = values_of(x).detach()
    return values, *(tensor(n, dtype=tensor(0).dtype) for n in numbers)


def nested_tensor(buffer: Any, sizes: Any, strides: Any, offsets: Any) -> NestedTensor:
    """A nested tensor whose parts lie in a row of elements.

    Raises:
        UnpicklingError: if a part would reach beyond it.
    """
    if not all(type(t) is Tensor for t in (buffer, sizes, strides, offsets)):
        raise corrupted("a nested tensor without its parts")
    flat, parts = buffer.reshape(-1), []
    try:
        for size, stride, offset in zip(
            sizes.tolist(), strides.tolist(), offsets.tolist(), strict=True
        ):
            parts.append(flat.as_strided(size, stride, offset))
        return nest(*Strided(()).joined(parts)) if parts else nest(flat, Strided(()))
    except (RuntimeError, TypeError, ValueError) as error:
        raise corrupted(str(error)) from None
