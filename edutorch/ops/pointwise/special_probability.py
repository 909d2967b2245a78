"""The normal distribution, entropy, incomplete gamma functions, Hurwitz's zeta."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...autograd.dispatch import apply, apply1, apply2
from ...tensor.tensor import Tensor
from ..argument_checks import refuse_numbers
from ..argument_errors import parser_errors
from ..promotion import (
    RealPointwise,
    as_floating,
    in_dtype_of,
    promoted_floating,
    refuse_integral,
)
from ..registration import copyto, public
from .exponential import exp, log, log1p, product_or_zero
from .special_functions import (
    TWO_OVER_ROOT_PI,
    apply_to_numbers_too,
    erf,
    lgamma,
    number_as_array,
    scipy_function,
)
from .ternary import where
from .with_numbers import add_number, mul_number

__all__ = [
    "entr", "erfcx", "gammainc", "gammaincc", "log_ndtr", "ndtr", "ndtri", "xlog1py",
    "zeta",
]  # fmt: skip

ROOT_2_PI = math.sqrt(2 * math.pi)
HALF_ROOT = math.sqrt(0.5)


def ndtr(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise normal distribution function.

    Math: y = Φ(x)      ∂L/∂x = g · e^(-x²/2) / √(2π)
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.special.ndtr(torch.tensor([0.0, 1.0]))
        tensor([0.5000, 0.8413])
    """
    result = erf(mul_number(input, HALF_ROOT))
    result = mul_number(add_number(result, 1), 0.5)
    return result if out is None else copyto(out, result, "special_ndtr", (input,))


class Ndtri(RealPointwise):
    """Inverse of the normal distribution function.

    Math: y = Φ⁻¹(x)      ∂L/∂x = g · √(2π) · e^(y²/2)
    """

    accepts_half = False
    torch_name = "SpecialNdtri"
    saves = ()
    saves_output = True

    def forward(self, x: Any) -> Any:
        return scipy_function("ndtri", x)

    def backward(self, g: Any) -> Any:
        y = self.output
        return g * exp(y * y * 0.5) * ROOT_2_PI


def ndtri(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise inverse of the normal distribution function.

    Math: y = Φ⁻¹(x)      ∂L/∂x = g · √(2π) · e^(y²/2)
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers and half precision.

    Example:
        >>> import edutorch as torch
        >>> torch.special.ndtri(torch.tensor([0.5, 0.9]))
        tensor([0.0000, 1.2816])
    """
    result = apply1(Ndtri(), input)
    return result if out is None else copyto(out, result, "special_ndtri", (input,))


class LogNdtr(RealPointwise):
    """Logarithm of the normal distribution function.

    Math: y = ln Φ(x)      ∂L/∂x = g · √(2/π) / erfcx(-x/√2)
    """

    accepts_half = False
    torch_name = "SpecialLogNdtr"

    def forward(self, x: Any) -> Any:
        return scipy_function("log_ndtr", x)

    def backward(self, g: Any) -> Any:
        return g * math.sqrt(2 / math.pi) / erfcx(self.inputs[0] * -math.sqrt(0.5))


def log_ndtr(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise logarithm of the normal distribution function.

    Math: y = ln Φ(x)      ∂L/∂x = g · √(2/π) / erfcx(-x/√2)
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers and half precision.

    Example:
        >>> import edutorch as torch
        >>> torch.special.log_ndtr(torch.tensor([0.0, -3.0]))
        tensor([-0.6931, -6.6077])
    """
    result = apply1(LogNdtr(), input)
    return result if out is None else copyto(out, result, "special_log_ndtr", (input,))


class Erfcx(RealPointwise):
    """exp(x²) erfc(x), which does not underflow.

    Math: y = e^(x²) · erfc(x)      ∂L/∂x = g · (2 x y - 2/√π)
    """

    accepts_half = False
    torch_name = "SpecialErfcx"
    saves_output = True

    def forward(self, x: Any) -> Any:
        return scipy_function("erfcx", x)

    def backward(self, g: Any) -> Any:
        return g * (self.inputs[0] * self.output * 2 - TWO_OVER_ROOT_PI)


def erfcx(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `exp(input**2) * erfc(input)`.

    Math: y = e^(x²) · erfc(x)      ∂L/∂x = g · (2 x y - 2/√π)
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers and half precision.

    Example:
        >>> import edutorch as torch
        >>> torch.special.erfcx(torch.tensor([0.0, 10.0]))
        tensor([1.0000, 0.0561])
    """
    result = apply1(Erfcx(), input)
    return result if out is None else copyto(out, result, "special_erfcx", (input,))


class Entr(RealPointwise):
    """A term of the entropy: -x log x.

    Math: y = -x ln x, 0 at 0, -∞ below      ∂L/∂x = -g · (1 + ln x)
    """

    torch_name = "SpecialEntr"

    def forward(self, x: Any) -> Any:
        return scipy_function("entr", x)

    def backward(self, g: Any) -> Any:
        return -g * (log(self.inputs[0]) + 1)


def entr(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `-input * log(input)`.

    Math: y = -x ln x, 0 at 0, -∞ below      ∂L/∂x = -g · (1 + ln x)
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.special.entr(torch.tensor([0.0, 0.5]))
        tensor([0.0000, 0.3466])
    """
    result = apply1(Entr(), input)
    return result if out is None else copyto(out, result, "special_entr", (input,))


class Xlog1py(RealPointwise):
    """x log(1 + y), with the value 0 for x = 0.

    Math: z = x · ln(1 + y)      ∂L/∂x = g · ln(1 + y)      ∂L/∂y = g · x / (1 + y)
    """

    torch_name = "SpecialXlog1Py"

    def promote(self, x: Any, y: Any) -> tuple[Any, Any]:
        return promoted_floating(x, y)

    def forward(self, a: Any, b: Any) -> Any:
        a, b = as_floating(a), as_floating(b)
        return product_or_zero(a, b, np.log1p(b))

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        flat = (a == 0) & (b <= -1)
        ga = where(flat, 0, g * log1p(in_dtype_of(b, g))) if self.needs[0] else None
        return ga, g * a / (b + 1)


def xlog1py(input: Any, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `input * log1p(other)`, with the value 0 where `input` is 0.

    Math: z = x · ln(1 + y)      ∂L/∂x = g · ln(1 + y)      ∂L/∂y = g · x / (1 + y)
    Shape: (*), (*) -> (*), broadcast

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.special.xlog1py(torch.tensor([0.0, 2.0]), torch.tensor([-1.0, 1.0]))
        tensor([0.0000, 1.3863])
    """
    if not (isinstance(input, Tensor) or isinstance(other, Tensor)):
        refuse_numbers("special_xlog1py", input=input)
    return apply_to_numbers_too(Xlog1py(), input, other, out, "special_xlog1py")


class Zeta(RealPointwise):
    """The Hurwitz zeta function.

    Math: y = Σ_(k≥0) (k + q)^-x      ∂L/∂q = -g · x · ζ(x + 1, q); none for x
    """

    accepts_half = False
    torch_name = "SpecialZeta"

    def promote(self, x: Any, y: Any) -> tuple[Any, Any]:
        return promoted_floating(x, y)

    def forward(self, x: Any, q: Any) -> Any:
        return scipy_function("zeta", as_floating(x), as_floating(q))

    def backward(self, g: Any) -> Any:
        if self.needs[0]:
            raise NotImplementedError("the derivative for 'zeta' is not implemented.")
        x, q = self.inputs
        return None, g * -x * zeta(x + 1, q)


@parser_errors
def zeta(input: Any, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise Hurwitz zeta function with exponent `input` and start `other`.

    Math: y = Σ_(k≥0) (k + q)^-x      ∂L/∂q = -g · x · ζ(x + 1, q); none for x
    Shape: (*), (*) -> (*), broadcast

    Raises:
        NotImplementedError: for complex numbers and half precision.

    Example:
        >>> import edutorch as torch
        >>> torch.special.zeta(torch.tensor([2.0]), torch.tensor([1.0]))
        tensor([1.6449])
    """
    op = Zeta()
    if isinstance(input, Tensor) and not isinstance(other, Tensor):
        other, op.overload = number_as_array(other, input, "special_zeta"), 2
    elif not isinstance(input, Tensor) and isinstance(other, Tensor):
        input, op.overload = number_as_array(input, other, "special_zeta"), 1
    neither = not (isinstance(input, Tensor) or isinstance(other, Tensor))
    result = (apply2 if neither else apply)(op, input, other)
    return (
        result if out is None else copyto(out, result, "special_zeta", (input, other))
    )


class Igamma(RealPointwise):
    """Regularised lower incomplete gamma function.

    Math: y = 1/Γ(a) · ∫₀ˣ t^(a-1) e^-t dt      ∂L/∂x = g · x^(a-1) e^-x / Γ(a)
    """

    public = "igamma"
    takes_scalars = False
    function = "gammainc"
    sign = 1

    def check(self, a: Any, x: Any) -> None:
        super().check(a, x)
        refuse_integral(f"{self.public}_cpu", a, x)

    def promote(self, x: Any, y: Any) -> tuple[Any, Any]:
        return promoted_floating(x, y)

    def forward(self, a: Any, x: Any) -> Any:
        return scipy_function(self.function, a, x)

    def backward(self, g: Any) -> Any:
        if self.needs[0]:
            raise NotImplementedError(
                f"the derivative for '{self.public}: input' is not implemented."
            )
        a, x = self.inputs
        return None, g * exp((a - 1) * log(x) - x - lgamma(a)) * self.sign


class Igammac(Igamma):
    """Regularised upper incomplete gamma function.

    Math: y = 1/Γ(a) · ∫ₓ^∞ t^(a-1) e^-t dt      ∂L/∂x = -g · x^(a-1) e^-x / Γ(a)
    """

    public = "igammac"
    function = "gammaincc"
    sign = -1


@public("igamma", inplace="igamma_")
def gammainc(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise regularised lower incomplete gamma function.

    Math: y = 1/Γ(a) · ∫₀ˣ t^(a-1) e^-t dt      ∂L/∂x = g · x^(a-1) e^-x / Γ(a)
    Shape: (*), (*) -> (*), broadcast

    Raises:
        NotImplementedError: for integers and complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.special.gammainc(torch.tensor([1.0]), torch.tensor([1.0]))
        tensor([0.6321])
    """
    result = apply2(Igamma(), input, other)
    return result if out is None else copyto(out, result, "gammainc", (input, other))


@public("igammac", inplace="igammac_")
def gammaincc(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise regularised upper incomplete gamma function.

    Math: y = 1/Γ(a) · ∫ₓ^∞ t^(a-1) e^-t dt      ∂L/∂x = -g · x^(a-1) e^-x / Γ(a)
    Shape: (*), (*) -> (*), broadcast

    Raises:
        NotImplementedError: for integers and complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.special.gammaincc(torch.tensor([1.0]), torch.tensor([1.0]))
        tensor([0.3679])
    """
    result = apply2(Igammac(), input, other)
    return result if out is None else copyto(out, result, "gammaincc", (input, other))
