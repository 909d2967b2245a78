"""Squares, square roots and reciprocals."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...autograd.dispatch import apply1, apply2
from ...autograd.half_precision import gradient_rounding
from ...kernels import complex_powers
from ...kernels.memory_format import cast_preserving_strides
from ...tensor.tensor import Tensor
from ..promotion import Pointwise, as_floating
from ..registration import copyto, public
from .arithmetic import Mul
from .conjugate import conj
from .powers import pow

__all__ = ["reciprocal", "rsqrt", "sqrt", "square"]


class Sqrt(Pointwise):
    """Square root.

    Math: y = √x      ∂L/∂x = g / (2 y)
    """

    elementwise = True
    ufunc = np.sqrt
    onnx = "Sqrt"
    saves = ()
    saves_output = True
    vectorized = True

    def forward(self, x: Any) -> Any:
        return np.sqrt(as_floating(x))

    def backward(self, g: Any) -> Any:
        return g / (2 * conj(self.output))


@public("sqrt", inplace="sqrt_")
def sqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise square root; nan below 0.

    Math: y = √x      ∂L/∂x = g / (2 y)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.sqrt(torch.tensor([4.0, 2.0]))
        tensor([2.0000, 1.4142])
    """
    result = apply1(Sqrt(), input)
    return result if out is None else copyto(out, result, "sqrt", (input,))


class Rsqrt(Pointwise):
    """Reciprocal of the square root.

    Math: y = 1 / √x      ∂L/∂x = -g · y³ / 2
    """

    elementwise = True
    saves = ()
    saves_output = True

    def forward(self, x: Any) -> Any:
        return complex_powers.reciprocal(np.sqrt(as_floating(x)))

    def backward(self, g: Any) -> Any:
        y = conj(self.output)
        return g * (y * y * y) * -0.5


@public("rsqrt", inplace="rsqrt_")
def rsqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise reciprocal of the square root.

    Math: y = 1 / √x      ∂L/∂x = -g · y³ / 2
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.rsqrt(torch.tensor([4.0, 0.25]))
        tensor([0.5000, 2.0000])
    """
    if _m.special_modes and rsqrt in _m.modes.autocast:
        return _m.autocast(rsqrt, input, out=out)
    result = apply1(Rsqrt(), input)
    return result if out is None else copyto(out, result, "rsqrt", (input,))


class Square(Pointwise):
    """Square.

    Math: y = x²      ∂L/∂x = 2 g · x
    """

    elementwise = True
    torch_name = "Pow"
    complex32_kernel = "pow"

    def forward(self, x: Any) -> Any:
        if x.dtype.kind == "b":
            return cast_preserving_strides(x, np.int64)
        return x * x

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        # Of tensors x^1 is a power, too: it depends on x to one order more than x does.
        return g * conj(pow(x, 1) if isinstance(x, Tensor) else x) * 2


@public("square", inplace="square_")
def square(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise square.

    Math: y = x²      ∂L/∂x = 2 g · x
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.square(torch.tensor([-2, 3]))
        tensor([4, 9])
    """
    result = apply1(Square(), input)
    return result if out is None else copyto(out, result, "square", (input,))


class Reciprocal(Pointwise):
    """The reciprocal 1 / x.

    Math: y = 1 / x      ∂L/∂x = -g · y²
    """

    elementwise = True
    onnx = "Reciprocal"
    saves = ()
    saves_output = True

    def forward(self, x: Any) -> Any:
        return complex_powers.reciprocal(as_floating(x))

    def backward(self, g: Any) -> Any:
        y = conj(self.output)
        square = y * y
        if _m.half_used:
            square = gradient_rounding(self, g)(square)
        return -g * square


@public("__rtruediv__", "__rdiv__")
def _tensor_rtruediv(input: Tensor, other: Any) -> Any:
    """`other / input`, as PyTorch computes it."""
    if (
        type(other) is np.ndarray and other.dtype.kind in "biufc"
    ):  # NumPy's function gives a tensor, too
        try:
            return np.multiply(other, reciprocal(input))
        except TypeError:  # of a dtype that NumPy lacks
            return NotImplemented
    return apply2(Mul(), reciprocal(input), other)


@public("reciprocal", inplace="reciprocal_")
def reciprocal(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `1 / input`.

    Math: y = 1 / x      ∂L/∂x = -g · y²
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.reciprocal(torch.tensor([4.0, 0.5]))
        tensor([0.2500, 2.0000])
    """
    if _m.special_modes and reciprocal in _m.modes.autocast:
        return _m.autocast(reciprocal, input, out=out)
    result = apply1(Reciprocal(), input)
    return result if out is None else copyto(out, result, "reciprocal", (input,))
