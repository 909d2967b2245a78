"""Number theory, neighbouring floats, replacing nan: gcd, nextafter, nan_to_num."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd.dispatch import Op, apply, apply1, apply2
from ...autograd.inplace import check_memory
from ...backends.sparse import SparseArray
from ...kernels.memory_format import copy_preserving_strides
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors, refuse_complex_gradients, type_error
from ..promotion import Pointwise, common_dtype, refuse_integral
from ..registration import copyto, public
from ..return_types import return_type
from .conjugate import zeros
from .ternary import masked

__all__ = ["frexp", "gcd", "heaviside", "lcm", "nan_to_num", "nextafter"]

frexp_type = return_type("frexp", "mantissa", "exponent")


class _IntegersOnly(Pointwise):
    """Base class of ops on integers only."""

    differentiable = False
    takes_scalars = False

    def check(self, a: Any, b: Any) -> None:
        found = common_dtype(a._data, b._data)
        if found.numpy.kind not in "iu":
            raise NotImplementedError(
                f"\"{self.public}_cpu\" not implemented for '{found.short}'"
            )


class Gcd(_IntegersOnly):
    """Greatest common divisor."""

    def forward(self, a: Any, b: Any) -> Any:
        return np.gcd(a, b)


@public("gcd", inplace="gcd_")
def gcd(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise greatest common divisor.

    Math: y = the largest d that divides a and b
    Shape: (*), (*) -> (*), broadcast

    Raises:
        NotImplementedError: for other than integers.

    Example:
        >>> import edutorch as torch
        >>> torch.gcd(torch.tensor([12, 9]), torch.tensor([8, 6]))
        tensor([4, 3])
    """
    result = apply2(Gcd(), input, other)
    return result if out is None else copyto(out, result, "gcd", (input, other))


class Lcm(_IntegersOnly):
    """Least common multiple."""

    def forward(self, a: Any, b: Any) -> Any:
        return np.lcm(a, b)


@public("lcm", inplace="lcm_")
def lcm(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise least common multiple.

    Math: y = |a · b| / gcd(a, b)
    Shape: (*), (*) -> (*), broadcast

    Raises:
        NotImplementedError: for other than integers.

    Example:
        >>> import edutorch as torch
        >>> torch.lcm(torch.tensor([4, 3]), torch.tensor([6, 5]))
        tensor([12, 15])
    """
    result = apply2(Lcm(), input, other)
    return result if out is None else copyto(out, result, "lcm", (input, other))


class Nextafter(Pointwise):
    """The next floating-point number in the direction of another.

    Math: y = a ± one unit in the last place      ∂L/∂a = g where a ≠ b      ∂L/∂b = 0
    """

    forward_in_single = False
    takes_scalars = False

    def check(self, a: Any, b: Any) -> None:
        refuse_integral("nextafter_cpu", a, b)

    def forward(self, a: Any, b: Any) -> Any:
        return np.nextafter(a, b)

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        return masked(g, a != b), zeros(g) if self.needs[1] else None


@public("nextafter", inplace="nextafter_")
def nextafter(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise next floating-point number from `input` towards `other`.

    Math: y = a ± one unit in the last place      ∂L/∂a = g where a ≠ b      ∂L/∂b = 0
    Shape: (*), (*) -> (*), broadcast

    Raises:
        NotImplementedError: for other than floating numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.nextafter(torch.tensor([1.0]), torch.tensor([2.0])) - 1
        tensor([1.1921e-07])
    """
    result = apply2(Nextafter(), input, other)
    return result if out is None else copyto(out, result, "nextafter", (input, other))


class Heaviside(Pointwise):
    """The Heaviside step function.

    Math: y = 0 where x < 0, v where x = 0, 1 where x > 0, no derivative
    """

    takes_scalars = False
    constants = (0, 1)  # PyTorch's node has edges only where needed

    def name(self) -> str:
        """PyTorch's name of the node, which has no derivative."""
        return "torch::autograd::NotImplemented"

    def check(self, x: Any, values: Any) -> None:
        if x.dtype.is_complex or values.dtype.is_complex:
            raise RuntimeError("heaviside is not yet implemented for complex tensors.")
        if x.dtype is not values.dtype:
            raise RuntimeError(
                "heaviside is not yet implemented for tensors with different dtypes."
            )

    def forward(self, x: Any, values: Any) -> Any:
        step = (x > 0).astype(x.dtype)
        return np.where(x == 0, values, step)


@public("heaviside", inplace="heaviside_")
def heaviside(input: Tensor, values: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise Heaviside step function, with `values` at 0; no derivative.

    Math: y = 0 where x < 0, v where x = 0, 1 where x > 0
    Shape: (*), (*) -> (*), broadcast

    Raises:
        RuntimeError: for different dtypes.

    Example:
        >>> import edutorch as torch
        >>> torch.heaviside(torch.tensor([-1.0, 0.0, 2.0]), torch.tensor([0.5]))
        tensor([0.0000, 0.5000, 1.0000])
    """
    result = apply2(Heaviside(), input, values)
    if out is None:
        return result
    variant = "complex" if isinstance(out, Tensor) and out.is_complex() else ""
    return copyto(out, result, "heaviside", (input, values), variant=variant)


class NanToNum(Pointwise):
    """Replaces nan and infinities by numbers.

    Math: y = x where x is finite      ∂L/∂x = g there, else 0
    """

    forward_in_single = False
    attributes = ("nan", "posinf", "neginf")
    float8_kernel = "nan_to_num"

    def __init__(self, nan: Any, posinf: Any, neginf: Any) -> None:
        self.nan, self.posinf, self.neginf = nan, posinf, neginf

    def forward(self, x: Any) -> Any:
        if isinstance(x, SparseArray):  # elements not stored remain zero
            once = x.unique()
            return once.like(self.forward(once.values))
        y = copy_preserving_strides(x)
        if x.dtype.kind in "cW":
            y.real, y.imag = self.replace(y.real), self.replace(y.imag)
            return y
        return y if x.dtype.kind in "iub" else self.replace(y)

    def replace(self, x: Any) -> Any:
        """Replace nan and infinities in an array."""
        limits = dtypes.finfo(dtypes.of_numpy[x.dtype])
        most = limits.max if self.posinf is None else self.posinf
        least = limits.min if self.neginf is None else self.neginf
        lost, above, below = np.isnan(x), x == np.inf, x == -np.inf
        x[lost] = 0 if self.nan is None else self.nan
        x[above], x[below] = most, least
        return x

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        finite = np.isfinite(getattr(x, "_data", x))
        return masked(g, finite) if finite.dtype.kind == "b" else g


def _refuse_repeated_floats(input: Tensor, result: Tensor) -> None:
    """Refuse expanded memory, unless nothing is written, as to integers."""
    if input._data.dtype.kind not in "iub":
        check_memory(input)


@public("nan_to_num", inplace="nan_to_num_", fit=_refuse_repeated_floats)
def nan_to_num(
    input: Tensor, nan: float | None = None, posinf: float | None = None,
    neginf: float | None = None, *, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Replace nan by 0 and infinities by the largest finite numbers, or by given ones.

    Math: y = x where x is finite      ∂L/∂x = g there, else 0
    Shape: (*) -> (*)

    Raises:
        TypeError: for replacements that are not numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.nan_to_num(torch.tensor([float("nan"), float("inf")]), posinf=1.0)
        tensor([0., 1.])
    """
    for name, value in (("nan", nan), ("posinf", posinf), ("neginf", neginf)):
        if value is not None and not isinstance(value, (int, float)):
            raise type_error("float", name, value, "nan_to_num")
    result = apply1(NanToNum(nan, posinf, neginf), input)
    refuse_complex_gradients("nan_to_num", result)
    return result if out is None else copyto(out, result, "nan_to_num", (input,))


class Frexp(Op):
    """Mantissa and exponent.

    Math: x = m · 2^e, 1/2 <= |m| < 1      ∂L/∂x = g / 2^e
    """

    multiple_outputs = True
    saves = ()
    saves_extra = True

    def check(self, x: Any) -> None:
        if x._data.dtype.kind not in "fV":
            raise RuntimeError("torch.frexp() only supports floating-point dtypes")

    def forward(self, x: Any) -> Any:
        mantissa, self.saved = np.frexp(x)
        return mantissa, self.saved

    def backward(self, g: Any, _g_exponent: Any) -> Any:
        scale = np.exp2(-self.saved.astype(np.float64))
        return g * scale.astype(getattr(g, "_data", g).dtype)


@public("frexp")
def frexp(input: Tensor, *, out: Any = None) -> Any:
    """Elementwise mantissa and exponent.

    Math: x = m · 2^e, 1/2 <= |m| < 1      ∂L/∂x = g / 2^e
    Shape: (*) -> two of (*)

    Raises:
        RuntimeError: for other than floating numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.frexp(torch.tensor([8.0])).exponent
        tensor([4], dtype=torch.int32)
    """
    need_tensors("frexp", input=input)
    result = frexp_type(*apply(Frexp(), input))
    return result if out is None else copyto(out, result, "frexp", (input,))
