"""Hard approximations of activations, and shrinkage functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import apply1
from ...autograd.half_precision import half_rounding
from ...autograd.inplace_variants import in_place
from ...dtypes import finfo, float64
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors, number_of
from ..argument_errors import parser_errors
from ..number_ranges import overflow_error
from ..pointwise.abs_sign import abs
from ..pointwise.hyperbolic import tanh
from ..pointwise.ternary import masked, where
from ..registration import copyto, public
from .floating_only import FloatingPointwise

__all__ = [
    "hardshrink", "hardsigmoid", "hardswish", "softshrink", "softsign", "tanhshrink",
]  # fmt: skip


class Hardsigmoid(FloatingPointwise):
    """A piecewise linear approximation of the sigmoid.

    Math: y = min(max(x / 6 + 1/2, 0), 1)      ∂L/∂x = g / 6 where -3 < x < 3, else 0
    """

    double_backward = "aten::hardsigmoid_backward"
    kernel = "hardsigmoid_cpu"
    onnx = "HardSigmoid"

    def forward(self, x: Any) -> Any:
        return (np.clip(x + 3, 0, 6) / 6).astype(x.dtype, copy=False)

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        return masked(g / 6, (x > -3) & (x < 3))


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """An elementwise, piecewise linear approximation of the sigmoid.

    Math: y = min(max(x / 6 + 1/2, 0), 1)      ∂L/∂x = g / 6 where -3 < x < 3, else 0
    Shape: (*) -> (*)
    Reference: Courbariaux et al., 2015

    Raises:
        NotImplementedError: for integers, booleans and complex numbers.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.ops.activations import hardsigmoid
        >>> hardsigmoid(torch.tensor([-4.0, 0.0, 4.0]))
        tensor([0.0000, 0.5000, 1.0000])
    """
    return _hardsigmoid_(input) if inplace else apply1(Hardsigmoid(), input)


_hardsigmoid_ = in_place(hardsigmoid, "hardsigmoid_")


class Hardswish(FloatingPointwise):
    """x times its hard sigmoid.

    Math: y = x · min(max(x + 3, 0), 6) / 6
          ∂L/∂x = 0 where x <= -3, g where x >= 3, else g · (x / 3 + 1/2)
    Reference: Howard et al., 2019
    """

    kernel = "hardswish_cpu"
    onnx = "HardSwish"

    def forward(self, x: Any) -> Any:
        return (x * np.clip(x + 3, 0, 6) / 6).astype(x.dtype, copy=False)

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        return where(x <= -3, 0, where(x >= 3, g, g * (x / 3 + 0.5)))


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """Elementwise `input * hardsigmoid(input)`.

    Math: y = x · min(max(x + 3, 0), 6) / 6
          ∂L/∂x = 0 where x <= -3, g where x >= 3, else g · (x / 3 + 1/2)
    Shape: (*) -> (*)
    Reference: Howard et al., 2019

    Raises:
        NotImplementedError: for integers, booleans and complex numbers.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.ops.activations import hardswish
        >>> hardswish(torch.tensor([-4.0, 1.0, 4.0]))
        tensor([-0.0000,  0.6667,  4.0000])
    """
    return _hardswish_(input) if inplace else apply1(Hardswish(), input)


_hardswish_ = in_place(hardswish, "hardswish_")


class Hardshrink(FloatingPointwise):
    """Sets numbers near 0 to 0.

    Math: y = x where |x| > λ, else 0      ∂L/∂x = g where |x| > λ, else 0
    """

    double_backward = "every_order"
    kernel = "hardshrink_cpu"
    onnx = "Shrink"
    attributes = ("lambd",)

    def __init__(self, lambd: float) -> None:
        self.lambd = self.limit = lambd

    def check(self, x: Any, *_: Any) -> None:
        """Round λ to the dtype of x, in which PyTorch compares."""
        super().check(x)
        if isinstance(self.lambd, complex):
            raise overflow_error(x.dtype)
        r = half_rounding(x)
        self.limit = self.lambd if r is None else float(r(self.lambd))

    def forward(self, x: Any) -> Any:
        near = (x >= -self.limit) & (x <= self.limit)
        return np.where(near, x.dtype.type(0), x)

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        return where((x >= -self.limit) & (x <= self.limit), 0, g)


@public("hardshrink")
def hardshrink(
    input: Tensor, lambd: float = 0.5, *, out: Tensor | None = None
) -> Tensor:
    """Sets elements in [-`lambd`, `lambd`] to 0.

    Math: y = x where |x| > λ, else 0      ∂L/∂x = g where |x| > λ, else 0
    Shape: (*) -> (*)
    Reference: Donoho and Johnstone, 1994

    Raises:
        NotImplementedError: for integers, booleans and complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.hardshrink(torch.tensor([-1.0, 0.25, 0.75]))
        tensor([-1.0000,  0.0000,  0.7500])
    """
    lambd = number_of(lambd, "lambd", "hardshrink")
    result = apply1(Hardshrink(lambd), input)
    return result if out is None else copyto(out, result, "hardshrink", (input,))


class Softshrink(Hardshrink):
    """Shrinks numbers towards 0.

    Math: y = x - λ where x > λ, x + λ where x < -λ, else 0
          ∂L/∂x = g where |x| > λ, else 0
    """

    kernel = "softshrink_check"
    onnx = ""

    def forward(self, x: Any) -> Any:
        lambd = self.lambd
        zero = x * 0  # nan stays nan
        y = np.where(x > lambd, x - lambd, np.where(x < -lambd, x + lambd, zero))
        return y.astype(x.dtype, copy=False)


def softshrink(
    input: Tensor, lambd: float = 0.5, *, out: Tensor | None = None
) -> Tensor:
    """Shrinks elements towards 0 by `lambd`; those within `lambd` of 0 become 0.

    Math: y = x - λ where x > λ, x + λ where x < -λ, else 0
          ∂L/∂x = g where |x| > λ, else 0
    Shape: (*) -> (*)
    Reference: Donoho and Johnstone, 1994

    Raises:
        RuntimeError: if `lambd` is negative.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.ops.activations import softshrink
        >>> softshrink(torch.tensor([-1.0, 0.25, 0.75]))
        tensor([-0.5000,  0.0000,  0.2500])
    """
    need_tensors("softshrink", input=input)
    lambd = number_of(lambd, "lambd", "softshrink")
    if isinstance(lambd, complex):
        raise overflow_error(float64)
    if input.is_floating_point() and not 0 <= lambd <= finfo(input.dtype).max:
        raise RuntimeError(
            f"lambda must be in range [0, {finfo(input.dtype).max:g}] for input dtype "
            f"{input.dtype.short}, but found {lambd:g}"
        )
    result = apply1(Softshrink(lambd), input)
    return result if out is None else copyto(out, result, "softshrink", (input,))


@parser_errors
def tanhshrink(input: Tensor) -> Tensor:
    """Elementwise `input - tanh(input)`.

    Math: y = x - tanh x      ∂L/∂x = g · tanh² x
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> from edutorch.ops.activations import tanhshrink
        >>> tanhshrink(torch.tensor([0.0, 1.0]))
        tensor([0.0000, 0.2384])
    """
    return input - tanh(input)


@parser_errors
def softsign(input: Tensor) -> Tensor:
    """Elementwise `input / (1 + |input|)`.

    Math: y = x / (1 + |x|)      ∂L/∂x = g / (1 + |x|)²
    Shape: (*) -> (*)
    Reference: Bergstra et al., 2009

    Example:
        >>> import edutorch as torch
        >>> from edutorch.ops.activations import softsign
        >>> softsign(torch.tensor([-1.0, 3.0]))
        tensor([-0.5000,  0.7500])
    """
    return input / (abs(input) + 1)
