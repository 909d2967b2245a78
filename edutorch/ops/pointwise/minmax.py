"""Elementwise maximum and minimum: maximum, minimum, fmax, fmin."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import apply2
from ...tensor.tensor import Tensor
from ..promotion import Pointwise
from ..registration import copyto, public
from .ternary import where

__all__ = ["fmax", "fmin", "maximum", "minimum"]


class _Extreme(Pointwise):
    """Base class of maximum and minimum, which refuse numbers and complex tensors."""

    elementwise = True
    takes_scalars = False
    packs = (1, 0)

    def check(self, a: Any, b: Any) -> None:
        for x in (a, b):
            if isinstance(x, Tensor) and x._data.dtype.kind in "cW":
                raise RuntimeError(
                    f"{self.public} not implemented for complex tensors."
                )


class Maximum(_Extreme):
    """The larger of two; nan if either is nan.

    Math: y = max(a, b)      ∂L/∂a = g where a > b, g / 2 where a = b, else 0
    """

    onnx = "Max"

    def forward(self, a: Any, b: Any) -> Any:
        return np.maximum(a, b)

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        half = where(a == b, g / 2, g)
        return where(a < b, 0, half), where(b < a, 0, half)


@public("maximum")
def maximum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise maximum; nan if either operand is nan.

    Math: y = max(a, b)      ∂L/∂a = g where a > b, g / 2 where a = b, else 0
    Shape: (*), (*) -> (*), broadcast

    Raises:
        RuntimeError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.maximum(torch.tensor([1, 5]), torch.tensor([3, 2]))
        tensor([3, 5])
    """
    result = apply2(Maximum(), input, other)
    return result if out is None else copyto(out, result, "maximum", (input, other))


class Minimum(_Extreme):
    """The smaller of two; nan if either is nan.

    Math: y = min(a, b)      ∂L/∂a = g where a < b, g / 2 where a = b, else 0
    """

    onnx = "Min"

    def forward(self, a: Any, b: Any) -> Any:
        return np.minimum(a, b)

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        half = where(a == b, g / 2, g)
        return where(a > b, 0, half), where(b > a, 0, half)


@public("minimum")
def minimum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise minimum; nan if either operand is nan.

    Math: y = min(a, b)      ∂L/∂a = g where a < b, g / 2 where a = b, else 0
    Shape: (*), (*) -> (*), broadcast

    Raises:
        RuntimeError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.minimum(torch.tensor([1, 5]), torch.tensor([3, 2]))
        tensor([1, 2])
    """
    result = apply2(Minimum(), input, other)
    return result if out is None else copyto(out, result, "minimum", (input, other))


class Fmax(_Extreme):
    """The larger of two; nan only if both are nan.

    Math: y = max(a, b)      ∂L/∂a = g where a >= b or b is nan      ∂L/∂b = g elsewhere
    """

    def forward(self, a: Any, b: Any) -> Any:
        return np.fmax(a, b)

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        first = (a >= b) | (b != b)  # nan differs from itself
        return where(first, g, 0), where(first, 0, g)


@public("fmax")
def fmax(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise maximum; nan only if both operands are nan.

    Math: y = max(a, b)      ∂L/∂a = g where a >= b or b is nan      ∂L/∂b = g elsewhere
    Shape: (*), (*) -> (*), broadcast

    Raises:
        RuntimeError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.fmax(torch.tensor([1.0, float("nan")]), torch.tensor([3.0, 2.0]))
        tensor([3., 2.])
    """
    result = apply2(Fmax(), input, other)
    return result if out is None else copyto(out, result, "fmax", (input, other))


class Fmin(_Extreme):
    """The smaller of two; nan only if both are nan.

    Math: y = min(a, b)      ∂L/∂a = g where a <= b or b is nan      ∂L/∂b = g elsewhere
    """

    def forward(self, a: Any, b: Any) -> Any:
        return np.fmin(a, b)

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        first = (a <= b) | (b != b)  # nan differs from itself
        return where(first, g, 0), where(first, 0, g)


@public("fmin")
def fmin(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise minimum; nan only if both operands are nan.

    Math: y = min(a, b)      ∂L/∂a = g where a <= b or b is nan      ∂L/∂b = g elsewhere
    Shape: (*), (*) -> (*), broadcast

    Raises:
        RuntimeError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.fmin(torch.tensor([1.0, float("nan")]), torch.tensor([3.0, 2.0]))
        tensor([1., 2.])
    """
    result = apply2(Fmin(), input, other)
    return result if out is None else copyto(out, result, "fmin", (input, other))
