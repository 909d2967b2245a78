"""Operations between dense and nested tensors."""

from __future__ import annotations

from typing import Any

from ..ops import cat
from ..tensor.tensor import Tensor
from .layouts import Jagged, Strided
from .tensor import NestedTensor, values_of

__all__ = ["broadcast_to_values", "same_structure", "shape_text"]


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
    tensors = [a for a in args if isinstance(a, Tensor) and _has_dims(a)]
    if len(tensors) > 1 and name in ("eq", "ne", "gt", "ge", "lt", "le"):
        raise RuntimeError(f"{name} does not support nested tensor as other value.")
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


def broadcast_to_values(name: str, args: Any, x: NestedTensor) -> list[Any]:
    """Operands of a function, dense tensors among them broadcast to the shape of `x`.

    Raises:
        NotImplementedError: for dense tensors with more dimensions.
        RuntimeError: for sizes that do not belong to the batch.
    """
    return [
        _broadcast(name, args, a, x)
        if isinstance(a, Tensor) and not isinstance(a, NestedTensor)
        else a
        for a in args
    ]


def _broadcast(name: str, args: Any, operand: Tensor, x: NestedTensor) -> Tensor:
    structure, ndim = x._structure, x.dim()
    if not operand.ndim or not isinstance(structure, Jagged):
        return operand
    if operand.ndim > ndim:
        raise NotImplementedError("NYI: broadcasting NT with T with larger dim")
    inner = _without_leading_ones(operand)
    if inner.ndim + 2 <= ndim:
        return inner
    axis = structure.ragged
    if operand.ndim < ndim or operand.shape[0] != structure.batch:
        raise _shapes_differ(name, args)
    if operand.shape[axis] != 1:
        longest = max(n for _, n in structure.spans())
        sizes = list(operand.shape)
        sizes[axis] = longest
        operand = operand.expand(sizes)
    pairs = zip(operand, structure.spans(), strict=True)
    return cat([_resize_row(row, axis - 1, n) for row, (_, n) in pairs], axis - 1)


def _without_leading_ones(x: Tensor) -> Tensor:
    while x.ndim and x.shape[0] == 1:
        x = x.squeeze(0)
    return x


def _shapes_differ(name: str, args: Any) -> RuntimeError:
    shapes = [f"torch.Size([{shape_text(a)}])" for a in args if isinstance(a, Tensor)]
    called = CALLED.get(name, name)
    kind = OVERLOADS.get(called, "Tensor")
    return RuntimeError(
        f"cannot call binary pointwise function {called}.{kind} with inputs of shapes "
        f"{shapes[0]} and {shapes[1]}"
    )


def shape_text(x: Tensor) -> str:
    """The sizes as messages show them."""
    return ", ".join(map(str, x.shape))


CALLED = {"__radd__": "add", "__rsub__": "sub", "__rpow__": "pow"}
OVERLOADS = {
    "pow": "Tensor_Tensor",
    "lerp": "Scalar",
    **dict.fromkeys(
        (
            "atan2", "fmax", "fmin", "heaviside", "hypot", "logaddexp", "logaddexp2",
            "logical_and", "logical_or", "logical_xor", "maximum", "minimum",
            "nextafter",
        ),
        "default",
    ),
}  # fmt: skip


def _resize_row(row: Tensor, axis: int, size: int) -> Tensor:
    """One row, repeated or cut to a part's size."""
    if row.shape[axis] != 1:
        return row.narrow(axis, 0, size)
    sizes = list(row.shape)
    sizes[axis] = size
    return row.expand(sizes)
