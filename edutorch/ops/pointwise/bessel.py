"""Bessel functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import apply1
from ...kernels.lazy_modules import scipy_special
from ...kernels.memory_format import cast_preserving_strides
from ...tensor.tensor import Tensor
from ..promotion import RealPointwise, as_floating
from ..registration import copyto
from .bessel_corrections import j_excess, y_excess
from .special_functions import scipy_function

__all__ = [
    "airy_ai", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1",
    "spherical_bessel_j0",
]  # fmt: skip


class WithoutDerivative(RealPointwise):
    """A SciPy function without derivative, as in PyTorch.

    Math: y = f(x), the function of that name
    """

    accepts_half = False
    attributes = ("function", "kernel")
    differentiable = False

    def __init__(self, function: str, kernel: str) -> None:
        self.function, self.kernel = function, f"{kernel}_cpu"

    def forward(self, x: Any) -> Any:
        return scipy_function(self.function, x)


class AiryAi(RealPointwise):
    """The Airy function, the solution of y'' = x y that vanishes at infinity."""

    accepts_half = False
    differentiable = False

    def forward(self, x: Any) -> Any:
        x = as_floating(x)
        y = scipy_special.airy(x)[0]
        # SciPy gives nan for numbers far from 0 where digits of the phase are lost.
        lost = np.isnan(y) & np.isfinite(x)
        return np.where(lost, _airy_ai_far_from_zero(x), y).astype(x.dtype)


def _airy_ai_far_from_zero(x: Any) -> Any:
    """The leading term of the asymptotic series of the Airy function."""
    root = np.sqrt(abs(x))
    wave = np.sin(abs(x) * root * 2 / 3 + np.pi / 4) / np.sqrt(np.pi * root)
    return np.where(x > 0, 0, wave)


def airy_ai(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise Airy function; no derivative.

    Math: y'' = x · y, y(∞) = 0
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers and half precision.

    Example:
        >>> import edutorch as torch
        >>> torch.special.airy_ai(torch.tensor([0.0, 1.0]))
        tensor([0.3550, 0.1353])
    """
    result = apply1(AiryAi(), x)
    return result if out is None else copyto(out, result, "special_airy_ai", (x,))


class BesselJ(RealPointwise):
    """Bessel functions of the first kind, order n: see Note [Leading terms].

    Math: x² y'' + x y' + (x² - n²) y = 0, y finite at 0
    """

    accepts_half = False
    letter = "j"
    attributes = ("order",)
    differentiable = False

    def __init__(self, order: int) -> None:
        self.order = order
        self.kernel = f"{self.public}_cpu"

    @property
    def public(self) -> str:
        """The name of the public function."""
        return f"bessel_{self.letter}{self.order}"

    def forward(self, x: Any) -> Any:
        x = as_floating(x)
        wide = cast_preserving_strides(x, np.float64)
        y = scipy_function(f"j{self.order}", wide)
        return (y + j_excess(self.order, wide, y)).astype(x.dtype)


class BesselY(BesselJ):
    """Bessel functions of the second kind, order n: see Note [Leading terms].

    Math: x² y'' + x y' + (x² - n²) y = 0, y infinite at 0
    """

    letter = "y"
    public = BesselJ.public

    def forward(self, x: Any) -> Any:
        x = as_floating(x)
        wide = cast_preserving_strides(x, np.float64)
        y = scipy_function(f"y{self.order}", wide)
        j = scipy_function(f"j{self.order}", wide)
        return (y + y_excess(self.order, wide, j)).astype(x.dtype)


def bessel_j0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise Bessel function of the first kind, order 0; no derivative.

    Math: y = J₀(x)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.special.bessel_j0(torch.tensor([0.0, 1.0]))
        tensor([1.0000, 0.7652])
    """
    result = apply1(BesselJ(0), input)
    return result if out is None else copyto(out, result, "special_bessel_j0", (input,))


def bessel_j1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise Bessel function of the first kind, order 1; no derivative.

    Math: y = J₁(x)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.special.bessel_j1(torch.tensor([0.0, 1.0]))
        tensor([0.0000, 0.4401])
    """
    result = apply1(BesselJ(1), input)
    return result if out is None else copyto(out, result, "special_bessel_j1", (input,))


def bessel_y0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise Bessel function of the second kind, order 0; no derivative.

    Math: y = Y₀(x)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.special.bessel_y0(torch.tensor([1.0]))
        tensor([0.0883])
    """
    result = apply1(BesselY(0), input)
    return result if out is None else copyto(out, result, "special_bessel_y0", (input,))


def bessel_y1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise Bessel function of the second kind, order 1; no derivative.

    Math: y = Y₁(x)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.special.bessel_y1(torch.tensor([1.0]))
        tensor([-0.7812])
    """
    result = apply1(BesselY(1), input)
    return result if out is None else copyto(out, result, "special_bessel_y1", (input,))


class SphericalJ0(RealPointwise):
    """Spherical Bessel function of the first kind, order 0: sin(x) / x."""

    accepts_half = False
    public = "spherical_bessel_j0"
    differentiable = False

    def forward(self, x: Any) -> Any:
        x = as_floating(x)
        y = np.sinc(x / np.pi).astype(x.dtype)
        return np.where(np.isinf(x), 0, y)  # the limit, though the sine has none


def spherical_bessel_j0(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise spherical Bessel function of the first kind, order 0; no derivative.

    Math: y = sin(x) / x, 1 at 0
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers and half precision.

    Example:
        >>> import edutorch as torch
        >>> torch.special.spherical_bessel_j0(torch.tensor([0.0, 1.0]))
        tensor([1.0000, 0.8415])
    """
    result = apply1(SphericalJ0(), x)
    if out is None:
        return result
    return copyto(out, result, "special_spherical_bessel_j0", (x,))
