"""Error functions, gamma functions and logits, partly computed by SciPy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ... import dtypes
from ...autograd import modes as _m
from ...autograd.dispatch import apply1, apply2
from ...autograd.foreign_operands import accept_arrays
from ...autograd.half_precision import half_rounding
from ...backends.sparse import Compressed, Coo
from ...kernels.lazy_modules import special_module
from ...tensor.tensor import Tensor
from ..argument_checks import (
    number_of,
    refuse_numbers,
    tensor_of,
)
from ..argument_errors import invalid_combination
from ..int_arguments import int_of
from ..promotion import (
    RealPointwise,
    as_floating,
    common_dtype,
    in_dtype_of,
    promoted_floating,
)
from ..registration import copyto, public
from .exponential import exp, log, product_or_zero
from .ternary import where

__all__ = [
    "digamma", "erf", "erfc", "erfinv", "lgamma", "logit", "polygamma",
    "xlogy",
]  # fmt: skip

TWO_OVER_ROOT_PI = 2 / math.sqrt(math.pi)


def scipy_function(name: str, *arrays: Any) -> Any:
    """Compute a SciPy function in the dtype of the first array."""
    x = as_floating(arrays[0])
    y = getattr(special_module(x), name)(x, *arrays[1:])
    return y if y.dtype == x.dtype else y.astype(x.dtype)


class Erf(RealPointwise):
    """Error function.

    Math: y = 2/√π · ∫₀ˣ e^(-t²) dt      ∂L/∂x = g · 2/√π · e^(-x²)
    """

    kernel = "erf_vml_cpu"
    onnx = "Erf"
    vectorized = True

    def forward(self, x: Any) -> Any:
        return scipy_function("erf", x)

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        return g * exp(-x * x) * TWO_OVER_ROOT_PI


@public("erf", inplace="erf_")
def erf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise error function.

    Math: y = 2/√π · ∫₀ˣ e^(-t²) dt      ∂L/∂x = g · 2/√π · e^(-x²)
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.erf(torch.tensor([0.0, 1.0]))
        tensor([0.0000, 0.8427])
    """
    result = apply1(Erf(), input)
    return result if out is None else copyto(out, result, "erf", (input,))


class Erfc(RealPointwise):
    """1 - erf(x), accurate where erf is near 1.

    Math: y = 1 - erf(x)      ∂L/∂x = -g · 2/√π · e^(-x²)
    """

    kernel = "erfc_vml_cpu"

    def forward(self, x: Any) -> Any:
        return scipy_function("erfc", x)

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        return g * exp(-x * x) * -TWO_OVER_ROOT_PI


@public("erfc", inplace="erfc_")
def erfc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `1 - erf(input)`.

    Math: y = 1 - erf(x)      ∂L/∂x = -g · 2/√π · e^(-x²)
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.erfc(torch.tensor([0.0, 1.0]))
        tensor([1.0000, 0.1573])
    """
    result = apply1(Erfc(), input)
    return result if out is None else copyto(out, result, "erfc", (input,))


class Erfinv(RealPointwise):
    """Inverse of the error function.

    Math: y = erf⁻¹(x)      ∂L/∂x = g · √π/2 · e^(y²)
    """

    kernel = "erfinv_vml_cpu"

    def forward(self, x: Any) -> Any:
        x = as_floating(x)
        if isinstance(x, Compressed):
            return x.like(self.forward(x.values))
        y = scipy_function("erfinv", x)
        # SciPy makes -0 a 0. Sparse arrays do not have this function.
        return y if type(x) is Coo else np.copysign(y, x)

    def backward(self, g: Any) -> Any:
        y = apply1(Erfinv(), self.inputs[0])  # the result may have been changed
        return g * exp(y * y) * (1 / TWO_OVER_ROOT_PI)


@public("erfinv", inplace="erfinv_")
def erfinv(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise inverse of the error function; infinite at -1 and 1.

    Math: y = erf⁻¹(x)      ∂L/∂x = g · √π/2 · e^(y²)
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.erfinv(torch.tensor([0.0, 0.5]))
        tensor([0.0000, 0.4769])
    """
    if _m.special_modes and erfinv in _m.modes.autocast:
        return _m.autocast(erfinv, input, out=out)
    result = apply1(Erfinv(), input)
    return result if out is None else copyto(out, result, "erfinv", (input,))


class Lgamma(RealPointwise):
    """Logarithm of the absolute value of the gamma function.

    Math: y = ln |Γ(x)|      ∂L/∂x = g · digamma(x)
    """

    kernel = "lgamma_vml_cpu"

    def forward(self, x: Any) -> Any:
        x = as_floating(x)
        y = scipy_function("gammaln", x)
        y = np.where(np.isneginf(x), np.inf, y).astype(y.dtype)
        # Near 0, where SciPy's is infinite, |Γ(x)| is 1 / |x|.
        return np.where(np.isinf(y) & (abs(x) < 1), -np.log(abs(x)), y).astype(y.dtype)

    def backward(self, g: Any) -> Any:
        return g * digamma(self.inputs[0])


@public("lgamma", inplace="lgamma_")
def lgamma(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise logarithm of the absolute value of the gamma function.

    Math: y = ln |Γ(x)|      ∂L/∂x = g · digamma(x)
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.lgamma(torch.tensor([1.0, 5.0]))
        tensor([0.0000, 3.1781])
    """
    result = apply1(Lgamma(), input)
    return result if out is None else copyto(out, result, "lgamma", (input,))


class Digamma(RealPointwise):
    """Derivative of the logarithm of the gamma function.

    Math: y = Γ'(x) / Γ(x)      ∂L/∂x = g · polygamma(1, x)
    """

    kernel = "digamma"

    def forward(self, x: Any) -> Any:
        return scipy_function("digamma", x)

    def backward(self, g: Any) -> Any:
        return g * polygamma(1, self.inputs[0])


@public("digamma", inplace="digamma_")
def digamma(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise derivative of the logarithm of the gamma function.

    Math: y = Γ'(x) / Γ(x)      ∂L/∂x = g · polygamma(1, x)
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.digamma(torch.tensor([1.0, 0.5]))
        tensor([-0.5772, -1.9635])
    """
    result = apply1(Digamma(), input)
    return result if out is None else copyto(out, result, "digamma", (input,))


class Polygamma(RealPointwise):
    """The n-th derivative of digamma.

    Math: y = ψ⁽ⁿ⁾(x)      ∂L/∂x = g · ψ⁽ⁿ⁺¹⁾(x)
    """

    attributes = ("n",)

    def __init__(self, n: int) -> None:
        self.n = n
        self.kernel = "digamma" if n == 0 else "trigamma" if n == 1 else "polygamma"

    def forward(self, x: Any) -> Any:
        n, x = self.n, as_floating(x)
        if n == 0:
            return scipy_function("digamma", x)
        if n == 1:
            return _trigamma(x)
        size = math.factorial(n) * (1 if n % 2 else -1)
        order = np.asarray(n + 1, x.dtype)
        return (
            size * scipy_function("zeta", np.broadcast_to(order, x.shape), x)
        ).astype(x.dtype)

    def backward(self, g: Any) -> Any:
        return g * polygamma(self.n + 1, self.inputs[0])


def _trigamma(x: Any) -> Any:
    """The derivative of digamma, reflected for negative numbers."""
    below = x < 0.5
    y = scipy_function("zeta", np.full_like(x, 2), np.where(below, 1 - x, x))
    return np.where(below, (np.pi / np.sin(np.pi * x)) ** 2 - y, y).astype(x.dtype)


def polygamma(n: int, input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise n-th derivative of digamma.

    Math: y = ψ⁽ⁿ⁾(x)      ∂L/∂x = g · ψ⁽ⁿ⁺¹⁾(x)
    Shape: (*) -> (*)

    Raises:
        RuntimeError: if `n` is negative.

    Example:
        >>> import edutorch as torch
        >>> torch.polygamma(1, torch.tensor([1.0, 0.5]))
        tensor([1.6449, 4.9348])
    """
    n = int_of(n, "n", "polygamma")
    if n < 0:
        tensor_of(input, "polygamma")
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    result = apply1(Polygamma(n), input)
    return result if out is None else copyto(out, result, "polygamma", (input,))


@public("polygamma", inplace="polygamma_")
def _tensor_polygamma(input: Tensor, n: int) -> Tensor:
    """`polygamma` with the tensor first.

    Math: y = ψ⁽ⁿ⁾(x)      ∂L/∂x = g · ψ⁽ⁿ⁺¹⁾(x)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.0]).polygamma(1)
        tensor([1.6449])
    """
    return polygamma(n, input)


class Logit(RealPointwise):
    """The inverse of the sigmoid.

    Math: y = ln(z / (1 - z)), z = x limited to [eps, 1 - eps]
          ∂L/∂x = g / (x · (1 - x)), 0 (without eps: nan) outside the limits
    """

    forward_in_single = False
    attributes = ("eps",)

    def __init__(self, eps: float | None) -> None:
        self.eps = eps

    def forward(self, x: Any) -> Any:
        x = as_floating(x)
        if self.eps is not None:
            low, high = x.dtype.type(self.eps), x.dtype.type(1 - self.eps)
            x = np.where(x < low, low, np.where(x > high, high, x))
        return np.log(x / (1 - x))

    def backward(self, g: Any) -> Any:
        x, eps = self.inputs[0], self.eps
        gx = g / where(x == 0, 0, x * (1 - x))  # +0, whatever the sign of x
        if eps is None or eps < 0:
            return where((x < 0) | (x > 1), float("nan"), gx)
        return where((x < eps) | (x > 1 - eps), 0, gx)


@public("logit", inplace="logit_")
def logit(
    input: Tensor, eps: float | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Elementwise inverse of the sigmoid.

    Math: y = ln(z / (1 - z)), z = x limited to [eps, 1 - eps]
          ∂L/∂x = g / (x · (1 - x)), 0 (without eps: nan) outside the limits
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.logit(torch.tensor([0.5, 0.9]))
        tensor([0.0000, 2.1972])
    """
    if eps is not None:
        eps = number_of(eps, "eps", "logit", "float")
    result = apply1(Logit(eps), input)
    return result if out is None else copyto(out, result, "logit", (input,))


class Xlogy(RealPointwise):
    """x log y, with the value 0 for x = 0.

    Math: z = x · ln y      ∂L/∂x = g · ln y      ∂L/∂y = g · x / y
    """

    rounded: Any = None

    def check(self, *operands: Any) -> None:
        """Round the logarithm of 16-bit floats, as PyTorch's kernel does."""
        super().check(*operands)
        if all(hasattr(getattr(x, "_data", x), "dtype") for x in operands):
            self.rounded = half_rounding(*operands)

    def promote(self, x: Any, y: Any) -> tuple[Any, Any]:
        return promoted_floating(x, y)

    def forward(self, a: Any, b: Any) -> Any:
        a, b = as_floating(a), as_floating(b)
        logs = np.log(b) if self.rounded is None else self.rounded(np.log(b))
        return product_or_zero(a, b, logs)

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        flat = (a == 0) & (b <= 0)
        ga = where(flat, 0, g * log(in_dtype_of(b, g))) if self.needs[0] else None
        return ga, g * a / b


def number_as_array(number: Any, x: Any, function: str) -> Any:
    """A number as an array that does not promote `x`.

    Raises:
        TypeError: for arguments that are not numbers, in the name of the function.
        OverflowError: for integers beyond 64 bits.
    """
    if not isinstance(number, (int, float, complex, np.generic)):
        raise invalid_combination(function)
    dtypes.of_number(number)
    if isinstance(number, complex):
        return np.asarray(number, common_dtype(getattr(x, "_data", x), number).numpy)
    return np.asarray(number, as_floating(getattr(x, "_data", x)).dtype)


def apply_to_numbers_too(
    op: RealPointwise, input: Any, other: Any, out: Tensor | None, function: str
) -> Tensor:
    """Run `op` on two operands, one of which may be a number."""
    if not isinstance(other, Tensor):
        other, op.overload = number_as_array(other, input, function), 2
    elif not isinstance(input, Tensor):
        input, op.overload = number_as_array(input, other, function), 1
    with accept_arrays():
        result = apply2(op, input, other)
    return result if out is None else copyto(out, result, function, (input, other))


@public("xlogy", inplace="xlogy_")
def xlogy(input: Any, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `input * log(other)`, with the value 0 where `input` is 0.

    Math: z = x · ln y      ∂L/∂x = g · ln y      ∂L/∂y = g · x / y
    Shape: (*), (*) -> (*), broadcast

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.xlogy(torch.tensor([0.0, 2.0]), torch.tensor([0.0, 1.0]))
        tensor([0., 0.])
    """
    if not (isinstance(input, Tensor) or isinstance(other, Tensor)):
        refuse_numbers("xlogy", input=input)
    return apply_to_numbers_too(Xlogy(), input, other, out, "xlogy")
