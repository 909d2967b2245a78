"""Hyperbolic functions, their inverses, and the sigmoid."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray

from ...autograd import modes as _m
from ...autograd.dispatch import apply1
from ...kernels import activations as kernels
from ...tensor.tensor import Tensor
from ..promotion import Pointwise, as_floating
from ..registration import attach, copyto, public
from .abs_sign import is_complex
from .conjugate import conj
from .roots import rsqrt

__all__ = [
    "acosh", "arccosh", "arcsinh", "arctanh", "asinh", "atanh", "cosh", "sigmoid",
    "sinh", "tanh",
]  # fmt: skip


class Sinh(Pointwise):
    """Hyperbolic sine.

    Math: y = sinh x      ∂L/∂x = g · cosh x
    """

    elementwise = True
    ufunc = np.sinh
    onnx = "Sinh"

    def forward(self, x: Any) -> Any:
        return np.sinh(as_floating(x))

    def backward(self, g: Any) -> Any:
        return g * conj(cosh(self.inputs[0]))


@public("sinh", inplace="sinh_")
def sinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise hyperbolic sine.

    Math: y = sinh x      ∂L/∂x = g · cosh x
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.sinh(torch.tensor([0.0, 1.0]))
        tensor([0.0000, 1.1752])
    """
    if _m.special_modes and sinh in _m.modes.autocast:
        return _m.autocast(sinh, input, out=out)
    result = apply1(Sinh(), input)
    return result if out is None else copyto(out, result, "sinh", (input,))


class Cosh(Pointwise):
    """Hyperbolic cosine.

    Math: y = cosh x      ∂L/∂x = g · sinh x
    """

    elementwise = True
    ufunc = np.cosh
    onnx = "Cosh"

    def forward(self, x: Any) -> Any:
        return np.cosh(as_floating(x))

    def backward(self, g: Any) -> Any:
        return g * conj(sinh(self.inputs[0]))


@public("cosh", inplace="cosh_")
def cosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise hyperbolic cosine.

    Math: y = cosh x      ∂L/∂x = g · sinh x
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.cosh(torch.tensor([0.0, 1.0]))
        tensor([1.0000, 1.5431])
    """
    if _m.special_modes and cosh in _m.modes.autocast:
        return _m.autocast(cosh, input, out=out)
    result = apply1(Cosh(), input)
    return result if out is None else copyto(out, result, "cosh", (input,))


class Tanh(Pointwise):
    """Hyperbolic tangent.

    Math: y = tanh x      ∂L/∂x = g · (1 - y²)
    """

    __slots__ = ()

    elementwise = True
    ufunc = np.tanh
    blocks_backward = False
    onnx = "Tanh"
    saves = ()
    saves_output = True
    vectorized = True

    def forward(self, x: Any) -> Any:
        return np.tanh(as_floating(x))

    def backward(self, g: Any) -> Any:
        if type(g) is ndarray and g.dtype.kind == "f":
            return kernels.tanh_gradient(g, self.output)
        y = conj(self.output)
        return g * (1 - y * y)


@public("tanh", inplace="tanh_")
def tanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise hyperbolic tangent.

    Math: y = tanh x      ∂L/∂x = g · (1 - y²)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.tanh(torch.tensor([0.0, 1.0]))
        tensor([0.0000, 0.7616])
    """
    result = apply1(Tanh(), input)
    return result if out is None else copyto(out, result, "tanh", (input,))


class Sigmoid(Pointwise):
    """Logistic function.

    Math: y = 1 / (1 + e^-x)      ∂L/∂x = g · y · (1 - y)
    """

    __slots__ = ()

    onnx = "Sigmoid"
    saves = ()
    saves_output = True
    float8_kernel = "sigmoid_cpu_reduced_float"

    def forward(self, x: Any) -> Any:
        return kernels.sigmoid(as_floating(x))

    def backward(self, g: Any) -> Any:
        if type(g) is ndarray and g.dtype.kind == "f":
            return kernels.sigmoid_gradient(g, self.output)
        y = conj(self.output)
        return g * (y * (1 - y))


@public("sigmoid", inplace="sigmoid_")
def sigmoid(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise logistic function, from 0 to 1.

    Math: y = 1 / (1 + e^-x)      ∂L/∂x = g · y · (1 - y)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.sigmoid(torch.tensor([0.0, 2.0]))
        tensor([0.5000, 0.8808])
    """
    result = apply1(Sigmoid(), input)
    return result if out is None else copyto(out, result, "sigmoid", (input,))


class Asinh(Pointwise):
    """Inverse hyperbolic sine.

    Math: y = asinh x      ∂L/∂x = g / √(x² + 1)
    """

    elementwise = True
    ufunc = np.arcsinh
    onnx = "Asinh"

    def forward(self, x: Any) -> Any:
        return np.arcsinh(as_floating(x))

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        return g * conj((x * x + 1) ** -0.5)


@public("asinh", "arcsinh", inplace="asinh_")
def asinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise inverse hyperbolic sine.

    Math: y = asinh x      ∂L/∂x = g / √(x² + 1)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.asinh(torch.tensor([0.0, 1.0]))
        tensor([0.0000, 0.8814])
    """
    result = apply1(Asinh(), input)
    return result if out is None else copyto(out, result, "asinh", (input,))


arcsinh = asinh
attach(arcsinh_=Tensor.asinh_)


class Acosh(Pointwise):
    """Inverse hyperbolic cosine.

    Math: y = acosh x      ∂L/∂x = g / (√(x - 1) · √(x + 1))
    """

    elementwise = True
    ufunc = np.arccosh
    onnx = "Acosh"

    def forward(self, x: Any) -> Any:
        return np.arccosh(as_floating(x))

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        if is_complex(x):  # separate roots, for the right branch
            return g * conj(rsqrt(x - 1) * rsqrt(x + 1))
        return g * rsqrt(x * x - 1)


@public("acosh", "arccosh", inplace="acosh_")
def acosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise inverse hyperbolic cosine; nan below 1.

    Math: y = acosh x      ∂L/∂x = g / (√(x - 1) · √(x + 1))
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.acosh(torch.tensor([1.0, 2.0]))
        tensor([0.0000, 1.3170])
    """
    result = apply1(Acosh(), input)
    return result if out is None else copyto(out, result, "acosh", (input,))


arccosh = acosh
attach(arccosh_=Tensor.acosh_)


class Atanh(Pointwise):
    """Inverse hyperbolic tangent.

    Math: y = atanh x      ∂L/∂x = g / (1 - x²)
    """

    elementwise = True
    ufunc = np.arctanh
    onnx = "Atanh"

    def forward(self, x: Any) -> Any:
        return np.arctanh(as_floating(x))

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        return g / conj(1 - x * x)


@public("atanh", "arctanh", inplace="atanh_")
def atanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise inverse hyperbolic tangent; nan outside [-1, 1].

    Math: y = atanh x      ∂L/∂x = g / (1 - x²)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.atanh(torch.tensor([0.0, 0.5]))
        tensor([0.0000, 0.5493])
    """
    result = apply1(Atanh(), input)
    return result if out is None else copyto(out, result, "atanh", (input,))


arctanh = atanh
attach(arctanh_=Tensor.atanh_)
