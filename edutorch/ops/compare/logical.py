"""Logical operations, for which nonzero numbers are true."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd.dispatch import apply1, apply2
from ...tensor.tensor import Tensor
from ..promotion import Pointwise, common_dtype, promoted, refuse_dtype
from ..registration import copyto, public

__all__ = ["logical_and", "logical_not", "logical_or", "logical_xor"]


class _Logical(Pointwise):
    """Base class: tensors keep their dtypes; only whether elements are 0 matters."""

    differentiable = False
    takes_scalars = False
    gives_bool = True

    def promote(self, x: Any, y: Any) -> tuple[Any, Any]:
        if common_dtype(x, y) is dtypes.complex32:
            refuse_dtype(f"{self.public}_cpu", dtypes.complex32)
        if (np.ndim(x) == 0) is not (np.ndim(y) == 0) and x.dtype != y.dtype:
            return promoted(x, y)  # where a number may become 0
        return x, y


class LogicalAnd(_Logical):
    """Whether both are true."""

    onnx = "And"

    def forward(self, a: Any, b: Any) -> Any:
        return np.logical_and(a, b)


@public("logical_and", inplace="logical_and_")
def logical_and(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise whether both are true (not 0).

    Math: y = (a ≠ 0) ∧ (b ≠ 0)
    Shape: (*), (*) -> (*), bool, broadcast

    Example:
        >>> import edutorch as torch
        >>> torch.logical_and(torch.tensor([0, 1, 2]), torch.tensor([1, 0, 3]))
        tensor([False, False,  True])
    """
    result = apply2(LogicalAnd(), input, other)
    return result if out is None else copyto(out, result, "logical_and", (input, other))


class LogicalOr(_Logical):
    """Whether one or both are true."""

    onnx = "Or"

    def forward(self, a: Any, b: Any) -> Any:
        return np.logical_or(a, b)


@public("logical_or", inplace="logical_or_")
def logical_or(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise whether one or both are true (not 0).

    Math: y = (a ≠ 0) ∨ (b ≠ 0)
    Shape: (*), (*) -> (*), bool, broadcast

    Example:
        >>> import edutorch as torch
        >>> torch.logical_or(torch.tensor([0, 1, 0]), torch.tensor([1, 0, 0]))
        tensor([ True,  True, False])
    """
    result = apply2(LogicalOr(), input, other)
    return result if out is None else copyto(out, result, "logical_or", (input, other))


class LogicalXor(_Logical):
    """Whether exactly one is true."""

    onnx = "Xor"

    def forward(self, a: Any, b: Any) -> Any:
        return np.logical_xor(a, b)


@public("logical_xor", inplace="logical_xor_")
def logical_xor(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise whether exactly one is true (not 0).

    Math: y = ((a ≠ 0) ≠ (b ≠ 0))
    Shape: (*), (*) -> (*), bool, broadcast

    Example:
        >>> import edutorch as torch
        >>> torch.logical_xor(torch.tensor([0, 1, 2]), torch.tensor([1, 0, 3]))
        tensor([ True,  True, False])
    """
    result = apply2(LogicalXor(), input, other)
    return result if out is None else copyto(out, result, "logical_xor", (input, other))


class LogicalNot(Pointwise):
    """Whether an element is 0."""

    onnx = "Not"
    differentiable = False

    def forward(self, x: Any) -> Any:
        return np.logical_not(x)


@public("logical_not", inplace="logical_not_")
def logical_not(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise whether `input` is false (0).

    Math: y = (x = 0)
    Shape: (*) -> (*), bool

    Example:
        >>> import edutorch as torch
        >>> torch.logical_not(torch.tensor([0, 1, 2]))
        tensor([ True, False, False])
    """
    result = apply1(LogicalNot(), input)
    return result if out is None else copyto(out, result, "logical_not", (input,))
