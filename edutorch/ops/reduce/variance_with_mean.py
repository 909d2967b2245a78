"""Variance or standard deviation together with the mean."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import apply
from ...tensor.tensor import Tensor
from ..argument_checks import type_error
from ..argument_errors import parser_errors
from ..dims import ABSENT, keepdim_shape
from ..pointwise.ternary import where
from ..shape.views import reshape
from .mean_var import Mean, Var, parse_arguments, reduced_count, std

__all__ = ["std_mean", "var_mean"]


class VarMean(Var):
    """Variance and mean over dimensions.

    Math: y₁ = Σ |x - m|² / (n - c)      y₂ = m = Σ x / n
          ∂L/∂x = 2 g₁ · (x - m) / (n - c) + g₂ / n
    Shape: (*) -> two of (* without dim)
    """

    multiple_outputs = True
    complex32 = "single"

    def forward(self, x: Any) -> Any:
        mean = Mean()
        mean.dim, mean.keepdim = self.dim, self.keepdim
        return super().forward(x), mean.forward(x)

    def backward(  # type: ignore[override]  # two results have two gradients
        self, g_var: Any, g_mean: Any
    ) -> Any:
        gx = super().backward(g_var)
        if not isinstance(g_mean, Tensor) and not g_mean.any():
            return gx  # the mean is not used: saves a pass over x
        shape = tuple(self.inputs[0].shape)
        g_mean = reshape(g_mean, keepdim_shape(shape, self.dim))
        return gx + g_mean / reduced_count(shape, self.dim)


class StdMean(VarMean):
    """Standard deviation and mean over dimensions.

    Math: y₁ = √(Σ |x - m|² / (n - c))      y₂ = m = Σ x / n
          ∂L/∂x = g₁ · (x - m) / (y₁ · (n - c)), 0 where y₁ is 0, + g₂ / n
    Shape: (*) -> two of (* without dim)
    """

    saves_extra = True
    saves_results = (0,)
    complex32 = "single"

    def forward(self, x: Any) -> Any:
        results = super().forward(x)
        self.saved = results[0]
        return results

    def compute(self, x: Any) -> Any:
        """The square root of the variance."""
        return np.sqrt(super().compute(x))

    def backward(  # type: ignore[override]  # two results have two gradients
        self, g_std: Any, g_mean: Any
    ) -> Any:
        x, y = self.inputs[0], self.saved
        if isinstance(x, Tensor):  # the second derivative needs the history of y
            y = std(x, self.dim, correction=self.correction, keepdim=self.keepdim)
        return super().backward(where(y == 0, 0, g_std / (y * 2)), g_mean)


@parser_errors
def var_mean(
    input: Tensor,
    dim: Any = None,
    unbiased: Any = ABSENT,
    keepdim: bool = False,
    *,
    correction: float | None = 1,
    axis: Any = None,
    keepdims: Any = ABSENT,
) -> Any:
    """Variance and mean; see `var`.

    Math: y₁ = Σ |x - m|² / (n - correction)      y₂ = m = Σ x / n
          ∂L/∂x = 2 g₁ · (x - m) / (n - correction) + g₂ / n
    Shape: (*) -> two of (* without dim), or with size 1 there (`keepdim`)

    Raises:
        TypeError: for a flag that is not a bool.
        RuntimeError: for integers.

    Example:
        >>> import edutorch as torch
        >>> torch.var_mean(torch.tensor([1.0, 2.0, 3.0]))
        (tensor(1.), tensor(2.))
    """
    _check("var_mean", input, keepdim)
    keepdim = keepdim if keepdims is ABSENT else keepdims
    dim = dim if axis is None else axis  # see Note [NumPy's names]
    settings = parse_arguments("var", dim, unbiased, correction, keepdim, input)
    return apply(VarMean(*settings), input)


def _check(name: str, x: Any, keepdim: Any) -> None:
    if keepdim is not False and keepdim is not True:
        raise type_error("bool", "keepdim", keepdim, name)
    if isinstance(x, Tensor) and x._data.dtype.kind in "iub":
        raise RuntimeError(f"{name} only support floating point and complex dtypes")


@parser_errors
def std_mean(
    input: Tensor,
    dim: Any = None,
    unbiased: Any = ABSENT,
    keepdim: bool = False,
    *,
    correction: float | None = 1,
    axis: Any = None,
    keepdims: Any = ABSENT,
) -> Any:
    """Standard deviation and mean; see `std`.

    Math: y₁ = √(Σ (x - m)² / (n - correction))      y₂ = m = Σ x / n
          ∂L/∂x = g₁ · (x - m) / (y₁ · (n - correction)) + g₂ / n
    Shape: (*) -> two of (* without dim), or with size 1 there (`keepdim`)

    Raises:
        TypeError: for a flag that is not a bool.
        RuntimeError: for integers.

    Example:
        >>> import edutorch as torch
        >>> torch.std_mean(torch.tensor([1.0, 2.0, 3.0]))
        (tensor(1.), tensor(2.))
    """
    _check("std_mean", input, keepdim)
    keepdim = keepdim if keepdims is ABSENT else keepdims
    dim = dim if axis is None else axis  # see Note [NumPy's names]
    settings = parse_arguments("std", dim, unbiased, correction, keepdim, input)
    return apply(StdMean(*settings), input)
