"""Smooth activations: gelu, silu, mish, softplus, elu, celu, selu."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ... import dtypes
from ...autograd import modes as _m
from ...autograd.dispatch import apply1
from ...autograd.inplace_variants import in_place, second_overload
from ...kernels import activations
from ...kernels import erf as kernels
from ...kernels.memory_format import row_major
from ...tensor.tensor import Tensor
from ...text_arguments import as_text
from ..argument_checks import need_floats, need_tensors, number_of
from ..argument_errors import argument_error
from ..number_ranges import checked_number, compute_dtype, overflow_error
from ..pointwise.arithmetic import mul
from ..pointwise.exponential import exp
from ..pointwise.hyperbolic import sigmoid, tanh
from ..pointwise.ternary import where
from ..promotion import Pointwise
from ..registration import copyto
from .floating_only import FloatingPointwise

__all__ = [
    "celu", "celu_", "elu", "elu_", "gelu", "logsigmoid", "mish", "selu", "selu_",
    "silu", "softplus",
]  # fmt: skip

ROOT_2_OVER_PI = math.sqrt(2 / math.pi)
CUBE = 0.044715  # of the tanh approximation


class Gelu(FloatingPointwise):
    """x times the normal distribution function.

    Math: y = x · Φ(x)      ∂L/∂x = g · (Φ(x) + x · φ(x))

    Reference: Hendrycks and Gimpel, 2016
    """

    kernel = "GeluKernelImpl"
    onnx = "Gelu"
    float8_kernel = "GeluKernelImpl"

    def forward(self, x: Any) -> Any:
        return kernels.gelu(x)

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        if not isinstance(g, Tensor):
            return kernels.gelu_gradient(g, x)
        density = exp(x * x * -0.5) * (1 / math.sqrt(2 * math.pi))
        return g * (normal_cdf(x) + x * density)


class NormalCdf(Pointwise):
    """The normal distribution function.

    Math: y = Φ(x) = (1 + erf(x / √2)) / 2      ∂L/∂x = g · φ(x)
    """

    def forward(self, x: Any) -> Any:
        return kernels.normal_cdf(x)

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        return g * exp(x * x * -0.5) * (1 / math.sqrt(2 * math.pi))


def normal_cdf(x: Any) -> Any:
    """The normal distribution function, for formulas."""
    return apply1(NormalCdf(), x)


class GeluTanh(FloatingPointwise):
    """An approximation of gelu by tanh.

    Math: y = x · (1 + t) / 2 with t = tanh(√(2/π) · (x + 0.044715 · x³))
          ∂L/∂x = g · ((1 + t) / 2 + x · (1 - t²) / 2 · √(2/π) · (1 + 0.134145 · x²))

    Reference: Hendrycks and Gimpel, 2016
    """

    elementwise = True
    kernel = "GeluKernelImpl"
    public = "gelu"
    torch_name = "Gelu"
    float8_kernel = "GeluKernelImpl"

    def forward(self, x: Any) -> Any:
        return 0.5 * x * (1 + np.tanh(ROOT_2_OVER_PI * (x + CUBE * (x * x * x))))

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        square = x * x
        t = tanh((x + square * x * CUBE) * ROOT_2_OVER_PI)
        inner = (square * (3 * CUBE) + 1) * ROOT_2_OVER_PI
        return g * ((1 + t) * 0.5 + x * (1 - t * t) * inner * 0.5)


def gelu(
    input: Tensor, approximate: str = "none", *, out: Tensor | None = None
) -> Tensor:
    """Elementwise Gaussian error linear unit.

    Math: y = x · Φ(x)      ∂L/∂x = g · (Φ(x) + x · φ(x))
    Shape: (*) -> (*)
    Reference: Hendrycks and Gimpel, 2016

    Args:
        approximate: "none", or "tanh" for a faster approximation.

    Raises:
        RuntimeError: for another `approximate` than "none" and "tanh".

    Example:
        >>> import edutorch as torch
        >>> from edutorch.ops.activations import gelu
        >>> gelu(torch.tensor([-1.0, 0.0, 1.0]))
        tensor([-0.1587,  0.0000,  0.8413])
    """
    if type(approximate) is not str:
        approximate = as_text(approximate)
    if approximate not in ("none", "tanh"):
        raise argument_error() or RuntimeError(
            "approximate argument must be either none or tanh."
        )
    result = apply1(Gelu() if approximate == "none" else GeluTanh(), input)
    return result if out is None else copyto(out, result, "gelu", (input,))


class Silu(FloatingPointwise):
    """x times its sigmoid.

    Math: y = x · σ(x)      ∂L/∂x = g · σ(x) · (1 + x · (1 - σ(x)))

    Reference: Elfwing et al., 2017
    """

    kernel = "silu_cpu"
    also = "c"

    def forward(self, x: Any) -> Any:
        return activations.silu(x)

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        if not isinstance(g, Tensor):
            return activations.silu_gradient(g, x)
        s = sigmoid(x)
        return g * (s * (1 + x * (1 - s)))


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """Elementwise `input * sigmoid(input)`, also called swish.

    Math: y = x · σ(x)      ∂L/∂x = g · σ(x) · (1 + x · (1 - σ(x)))
    Shape: (*) -> (*)
    Reference: Elfwing et al., 2017

    Raises:
        NotImplementedError: for integers and booleans.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.ops.activations import silu
        >>> silu(torch.tensor([-1.0, 0.0, 1.0]))
        tensor([-0.2689,  0.0000,  0.7311])
    """
    return _silu_(input) if inplace else apply1(Silu(), input)


_silu_ = in_place(silu, "silu_")


class Softplus(FloatingPointwise):
    """A smooth approximation of the rectifier.

    Math: y = ln(1 + e^(βx)) / β      ∂L/∂x = g · σ(βx), g where βx > threshold

    Reference: Dugas et al., 2001
    """

    kernel = "softplus_cpu"
    onnx = "Softplus"
    attributes = ("beta", "threshold")

    def __init__(self, beta: float, threshold: float) -> None:
        self.beta = beta
        # Comparisons with nan are false, as are those with infinity.
        self.threshold = math.inf if math.isnan(threshold) else threshold

    def forward(self, x: Any) -> Any:
        scaled = x * self.beta
        soft = np.log1p(np.exp(np.minimum(scaled, self.threshold))) / self.beta
        y = activations.choose(scaled > self.threshold, x, soft)
        return y.astype(x.dtype, copy=False)

    def backward(self, g: Any) -> Any:
        scaled = self.inputs[0] * self.beta
        if isinstance(scaled, Tensor):  # at the threshold the slope does not change
            scaled = where(scaled == self.threshold, scaled.detach(), scaled)
        return where(scaled > self.threshold, g, g * sigmoid(scaled))


def softplus(
    input: Tensor,
    beta: float = 1.0,
    threshold: float = 20.0,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Elementwise smooth rectifier; linear where `input * beta > threshold`.

    Math: y = ln(1 + e^(βx)) / β      ∂L/∂x = g · σ(βx), g where βx > threshold
    Shape: (*) -> (*)
    Reference: Dugas et al., 2001

    Raises:
        NotImplementedError: for integers, booleans and complex numbers.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.ops.activations import softplus
        >>> softplus(torch.tensor([-1.0, 0.0, 30.0]))
        tensor([ 0.3133,  0.6931, 30.0000])
    """
    if _m.special_modes and softplus in _m.modes.autocast:
        return _m.autocast(softplus, input, beta, threshold, out=out)
    beta = number_of(beta, "beta", "softplus")
    threshold = number_of(threshold, "threshold", "softplus")
    if isinstance(beta, complex) or isinstance(threshold, complex):
        need_floats("softplus_cpu", input)
        raise overflow_error(compute_dtype(input.dtype))
    result = apply1(Softplus(beta, threshold), input)
    return result if out is None else copyto(out, result, "softplus", (input,))


class Mish(FloatingPointwise):
    """x times the tanh of its softplus.

    Math: y = x · t with t = tanh(ln(1 + e^x))
          ∂L/∂x = g · (t + x · σ(x) · (1 - t²))

    Reference: Misra, 2019
    """

    kernel = "mish_cpu"
    onnx = "Mish"

    def forward(self, x: Any) -> Any:
        return x * np.tanh(activations.log1p_exp(x))

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        t = tanh(softplus(x))
        return g * (t + x * sigmoid(x) * (1 - t * t))


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """Elementwise `input * tanh(softplus(input))`.

    Math: y = x · t with t = tanh(ln(1 + e^x))
          ∂L/∂x = g · (t + x · σ(x) · (1 - t²))
    Shape: (*) -> (*)
    Reference: Misra, 2019

    Raises:
        NotImplementedError: for integers, booleans and complex numbers.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.ops.activations import mish
        >>> mish(torch.tensor([-1.0, 0.0, 1.0]))
        tensor([-0.3034,  0.0000,  0.8651])
    """
    return _mish_(input) if inplace else apply1(Mish(), input)


_mish_ = in_place(mish, "mish_")


class LogSigmoid(FloatingPointwise):
    """Logarithm of the sigmoid.

    Math: y = -ln(1 + e^-x)      ∂L/∂x = g · σ(-x)
    """

    kernel = "log_sigmoid_cpu"
    public = "logsigmoid"

    def forward(self, x: Any) -> Any:
        return row_major(-activations.log1p_exp(-x))

    def backward(self, g: Any) -> Any:
        return g * sigmoid(-self.inputs[0])


def logsigmoid(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise logarithm of the sigmoid, without overflow.

    Math: y = -ln(1 + e^-x)      ∂L/∂x = g · σ(-x)
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for integers, booleans and complex numbers.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.ops.activations import logsigmoid
        >>> logsigmoid(torch.tensor([-1.0, 0.0, 1.0]))
        tensor([-1.3133, -0.6931, -0.3133])
    """
    need_tensors("log_sigmoid", input=input)
    result = apply1(LogSigmoid(), input)
    return result if out is None else copyto(out, result, "logsigmoid", (input,))


class Elu(FloatingPointwise):
    """Linear above 0, exponential below.

    Math: y = s · x where x > 0, else s · α · (e^(cx) - 1)
          ∂L/∂x = s · g where x > 0, else s · α · c · g · e^(cx)

    Reference: Clevert et al., 2015
    """

    kernel = "elu_cpu"
    onnx = "Elu"
    attributes = ("alpha", "scale", "input_scale")
    scale: float = 1.0
    input_scale: float = 1.0

    def __init__(self, alpha: float) -> None:
        self.alpha = alpha

    def forward(self, x: Any) -> Any:
        below = np.expm1(np.minimum(x.dtype.type(0), x) * self.input_scale)
        above, below = x * self.scale, below * (self.alpha * self.scale)
        y = activations.choose(x >= 0, above, below)  # 0 times an infinite α is nan
        return y.astype(x.dtype, copy=False)

    def backward(self, g: Any) -> Any:
        x, c = self.inputs[0], self.input_scale
        # The branch that is not taken must not overflow: inf times 0 would be nan.
        # At 0 the slope is that from below, and does not change, as in PyTorch.
        below = exp(where(x >= 0, 0, x) * c) * (self.alpha * self.scale * c)
        return mul(g, where(x > 0, self.scale, below))


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Elementwise: linear above 0, exponential below.

    Math: y = x where x > 0, else α · (e^x - 1)
          ∂L/∂x = g where x > 0, else α · g · e^x
    Shape: (*) -> (*)
    Reference: Clevert et al., 2015

    Raises:
        NotImplementedError: for integers, booleans and complex numbers.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.ops.activations import elu
        >>> elu(torch.tensor([-1.0, 2.0]))
        tensor([-0.6321,  2.0000])
    """
    alpha = number_of(alpha, "alpha", "elu")
    if isinstance(alpha, complex):
        alpha = checked_number(alpha, dtypes.float32)
    return elu_(input, alpha) if inplace else apply1(Elu(alpha), input)


elu_ = in_place(second_overload(elu), "elu_")


class Celu(Elu):
    """Elu with a continuous derivative.

    Math: y = x where x > 0, else α · (e^(x/α) - 1)
          ∂L/∂x = g where x > 0, else g · e^(x/α)

    Reference: Barron, 2017
    """

    onnx = "Celu"


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Elementwise elu whose derivative is continuous for every `alpha`.

    Math: y = x where x > 0, else α · (e^(x/α) - 1)
          ∂L/∂x = g where x > 0, else g · e^(x/α)
    Shape: (*) -> (*)

    Raises:
        RuntimeError: if `alpha` is 0.

    Reference: Barron, 2017

    Example:
        >>> import edutorch as torch
        >>> torch.celu(torch.tensor([-1.0, 2.0]), alpha=2.0)
        tensor([-0.7869,  2.0000])
    """
    alpha = number_of(alpha, "alpha", "celu")
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    if inplace:
        return celu_(input, alpha)
    op = Celu(alpha)
    op.input_scale = 1.0 / alpha
    return apply1(op, input)


celu_ = in_place(second_overload(celu), "celu_")

SELU_ALPHA = 1.6732632423543772848170429916717
SELU_SCALE = 1.0507009873554804934193349852946


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """Elementwise scaled elu, which preserves mean 0 and variance 1 across layers.

    Math: y = s · x where x > 0, else s · α · (e^x - 1), α = 1.6733, s = 1.0507
          ∂L/∂x = s · g where x > 0, else s · α · g · e^x
    Shape: (*) -> (*)

    Reference: Klambauer et al., 2017

    Example:
        >>> import edutorch as torch
        >>> torch.selu(torch.tensor([-1.0, 2.0]))
        tensor([-1.1113,  2.1014])
    """
    if inplace:
        return selu_(input)
    need_tensors("selu", input=input)
    op = Elu(SELU_ALPHA)
    op.scale = SELU_SCALE
    return apply1(op, input)


selu_ = in_place(second_overload(selu), "selu_")
