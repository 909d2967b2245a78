"""Bessel functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.op import apply1
from ...kernels.lazy import scipy_special
from ...tensor.tensor import Tensor
from ..attach import into, public
from ..promotion import OfReals, floating
from .blend import where
from .leading_terms import j_excess, y_excess
from .magnitude import sgn
from .special_functions import special

__all__ = [
    "airy_ai", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "i0", "i0e", "i1",
    "i1e",
    "modified_bessel_i0", "modified_bessel_i1", "modified_bessel_k0",
    "modified_bessel_k1", "scaled_modified_bessel_k0", "scaled_modified_bessel_k1",
    "spherical_bessel_j0",
]  # fmt: skip


class I0(OfReals):
    """Modified Bessel function of the first kind, order 0.

    Math: y = I₀(x)      ∂L/∂x = g · I₁(x)
    """

    kernel = "i0_vml_cpu"
    public = "i0"

    def forward(self, x: Any) -> Any:
        return special("i0", x)

    def backward(self, g: Any) -> Any:
        return g * i1(self.inputs[0])


@public("i0", inplace="i0_")
def i0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise modified Bessel function of the first kind, order 0.

    Math: y = I₀(x)      ∂L/∂x = g · I₁(x)
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.special.i0(torch.tensor([0.0, 1.0]))
        tensor([1.0000, 1.2661])
    """
    result = apply1(I0(), input)
    return result if out is None else into(out, result)


class I0e(OfReals):
    """I₀, scaled so that it does not overflow.

    Math: y = e^-|x| I₀(x)      ∂L/∂x = g · (i1e(x) - sgn(x) · y)
    """

    public = "i0e"
    torch_name = "SpecialI0E"
    saves_output = True

    def forward(self, x: Any) -> Any:
        return special("i0e", x)

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        return g * (i1e(x) - sgn(x) * self.output)


def i0e(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `exp(-|input|) * i0(input)`.

    Math: y = e^-|x| I₀(x)      ∂L/∂x = g · (i1e(x) - sgn(x) · y)
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.special.i0e(torch.tensor([0.0, 1.0]))
        tensor([1.0000, 0.4658])
    """
    result = apply1(I0e(), input)
    return result if out is None else into(out, result)


class I1(OfReals):
    """Modified Bessel function of the first kind, order 1.

    Math: y = I₁(x)      ∂L/∂x = g · (I₀(x) - y / x), g / 2 at 0
    """

    public = "i1"
    torch_name = "SpecialI1"
    saves_output = True

    def forward(self, x: Any) -> Any:
        return special("i1", x)

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        safe = where(x == 0, 1, x)
        return g * where(x == 0, 0.5, i0(safe) - self.output / safe)


def i1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise modified Bessel function of the first kind, order 1.

    Math: y = I₁(x)      ∂L/∂x = g · (I₀(x) - y / x), g / 2 at 0
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.special.i1(torch.tensor([0.0, 1.0]))
        tensor([0.0000, 0.5652])
    """
    result = apply1(I1(), input)
    return result if out is None else into(out, result)


class I1e(OfReals):
    """I₁, scaled so that it does not overflow.

    Math: y = e^-|x| I₁(x)      ∂L/∂x = g · (i0e(x) - y · (sgn(x) + 1 / x)), g / 2 at 0
    """

    public = "i1e"
    torch_name = "SpecialI1E"
    saves_output = True

    def forward(self, x: Any) -> Any:
        return special("i1e", x)

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        safe = where(x == 0, 1, x)
        slope = i0e(safe) - self.output * (sgn(safe) + 1 / safe)
        return g * where(x == 0, 0.5, slope)


def i1e(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `exp(-|input|) * i1(input)`.

    Math: y = e^-|x| I₁(x)      ∂L/∂x = g · (i0e(x) - y · (sgn(x) + 1 / x)), g / 2 at 0
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.special.i1e(torch.tensor([0.0, 1.0]))
        tensor([0.0000, 0.2079])
    """
    result = apply1(I1e(), input)
    return result if out is None else into(out, result)


class WithoutDerivative(OfReals):
    """A function of SciPy whose derivative PyTorch does not have either.

    Math: y = f(x), the function of that name
    """

    halves = False
    attributes = ("function", "kernel")
    differentiable = False

    def __init__(self, function: str, kernel: str) -> None:
        self.function, self.kernel = function, f"{kernel}_cpu"

    def forward(self, x: Any) -> Any:
        return special(self.function, x)


class AiryAi(OfReals):
    """Airy's function, the solution of y'' = x y that vanishes at infinity."""

    halves = False
    differentiable = False

    def forward(self, x: Any) -> Any:
        x = floating(x)
        return scipy_special.airy(x)[0].astype(x.dtype)


def airy_ai(input: Tensor, *, out: Tensor | None = None) -> Tensor:
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
    result = apply1(AiryAi(), input)
    return result if out is None else into(out, result)


class BesselJ(OfReals):
    """Bessel functions of the first kind, order n: see Note [Leading terms].

    Math: x² y'' + x y' + (x² - n²) y = 0, y finite at 0
    """

    halves = False
    letter = "j"
    attributes = ("order",)
    differentiable = False

    def __init__(self, order: int) -> None:
        self.order = order
        self.kernel = f"bessel_{self.letter}{order}_cpu"

    def forward(self, x: Any) -> Any:
        x = floating(x)
        wide = x.astype(np.float64)
        y = special(f"j{self.order}", wide)
        return (y + j_excess(self.order, wide, y)).astype(x.dtype)


class BesselY(BesselJ):
    """Bessel functions of the second kind, order n: see Note [Leading terms].

    Math: x² y'' + x y' + (x² - n²) y = 0, y infinite at 0
    """

    letter = "y"

    def forward(self, x: Any) -> Any:
        x = floating(x)
        wide = x.astype(np.float64)
        y = special(f"y{self.order}", wide)
        j = special(f"j{self.order}", wide)
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
    return result if out is None else into(out, result)


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
    return result if out is None else into(out, result)


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
    return result if out is None else into(out, result)


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
    return result if out is None else into(out, result)


def modified_bessel_i0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise I₀; no derivative, which `i0` has.

    Math: y = I₀(x)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.special.modified_bessel_i0(torch.tensor([1.0]))
        tensor([1.2661])
    """
    result = apply1(WithoutDerivative("i0", "modified_bessel_i0"), input)
    return result if out is None else into(out, result)


def modified_bessel_i1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise I₁; no derivative, which `i1` has.

    Math: y = I₁(x)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.special.modified_bessel_i1(torch.tensor([1.0]))
        tensor([0.5652])
    """
    result = apply1(WithoutDerivative("i1", "modified_bessel_i1"), input)
    return result if out is None else into(out, result)


def modified_bessel_k0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise modified Bessel function K₀, of the second kind; no derivative.

    Math: y = K₀(x)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.special.modified_bessel_k0(torch.tensor([1.0]))
        tensor([0.4210])
    """
    result = apply1(WithoutDerivative("k0", "modified_bessel_k0"), input)
    return result if out is None else into(out, result)


def modified_bessel_k1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise modified Bessel function K₁, of the second kind; no derivative.

    Math: y = K₁(x)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.special.modified_bessel_k1(torch.tensor([1.0]))
        tensor([0.6019])
    """
    result = apply1(WithoutDerivative("k1", "modified_bessel_k1"), input)
    return result if out is None else into(out, result)


def scaled_modified_bessel_k0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `exp(input) * modified_bessel_k0(input)`; no derivative.

    Math: y = e^x K₀(x)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.special.scaled_modified_bessel_k0(torch.tensor([1.0]))
        tensor([1.1445])
    """
    result = apply1(WithoutDerivative("k0e", "scaled_modified_bessel_k0"), input)
    return result if out is None else into(out, result)


def scaled_modified_bessel_k1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `exp(input) * modified_bessel_k1(input)`; no derivative.

    Math: y = e^x K₁(x)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.special.scaled_modified_bessel_k1(torch.tensor([1.0]))
        tensor([1.6362])
    """
    result = apply1(WithoutDerivative("k1e", "scaled_modified_bessel_k1"), input)
    return result if out is None else into(out, result)


class SphericalJ0(OfReals):
    """Spherical Bessel function of the first kind, order 0: sin(x) / x."""

    halves = False
    public = "spherical_bessel_j0"
    differentiable = False

    def forward(self, x: Any) -> Any:
        x = floating(x)
        return np.sinc(x / np.pi).astype(x.dtype)


def spherical_bessel_j0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
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
    result = apply1(SphericalJ0(), input)
    return result if out is None else into(out, result)
