"""Trigonometric functions and their inverses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...autograd.dispatch import apply1, apply2
from ...tensor.tensor import Tensor
from ..promotion import Pointwise, as_floating, promoted_floating, refuse_integral
from ..registration import attach, copyto, public
from .conjugate import conj
from .roots import rsqrt
from .ternary import where

__all__ = [
    "acos", "arccos", "arcsin", "arctan", "arctan2", "asin", "atan", "atan2", "cos",
    "deg2rad", "hypot", "rad2deg", "sin", "sinc", "tan",
]  # fmt: skip


class Sin(Pointwise):
    """Sine.

    Math: y = sin x      ∂L/∂x = g · cos x
    """

    elementwise = True
    ufunc = np.sin
    onnx = "Sin"
    vectorized = True

    def forward(self, x: Any) -> Any:
        return np.sin(as_floating(x))

    def backward(self, g: Any) -> Any:
        return g * conj(cos(self.inputs[0]))


@public("sin", inplace="sin_")
def sin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise sine of angles in radians.

    Math: y = sin x      ∂L/∂x = g · cos x
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.sin(torch.tensor([0.0, 1.0]))
        tensor([0.0000, 0.8415])
    """
    result = apply1(Sin(), input)
    return result if out is None else copyto(out, result, "sin", (input,))


class Cos(Pointwise):
    """Cosine.

    Math: y = cos x      ∂L/∂x = -g · sin x
    """

    elementwise = True
    ufunc = np.cos
    onnx = "Cos"
    vectorized = True

    def forward(self, x: Any) -> Any:
        return np.cos(as_floating(x))

    def backward(self, g: Any) -> Any:
        return -g * conj(sin(self.inputs[0]))


@public("cos", inplace="cos_")
def cos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise cosine of angles in radians.

    Math: y = cos x      ∂L/∂x = -g · sin x
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.cos(torch.tensor([0.0, 1.0]))
        tensor([1.0000, 0.5403])
    """
    result = apply1(Cos(), input)
    return result if out is None else copyto(out, result, "cos", (input,))


class Tan(Pointwise):
    """Tangent.

    Math: y = tan x      ∂L/∂x = g · (1 + y²)
    """

    elementwise = True
    ufunc = np.tan
    onnx = "Tan"
    saves = ()
    saves_output = True
    vectorized = True

    def forward(self, x: Any) -> Any:
        return np.tan(as_floating(x))

    def backward(self, g: Any) -> Any:
        y = conj(self.output)
        return g * (y * y + 1)


@public("tan", inplace="tan_")
def tan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise tangent of angles in radians.

    Math: y = tan x      ∂L/∂x = g · (1 + y²)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.tan(torch.tensor([0.0, 1.0]))
        tensor([0.0000, 1.5574])
    """
    if _m.special_modes and tan in _m.modes.autocast:
        return _m.autocast(tan, input, out=out)
    result = apply1(Tan(), input)
    return result if out is None else copyto(out, result, "tan", (input,))


class Asin(Pointwise):
    """Inverse sine.

    Math: y = asin x      ∂L/∂x = g / √(1 - x²)
    """

    elementwise = True
    ufunc = np.arcsin
    onnx = "Asin"
    vectorized = True

    def forward(self, x: Any) -> Any:
        return np.arcsin(as_floating(x))

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        return g * conj(rsqrt(1 - x * x))


@public("asin", "arcsin", inplace="asin_")
def asin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise inverse sine, in [-π/2, π/2]; nan outside [-1, 1].

    Math: y = asin x      ∂L/∂x = g / √(1 - x²)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.asin(torch.tensor([0.0, 1.0]))
        tensor([0.0000, 1.5708])
    """
    if _m.special_modes and asin in _m.modes.autocast:
        return _m.autocast(asin, input, out=out)
    result = apply1(Asin(), input)
    return result if out is None else copyto(out, result, "asin", (input,))


arcsin = asin
attach(arcsin_=Tensor.asin_)


class Acos(Pointwise):
    """Inverse cosine.

    Math: y = acos x      ∂L/∂x = -g / √(1 - x²)
    """

    elementwise = True
    ufunc = np.arccos
    onnx = "Acos"
    vectorized = True

    def forward(self, x: Any) -> Any:
        return np.arccos(as_floating(x))

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        return -g * conj(rsqrt(1 - x * x))


@public("acos", "arccos", inplace="acos_")
def acos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise inverse cosine, in [0, π]; nan outside [-1, 1].

    Math: y = acos x      ∂L/∂x = -g / √(1 - x²)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.acos(torch.tensor([0.0, 1.0]))
        tensor([1.5708, 0.0000])
    """
    if _m.special_modes and acos in _m.modes.autocast:
        return _m.autocast(acos, input, out=out)
    result = apply1(Acos(), input)
    return result if out is None else copyto(out, result, "acos", (input,))


arccos = acos
attach(arccos_=Tensor.acos_)


class Atan(Pointwise):
    """Inverse tangent.

    Math: y = atan x      ∂L/∂x = g / (1 + x²)
    """

    elementwise = True
    ufunc = np.arctan
    onnx = "Atan"
    vectorized = True

    def forward(self, x: Any) -> Any:
        return np.arctan(as_floating(x))

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        return g / conj(x * x + 1)


@public("atan", "arctan", inplace="atan_")
def atan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise inverse tangent, in [-π/2, π/2].

    Math: y = atan x      ∂L/∂x = g / (1 + x²)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.atan(torch.tensor([0.0, 1.0]))
        tensor([0.0000, 0.7854])
    """
    result = apply1(Atan(), input)
    return result if out is None else copyto(out, result, "atan", (input,))


arctan = atan
attach(arctan_=Tensor.atan_)


class Atan2(Pointwise):
    """The angle of the point (b, a).

    Math: y = atan2(a, b)      ∂L/∂a = g · b / (a² + b²)      ∂L/∂b = -g · a / (a² + b²)
    """

    takes_scalars = False
    packs = (1, 0)

    def promote(self, x: Any, y: Any) -> tuple[Any, Any]:
        return promoted_floating(x, y)

    def forward(self, a: Any, b: Any) -> Any:
        return np.arctan2(as_floating(a), as_floating(b))

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        square = a * a + b * b
        scaled = where(square == 0, 0, g / square)
        return scaled * b, scaled * -a if self.needs[1] else None


@public("atan2", "arctan2", inplace="atan2_")
def atan2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise angle of the point (`other`, `input`), in [-π, π].

    Math: y = atan2(a, b)      ∂L/∂a = g · b / (a² + b²)      ∂L/∂b = -g · a / (a² + b²)
    Shape: (*), (*) -> (*), broadcast

    Example:
        >>> import edutorch as torch
        >>> torch.atan2(torch.tensor([1.0, -1.0]), torch.tensor([0.0, -1.0]))
        tensor([ 1.5708, -2.3562])
    """
    if _m.special_modes and atan2 in _m.modes.autocast:
        return _m.autocast(atan2, input, other, out=out)
    result = apply2(Atan2(), input, other)
    return result if out is None else copyto(out, result, "atan2", (input, other))


arctan2 = atan2
attach(arctan2_=Tensor.atan2_)


class Hypot(Pointwise):
    """The length of the vector (a, b).

    Math: y = √(a² + b²)      ∂L/∂a = g · a / y      ∂L/∂b = g · b / y
    """

    takes_scalars = False
    packs = (1, 0)
    saves_output = True
    saves_for = {0: 0, 1: 1}  # noqa: RUF012 (a table, not a state)

    def check(self, a: Any, b: Any) -> None:
        refuse_integral("hypot_cpu", a, b)

    def forward(self, a: Any, b: Any) -> Any:
        return np.hypot(a, b)

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        scaled = g / self.output
        return scaled * a if self.needs[0] else None, scaled * b if self.needs[
            1
        ] else None


@public("hypot", inplace="hypot_")
def hypot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise length of the hypotenuse, without overflow.

    Math: y = √(a² + b²)      ∂L/∂a = g · a / y      ∂L/∂b = g · b / y
    Shape: (*), (*) -> (*), broadcast

    Raises:
        NotImplementedError: for integers.

    Example:
        >>> import edutorch as torch
        >>> torch.hypot(torch.tensor([3.0]), torch.tensor([4.0]))
        tensor([5.])
    """
    result = apply2(Hypot(), input, other)
    return result if out is None else copyto(out, result, "hypot", (input, other))


class Sinc(Pointwise):
    """The normalised sinc function.

    Math: y = sin(πx) / (πx), 1 at 0      ∂L/∂x = g · (cos(πx) - y) / x, 0 at 0
    """

    def forward(self, x: Any) -> Any:
        return np.sinc(as_floating(x))

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        if isinstance(g, Tensor) or x.dtype.char not in "fF":
            return self.gradient(g, x)
        # Near 0 the terms cancel, and little of single precision would remain.
        wide = x.astype(np.result_type(x.dtype, np.float64))
        return self.gradient(g, wide).astype(x.dtype)

    def gradient(self, g: Any, x: Any) -> Any:
        """The gradient, with the terms and the rounding of PyTorch."""
        angle, square = x * math.pi, x * x * math.pi
        opposite = sin(angle)  # first, for the order in which gradients are added
        derivative = (angle * cos(angle) - opposite) / square
        return where(square == 0, 0, g * conj(derivative))


@public("sinc", inplace="sinc_")
def sinc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `sin(πx) / (πx)`, which is 1 at 0.

    Math: y = sin(πx) / (πx), 1 at 0      ∂L/∂x = g · (cos(πx) - y) / x, 0 at 0
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.sinc(torch.tensor([0.0, 0.5]))
        tensor([1.0000, 0.6366])
    """
    result = apply1(Sinc(), input)
    return result if out is None else copyto(out, result, "sinc", (input,))


class Deg2rad(Pointwise):
    """Degrees to radians.

    Math: y = x · π / 180      ∂L/∂x = g · π / 180
    """

    torch_name = "Deg2Rad"
    saves = ()
    factor = math.pi / 180

    def check(self, x: Any) -> None:
        if x._data.dtype.kind in "cW":
            raise RuntimeError(f"{self.public} is not supported for complex tensors.")

    def forward(self, x: Any) -> Any:
        return as_floating(x) * self.factor

    def backward(self, g: Any) -> Any:
        return g * self.factor


class Rad2deg(Deg2rad):
    """Radians to degrees.

    Math: y = x · 180 / π      ∂L/∂x = g · 180 / π
    """

    torch_name = "Rad2Deg"
    factor = 180 / math.pi


@public("deg2rad", inplace="deg2rad_")
def deg2rad(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Degrees to radians.

    Math: y = x · π / 180      ∂L/∂x = g · π / 180
    Shape: (*) -> (*)

    Raises:
        RuntimeError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.deg2rad(torch.tensor([180.0]))
        tensor([3.1416])
    """
    result = apply1(Deg2rad(), input)
    return result if out is None else copyto(out, result, "deg2rad", (input,))


@public("rad2deg", inplace="rad2deg_")
def rad2deg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Radians to degrees.

    Math: y = x · 180 / π      ∂L/∂x = g · 180 / π
    Shape: (*) -> (*)

    Raises:
        RuntimeError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.rad2deg(torch.tensor([3.0]))
        tensor([171.8873])
    """
    result = apply1(Rad2deg(), input)
    return result if out is None else copyto(out, result, "rad2deg", (input,))
