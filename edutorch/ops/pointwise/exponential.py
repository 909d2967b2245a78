"""Exponentials and logarithms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...autograd.dispatch import apply1, apply2
from ...backends.meta import MetaArray
from ...kernels import activations as kernels
from ...kernels.memory_format import match_strides
from ...tensor.tensor import Tensor
from ..promotion import Pointwise, as_floating, promoted_floating, refuse_integral
from ..registration import copyto, public
from .conjugate import conj

__all__ = [
    "exp", "exp2", "expm1", "log", "log10", "log1p", "log2", "logaddexp", "logaddexp2",
]  # fmt: skip

LN2 = math.log(2)
LN10 = math.log(10)


def product_or_zero(a: Any, b: Any, log: Any) -> Any:
    """`a * log`, 0 where a is 0, and nan where b is nan, in the order of a and b.

    On the meta device, the order is that of the choice between them, as in PyTorch.
    """
    y = np.where(np.isnan(b), b, np.where(a == 0, a.dtype.type(0), a * log))
    return y if type(y) is MetaArray else match_strides(y, a, b)


class Exp(Pointwise):
    """e to the power of x.

    Math: y = exp(x)      ∂L/∂x = g · y
    """

    __slots__ = ()

    elementwise = True
    ufunc = np.exp
    onnx = "Exp"
    saves = ()
    saves_output = True
    vectorized = True

    def forward(self, x: Any) -> Any:
        return np.exp(as_floating(x))

    def backward(self, g: Any) -> Any:
        return g * conj(self.output)


@public("exp", inplace="exp_")
def exp(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise e to the power of `input`.

    Math: y = exp(x)      ∂L/∂x = g · y
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.exp(torch.tensor([0.0, 1.0]))
        tensor([1.0000, 2.7183])
    """
    if _m.special_modes and exp in _m.modes.autocast:
        return _m.autocast(exp, input, out=out)
    result = apply1(Exp(), input)
    return result if out is None else copyto(out, result, "exp", (input,))


class Exp2(Pointwise):
    """2 to the power of x.

    Math: y = 2^x      ∂L/∂x = g · y · ln 2
    """

    elementwise = True
    ufunc = np.exp2
    saves = ()
    saves_output = True
    complex32_kernel = "exp2"

    def forward(self, x: Any) -> Any:
        return np.exp2(as_floating(x))

    def backward(self, g: Any) -> Any:
        return g * conj(self.output) * LN2


@public("exp2", inplace="exp2_")
def exp2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise 2 to the power of `input`.

    Math: y = 2^x      ∂L/∂x = g · y · ln 2
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.exp2(torch.tensor([0.0, 3.0]))
        tensor([1., 8.])
    """
    result = apply1(Exp2(), input)
    return result if out is None else copyto(out, result, "exp2", (input,))


class Expm1(Pointwise):
    """exp(x) - 1, accurate near 0.

    Math: y = exp(x) - 1      ∂L/∂x = g · (y + 1)
    """

    saves = ()
    saves_output = True
    vectorized = True

    def forward(self, x: Any) -> Any:
        return kernels.expm1(as_floating(x))

    def backward(self, g: Any) -> Any:
        return g * (conj(self.output) + 1)


@public("expm1", inplace="expm1_")
def expm1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `exp(input) - 1`, without cancellation near 0.

    Math: y = exp(x) - 1      ∂L/∂x = g · (y + 1)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.expm1(torch.tensor([0.0, 1.0]))
        tensor([0.0000, 1.7183])
    """
    if _m.special_modes and expm1 in _m.modes.autocast:
        return _m.autocast(expm1, input, out=out)
    result = apply1(Expm1(), input)
    return result if out is None else copyto(out, result, "expm1", (input,))


class Log(Pointwise):
    """Natural logarithm.

    Math: y = ln x      ∂L/∂x = g / x
    """

    __slots__ = ()

    elementwise = True
    ufunc = np.log
    onnx = "Log"
    vectorized = True

    def forward(self, x: Any) -> Any:
        return np.log(as_floating(x))

    def backward(self, g: Any) -> Any:
        return g / conj(self.inputs[0])


@public("log", inplace="log_")
def log(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise natural logarithm; nan below 0.

    Math: y = ln x      ∂L/∂x = g / x
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.log(torch.tensor([1.0, 0.0, -1.0]))
        tensor([0., -inf, nan])
    """
    if _m.special_modes and log in _m.modes.autocast:
        return _m.autocast(log, input, out=out)
    result = apply1(Log(), input)
    return result if out is None else copyto(out, result, "log", (input,))


class Log2(Pointwise):
    """Logarithm to base 2.

    Math: y = ln x / ln 2      ∂L/∂x = g / (x · ln 2)
    """

    elementwise = True
    ufunc = np.log2
    vectorized = True

    def forward(self, x: Any) -> Any:
        return np.log2(as_floating(x))

    def backward(self, g: Any) -> Any:
        return g / (conj(self.inputs[0]) * LN2)


@public("log2", inplace="log2_")
def log2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise logarithm to base 2.

    Math: y = ln x / ln 2      ∂L/∂x = g / (x · ln 2)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.log2(torch.tensor([1.0, 8.0]))
        tensor([0., 3.])
    """
    if _m.special_modes and log2 in _m.modes.autocast:
        return _m.autocast(log2, input, out=out)
    result = apply1(Log2(), input)
    return result if out is None else copyto(out, result, "log2", (input,))


class Log10(Pointwise):
    """Logarithm to base 10.

    Math: y = ln x / ln 10      ∂L/∂x = g / (x · ln 10)
    """

    elementwise = True
    ufunc = np.log10
    vectorized = True

    def forward(self, x: Any) -> Any:
        return np.log10(as_floating(x))

    def backward(self, g: Any) -> Any:
        return g / (conj(self.inputs[0]) * LN10)


@public("log10", inplace="log10_")
def log10(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise logarithm to base 10.

    Math: y = ln x / ln 10      ∂L/∂x = g / (x · ln 10)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.log10(torch.tensor([2.0, 20.0]))
        tensor([0.3010, 1.3010])
    """
    if _m.special_modes and log10 in _m.modes.autocast:
        return _m.autocast(log10, input, out=out)
    result = apply1(Log10(), input)
    return result if out is None else copyto(out, result, "log10", (input,))


class Log1p(Pointwise):
    """ln(1 + x), accurate near 0.

    Math: y = ln(1 + x)      ∂L/∂x = g / (1 + x)
    """

    elementwise = True
    ufunc = np.log1p
    torch_name = "Log1P"
    vectorized = True

    def forward(self, x: Any) -> Any:
        return np.log1p(as_floating(x))

    def backward(self, g: Any) -> Any:
        return g / (conj(self.inputs[0]) + 1)


@public("log1p", inplace="log1p_")
def log1p(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `log(1 + input)`, accurate near 0.

    Math: y = ln(1 + x)      ∂L/∂x = g / (1 + x)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.log1p(torch.tensor([0.0, 1.0]))
        tensor([0.0000, 0.6931])
    """
    if _m.special_modes and log1p in _m.modes.autocast:
        return _m.autocast(log1p, input, out=out)
    result = apply1(Log1p(), input)
    return result if out is None else copyto(out, result, "log1p", (input,))


class LogAddExp(Pointwise):
    """Logarithm of the sum of two exponentials.

    Math: y = ln(e^a + e^b)
          ∂L/∂a = g / (1 + e^(b-a))      ∂L/∂b = g / (1 + e^(a-b))
    """

    public = "logaddexp"
    torch_name = "Logaddexp"
    takes_scalars = False

    def check(self, a: Any, b: Any) -> None:
        refuse_integral(f"{self.public}_cpu", a, b)

    def promote(self, x: Any, y: Any) -> tuple[Any, Any]:
        return promoted_floating(x, y)

    def forward(self, a: Any, b: Any) -> Any:
        return complex_logaddexp(a, b) if a.dtype.kind in "cW" else np.logaddexp(a, b)

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        return g / conj(exp(b - a) + 1), g / conj(exp(a - b) + 1)


def complex_logaddexp(a: Any, b: Any) -> Any:
    """`logaddexp` of complex arrays, with the larger exponent factored out."""
    larger = a.real >= b.real
    most, least = np.where(larger, a, b), np.where(larger, b, a)
    same = (a == b) & np.isinf(a.real)  # their difference would be nan
    return np.where(same, a, most + np.log1p(np.exp(least - most)))


@public("logaddexp")
def logaddexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise logarithm of `exp(input) + exp(other)`, without overflow.

    Math: y = ln(e^a + e^b)
          ∂L/∂a = g / (1 + e^(b-a))      ∂L/∂b = g / (1 + e^(a-b))
    Shape: (*), (*) -> (*), broadcast

    Raises:
        NotImplementedError: for integers.

    Example:
        >>> import edutorch as torch
        >>> torch.logaddexp(torch.tensor([0.0, 1000.0]), torch.tensor([0.0, 1000.0]))
        tensor([6.9315e-01, 1.0007e+03])
    """
    result = apply2(LogAddExp(), input, other)
    return result if out is None else copyto(out, result, "logaddexp", (input, other))


class LogAddExp2(LogAddExp):
    """Logarithm to base 2 of the sum of two powers of 2.

    Math: y = log2(2^a + 2^b)
          ∂L/∂a = g / (1 + 2^(b-a))      ∂L/∂b = g / (1 + 2^(a-b))
    """

    public = "logaddexp2"
    torch_name = "Logaddexp2"

    def forward(self, a: Any, b: Any) -> Any:
        return np.logaddexp2(a, b)

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        return g / (exp2(b - a) + 1), g / (exp2(a - b) + 1)


@public("logaddexp2")
def logaddexp2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise logarithm to base 2 of `2^input + 2^other`.

    Math: y = log2(2^a + 2^b)
          ∂L/∂a = g / (1 + 2^(b-a))      ∂L/∂b = g / (1 + 2^(a-b))
    Shape: (*), (*) -> (*), broadcast

    Raises:
        NotImplementedError: for integers.

    Example:
        >>> import edutorch as torch
        >>> torch.logaddexp2(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0]))
        tensor([2., 3.])
    """
    result = apply2(LogAddExp2(), input, other)
    return result if out is None else copyto(out, result, "logaddexp2", (input, other))
