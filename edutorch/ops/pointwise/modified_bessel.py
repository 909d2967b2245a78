"""Modified Bessel functions."""

from __future__ import annotations

from typing import Any

from ...autograd.dispatch import apply1
from ...tensor.tensor import Tensor
from ..promotion import RealPointwise
from ..registration import copyto, public
from .abs_sign import sgn
from .bessel import WithoutDerivative
from .special_functions import scipy_function
from .ternary import where

__all__ = [
    "i0", "i0e", "i1", "i1e", "modified_bessel_i0", "modified_bessel_i1",
    "modified_bessel_k0", "modified_bessel_k1", "scaled_modified_bessel_k0",
    "scaled_modified_bessel_k1",
]  # fmt: skip


class I0(RealPointwise):
    """Modified Bessel function of the first kind, order 0.

    Math: y = I₀(x)      ∂L/∂x = g · I₁(x)
    """

    kernel = "i0_vml_cpu"
    public = "i0"

    def forward(self, x: Any) -> Any:
        return scipy_function("i0", x)

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
    return result if out is None else copyto(out, result, "i0", (input,))


class I0e(RealPointwise):
    """I₀ scaled by e^-|x|, so that it does not overflow.

    Math: y = e^-|x| I₀(x)      ∂L/∂x = g · (i1e(x) - sgn(x) · y)
    """

    public = "i0e"
    torch_name = "SpecialI0E"
    saves_output = True

    def forward(self, x: Any) -> Any:
        return scipy_function("i0e", x)

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
    return result if out is None else copyto(out, result, "special_i0e", (input,))


class I1(RealPointwise):
    """Modified Bessel function of the first kind, order 1.

    Math: y = I₁(x)      ∂L/∂x = g · (I₀(x) - y / x), g / 2 at 0
    """

    public = "i1"
    torch_name = "SpecialI1"
    saves_output = True

    def forward(self, x: Any) -> Any:
        return scipy_function("i1", x)

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        flat = (x == 0) | (x != x)  # of nan, PyTorch gives the slope at 0
        safe = where(flat, 1, x)
        return g * where(flat, 0.5, i0(safe) - self.output / safe)


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
    return result if out is None else copyto(out, result, "special_i1", (input,))


class I1e(RealPointwise):
    """I₁ scaled by e^-|x|, so that it does not overflow.

    Math: y = e^-|x| I₁(x)      ∂L/∂x = g · (i0e(x) - y · (sgn(x) + 1 / x)), g / 2 at 0
    """

    public = "i1e"
    torch_name = "SpecialI1E"
    saves_output = True

    def forward(self, x: Any) -> Any:
        return scipy_function("i1e", x)

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        flat = (x == 0) | (x != x)  # of nan, PyTorch gives the slope at 0
        safe = where(flat, 1, x)
        derivative = i0e(safe) - self.output * (sgn(safe) + 1 / safe)
        return g * where(flat, 0.5, derivative)


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
    return result if out is None else copyto(out, result, "special_i1e", (input,))


def modified_bessel_i0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise I₀; unlike `i0` it has no derivative.

    Math: y = I₀(x)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.special.modified_bessel_i0(torch.tensor([1.0]))
        tensor([1.2661])
    """
    result = apply1(WithoutDerivative("i0", "modified_bessel_i0"), input)
    if out is None:
        return result
    return copyto(out, result, "special_modified_bessel_i0", (input,))


def modified_bessel_i1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise I₁; unlike `i1` it has no derivative.

    Math: y = I₁(x)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.special.modified_bessel_i1(torch.tensor([1.0]))
        tensor([0.5652])
    """
    result = apply1(WithoutDerivative("i1", "modified_bessel_i1"), input)
    if out is None:
        return result
    return copyto(out, result, "special_modified_bessel_i1", (input,))


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
    if out is None:
        return result
    return copyto(out, result, "special_modified_bessel_k0", (input,))


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
    if out is None:
        return result
    return copyto(out, result, "special_modified_bessel_k1", (input,))


def scaled_modified_bessel_k0(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `exp(x) * modified_bessel_k0(x)`; no derivative.

    Math: y = e^x K₀(x)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.special.scaled_modified_bessel_k0(torch.tensor([1.0]))
        tensor([1.1445])
    """
    result = apply1(WithoutDerivative("k0e", "scaled_modified_bessel_k0"), x)
    if out is None:
        return result
    return copyto(out, result, "special_scaled_modified_bessel_k0", (x,))


def scaled_modified_bessel_k1(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `exp(x) * modified_bessel_k1(x)`; no derivative.

    Math: y = e^x K₁(x)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.special.scaled_modified_bessel_k1(torch.tensor([1.0]))
        tensor([1.6362])
    """
    result = apply1(WithoutDerivative("k1e", "scaled_modified_bessel_k1"), x)
    if out is None:
        return result
    return copyto(out, result, "special_scaled_modified_bessel_k1", (x,))
