"""Operations between dense and nested tensors."""

from __future__ import annotations

from typing import Any

from ..ops import cat
from ..tensor.tensor import Tensor
from .layouts import Jagged, Strided
from .tensor import NestedTensor, values_of

__all__ = ["broadcast_to_values", "same_structure"]


def same_structure(name: str, args: Any) -> None:
    """Refuse operands whose parts do not correspond.

    Raises:
        RuntimeError: in PyTorch's words.
    """
    nested = [a for a in args if isinstance(a, NestedTensor)]
    first = nested[0]._structure
    if isinstance(first, Strided):
        _check_same_sizes(name, args)
        return
    for other in nested[1:]:
        if other._structure.offsets is not first.offsets:
            described = [n._structure.text(values_of(n)) for n in (nested[0], other)]
            raise RuntimeError(
                f"cannot call binary pointwise function {name}.Tensor with inputs of "
                f"shapes {described[0]} and {described[1]}"
            )


def _check_same_sizes(name: str, args: Any) -> None:
    if name in ("eq", "ne", "gt", "ge", "lt", "le"):
        raise RuntimeError(f"{name} does not support nested tensor as other value.")
    tensors = [a for a in args if isinstance(a, Tensor) and _has_dims(a)]
    kinds = [isinstance(a, NestedTensor) for a in tensors]
    if not all(kinds) and name != "masked_fill":
        first = "a nested" if kinds[0] else "a non-nested"
        second = "nested" if kinds[1] else "non-nested"
        raise RuntimeError(
            f"Expected both self and other to be nested, but got {first} self and "
            f"{second} other"
        )
    shapes = {a._structure.shapes for a in tensors}
    if len(shapes) > 1:
        raise RuntimeError(
            f"{name} does not support broadcasting when given a NestedTensor"
        )


def _has_dims(a: Tensor) -> bool:
    return isinstance(a, NestedTensor) or a.ndim > 0


def broadcast_to_values(operand: Any, x: NestedTensor) -> Any:
    """The values of a dense tensor broadcast to the shape of `x`."""
    structure = x._structure
    if isinstance(operand, NestedTensor) or not isinstance(operand, Tensor):
        return operand
    if not operand.ndim or not isinstance(structure, Jagged):
        return operand
    ndim, axis = x.dim(), structure.ragged
    wide = operand.reshape((1,) * (ndim - operand.ndim) + tuple(operand.shape))
    if wide.shape[0] == 1 and wide.shape[axis] == 1:
        return wide.squeeze(0)
    rows = wide.expand(structure.batch, *wide.shape[1:])
    pairs = zip(rows, structure.spans(), strict=True)
    return cat([_resize_row(row, axis - 1, n) for row, (_, n) in pairs], axis - 1)


def _resize_row(row: Tensor, axis: int, size: int) -> Tensor:
    """One row, repeated or cut to a part's size."""
    if row.shape[axis] != 1:
        return row.narrow(axis, 0, size)
    sizes = list(row.shape)
    sizes[axis] = size
    return row.expand(sizes)
