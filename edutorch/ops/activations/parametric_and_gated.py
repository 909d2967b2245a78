"""Activations with learned or random slopes, and gated ones: prelu, rrelu, glu."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ... import dtypes
from ...autograd import modes as _m
from ...autograd.dispatch import apply1, apply2
from ...autograd.inplace_variants import in_place, second_overload
from ...backends import array_module
from ...random.continuous import uniform
from ...random.generator import generator_for
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors, refuse_kinds, type_error
from ..argument_errors import parser_errors
from ..dims import dim_of
from ..number_ranges import overflow_error
from ..pointwise.hyperbolic import sigmoid
from ..pointwise.ternary import where
from ..promotion import Pointwise
from ..registration import attach, public
from ..shape.joining import cat
from ..shape.slices import narrow
from ..shape.views import reshape
from .floating_only import FloatingPointwise

__all__ = ["glu", "prelu", "rrelu", "rrelu_"]


class Prelu(Pointwise):
    """The identity for positive numbers, a learned slope for negative ones.

    Math: y = x where x > 0, else w · x
          ∂L/∂x = g where x > 0, else w · g      ∂L/∂w = Σ g · min(x, 0)

    Reference: He et al., 2015
    """

    double_backward = "every_order"
    onnx = "PRelu"
    torch_name = "PreluKernel"

    def forward(self, x: Any, w: Any) -> Any:
        return np.where(x > 0, x, w * x)

    def backward(self, g: Any) -> Any:
        x, w = self.inputs
        return where(x > 0, g, w * g), where(x > 0, 0, g * x)


@public("prelu")
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """Elementwise rectifier with a learned slope for negative elements.

    Math: y = x where x > 0, else w · x
          ∂L/∂x = g where x > 0, else w · g      ∂L/∂w = Σ g · min(x, 0)
    Shape: (n, c, *), (1) or (c) -> (n, c, *)

    Raises:
        RuntimeError: if there is neither one slope nor one for each channel, or the
            dtypes differ.

    Reference: He et al., 2015

    Example:
        >>> import edutorch as torch
        >>> torch.prelu(torch.tensor([-1.0, 2.0]), torch.tensor([0.25]))
        tensor([-0.2500,  2.0000])
    """
    if _m.special_modes and prelu in _m.modes.autocast:
        return _m.autocast(prelu, input, weight)
    need_tensors("prelu", input=input, weight=weight)
    if input.dtype != weight.dtype:
        raise RuntimeError(
            "prelu: Type promoting not supported. Got "
            f"{input.dtype.short} and {weight.dtype.short}"
        )
    if weight.numel() != 1:
        if input.ndim == 0:
            raise RuntimeError("Not allow zero-dim input tensor.")
        channels = input.shape[1] if input.ndim > 1 else 1
        if weight.numel() != channels:
            raise RuntimeError(
                "Mismatch of parameter numbers and input channel size. Found parameter "
                f"numbers = {weight.numel()} and channel size = {channels}."
            )
    if weight.ndim > 1:
        raise RuntimeError(
            "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = "
            f"{weight.ndim}"
        )
    refuse_kinds("prelu_cpu", "iubc", input)
    rest = (1,) * (input.ndim - 2)
    w = weight
    if input.ndim != 1 or not weight.ndim:
        w = reshape(weight, (-1, *rest) if input.ndim > 1 else (-1,) * input.ndim)
    return apply2(Prelu(), input, w)


class Rrelu(FloatingPointwise):
    """The identity for positive numbers, random slopes for negative ones.

    Math: y = x where x > 0, else a · x with a uniform in [lower, upper]
          ∂L/∂x = g where x > 0, else a · g

    Reference: Xu et al., 2015
    """

    double_backward = "every_order"
    kernel = "rrelu_with_noise_out_cpu"
    torch_name = "RreluWithNoise"
    attributes = ("lower", "upper")
    saves = ()
    saves_extra = True

    def __init__(self, lower: float, upper: float, generator: Any) -> None:
        self.lower, self.upper, self.generator = lower, upper, generator

    def check(self, x: Any, *_: Any) -> None:
        """Refuse float16, which PyTorch does not have (unlike bfloat16)."""
        super().check(x)
        if x.dtype.short == "Half":
            raise NotImplementedError(f"\"{self.kernel}\" not implemented for 'Half'")

    def forward(self, x: Any) -> Any:
        xp = array_module(x)
        slopes = xp.ones(x.shape, x.dtype)
        below = x <= 0
        # One number is drawn for each element that needs a slope, in order.
        drawn = uniform(
            self.generator, (int(below.sum()),), np.float64, self.lower, self.upper
        )
        slopes[below] = xp.asarray(drawn)
        self.saved = slopes
        return x * slopes

    def backward(self, g: Any) -> Any:
        return g * self.saved


class LeakySlope(FloatingPointwise):
    """The identity for positive numbers, a fixed slope for others: rrelu in evaluation.

    Math: y = x where x > 0, else a · x      ∂L/∂x = g where x > 0, else a · g
    """

    double_backward = "every_order"
    kernel = "leaky_relu_cpu"
    torch_name = "RreluWithNoise"
    attributes = ("slope",)

    def __init__(self, slope: float) -> None:
        self.slope = slope

    def forward(self, x: Any) -> Any:
        y = np.where(x > 0, x, x * self.slope)
        return y.astype(x.dtype, copy=False)

    def backward(self, g: Any) -> Any:
        return where(self.inputs[0] > 0, g, g * self.slope)


@public("rrelu")
@parser_errors
def rrelu(
    input: Tensor,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    """Elementwise rectifier with random slopes for negative elements in training.

    Math: y = x where x > 0, else a · x with a uniform in [lower, upper], or their mean
          ∂L/∂x = g where x > 0, else a · g
    Shape: (*) -> (*)
    Reference: Xu et al., 2015

    Raises:
        RuntimeError: if `lower` is larger than `upper`, or one is not finite.

    Example:
        >>> import edutorch as torch
        >>> torch.rrelu(torch.tensor([-1.0, 2.0]), 0.5, 0.5)
        tensor([-0.5000,  2.0000])
    """
    if training is not False and training is not True:
        raise type_error("bool", "training", training, "rrelu")
    if inplace:
        return rrelu_(input, lower, upper, training)
    need_tensors("rrelu", input=input)
    for bound, value in {"lower": lower, "upper": upper}.items():
        if isinstance(value, complex):
            raise overflow_error(dtypes.float64)
        if not math.isfinite(value):
            raise RuntimeError(f"rrelu: {bound} bound must be finite, got {value}")
    if lower > upper:
        raise RuntimeError(
            "Lower bound should be less than or equal to the upper bound"
        )
    if training:
        return apply1(Rrelu(lower, upper, generator_for(input.device)), input)
    return apply1(LeakySlope((lower + upper) / 2), input)


rrelu_ = in_place(second_overload(rrelu), "rrelu_")
attach(rrelu_=rrelu_)


def concatenate(a: Any, b: Any, dim: int) -> Any:
    """Concatenate two arrays or tensors, for formulas."""
    return cat([a, b], dim) if isinstance(a, Tensor) else np.concatenate([a, b], dim)


class Glu(FloatingPointwise):
    """One half of the elements times the sigmoid of the other.

    Math: y = a · σ(b)      ∂L/∂a = g · σ(b)      ∂L/∂b = g · a · σ(b) · (1 - σ(b))
    Shape: (.., 2n, ..) -> (.., n, ..)

    Reference: Dauphin et al., 2016
    """

    kernel = "glu_cpu"
    attributes = ("dim",)

    def __init__(self, dim: int) -> None:
        self.dim = dim

    def forward(self, x: Any) -> Any:
        a, b = np.split(x, 2, self.dim)
        return a / (1 + np.exp(-b))

    def backward(self, g: Any) -> Any:
        x, dim = self.inputs[0], self.dim
        half = x.shape[dim] // 2
        a, s = narrow(x, dim, 0, half), sigmoid(narrow(x, dim, half, half))
        return concatenate(g * s, g * a * s * (1 - s), dim)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The gated linear unit: one half times the sigmoid of the other.

    Math: y = a · σ(b) with a, b the halves of x along dim
          ∂L/∂a = g · σ(b)      ∂L/∂b = g · a · σ(b) · (1 - σ(b))
    Shape: (.., 2n, ..) -> (.., n, ..)

    Raises:
        RuntimeError: for a size that cannot be halved.

    Reference: Dauphin et al., 2016

    Example:
        >>> import edutorch as torch
        >>> from edutorch.ops.activations import glu
        >>> glu(torch.tensor([1.0, 2.0, 0.0, 0.0]))
        tensor([0.5000, 1.0000])
    """
    if input.dim() == 0:
        raise RuntimeError(
            "glu does not support scalars because halving size must be even"
        )
    along = dim_of(dim, input.ndim, "glu")
    size = input.shape[along]
    if size % 2:
        raise RuntimeError(
            f"Halving dimension must be even, but dimension {along} is size {size}"
        )
    return apply1(Glu(along), input)
