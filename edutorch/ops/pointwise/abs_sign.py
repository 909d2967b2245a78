"""Magnitude and sign of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import apply1, apply2
from ...backends.sparse import Compressed, SparseArray
from ...kernels.memory_format import copy_preserving_strides, row_major
from ...tensor.tensor import Tensor
from ..argument_checks import type_error
from ..promotion import Pointwise, as_floating, promoted_floating
from ..registration import attach, copyto, public
from .conjugate import conj, zeros
from .ternary import where

__all__ = [
    "abs", "absolute", "angle", "copysign", "positive", "sgn", "sign", "signbit",
]  # fmt: skip


class Abs(Pointwise):
    """Absolute value.

    Math: y = |x|      ∂L/∂x = g · sgn(x), which is 0 at 0
    """

    elementwise = True
    takes_float8 = True
    onnx = "Abs"
    complex32 = "single"

    def check(self, x: Any) -> None:
        if x._data.dtype.kind == "b":
            raise NotImplementedError("\"abs_cpu\" not implemented for 'Bool'")

    def forward(self, x: Any) -> Any:
        return np.abs(x)

    def backward(self, g: Any) -> Any:
        return g * sgn(self.inputs[0])


def _refuse_complex(input: Tensor) -> None:
    """Refuse complex numbers, whose sizes are real, for the variant in place.

    Raises:
        RuntimeError: for them.
    """
    if input.is_complex():
        raise RuntimeError("In-place abs is not supported for complex tensors.")


@public("abs", "absolute", "__abs__", inplace="abs_", before=_refuse_complex)
def abs(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise absolute value.

    Math: y = |x|      ∂L/∂x = g · sgn(x), which is 0 at 0
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for booleans.

    Example:
        >>> import edutorch as torch
        >>> torch.abs(torch.tensor([-1, 2]))
        tensor([1, 2])
    """
    result = apply1(Abs(), input)
    if out is None:
        return result
    variant = "complex" * input.is_complex()  # whose result is converted
    if variant and isinstance(out, Tensor) and out.is_complex():
        result, variant = result.to(input.dtype), ""
    return copyto(out, result, "abs", (input,), variant=variant)


absolute = abs
attach(absolute_=Tensor.abs_)


class Sign(Pointwise):
    """The sign: -1, 0 or 1.

    Math: y = x / |x|, 0 at 0      ∂L/∂x = 0
    """

    onnx = "Sign"
    saves = ()

    def check(self, x: Any) -> None:
        if x._data.dtype.kind in "cW":
            raise NotImplementedError(
                "Unlike NumPy, torch.sign is not intended to support complex numbers. "
                "Please use torch.sgn instead."
            )

    def forward(self, x: Any) -> Any:
        return sign_of(x)

    def backward(self, g: Any) -> Any:
        return zeros(g)


def sign_of(x: Any) -> Any:
    """The sign of real numbers as an array; 0 for nan."""
    if x.dtype.kind == "b":
        return copy_preserving_strides(x)
    return np.subtract(x > 0, x < 0, dtype=x.dtype)


@public("sign", inplace="sign_")
def sign(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise sign: -1, 0 or 1.

    Math: y = x / |x|, 0 at 0      ∂L/∂x = 0
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.sign(torch.tensor([-2.0, 0.0, 3.0]))
        tensor([-1.,  0.,  1.])
    """
    result = apply1(Sign(), input)
    return result if out is None else copyto(out, result, "sign", (input,))


class Sgn(Pointwise):
    """The sign of a real number, or x / |x| of a complex one.

    Math: y = x / |x|, 0 at 0
          ∂L/∂x = 0 for reals, (g - y · Re(conj(g) · y)) / |x| for complex numbers
    """

    saves_output = True
    complex32 = "single"

    def forward(self, x: Any) -> Any:
        if x.dtype.kind not in "cW":
            return sign_of(x)
        if isinstance(x, SparseArray):
            return x.like(self.forward(x.values))
        # Unlike NumPy's, the sign of an infinite number that is not real is nan.
        return np.where(np.isinf(x), complex(np.nan, np.nan), np.sign(x)).astype(
            x.dtype
        )

    def backward(self, g: Any) -> Any:
        x, y = self.inputs[0], self.output
        if not is_complex(x):
            return zeros(g)
        none = x == 0
        size = where(none, 1, abs(x))  # derivatives of the formula are 0 there, too
        along = (conj(g) * y + g * conj(y)) / 2
        return where(none, 0, (g - y * along) / size)


def is_complex(x: Any) -> bool:
    """Whether the elements of an array or tensor are complex, for formulas."""
    return bool(getattr(x, "_data", x).dtype.kind in "cW")


@public("sgn", inplace="sgn_")
def sgn(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise sign, or x / |x| for complex numbers.

    Math: y = x / |x|, 0 at 0
          ∂L/∂x = 0 for reals, (g - y · Re(conj(g) · y)) / |x| for complex numbers
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.sgn(torch.tensor([-2.0, 0.0, 3.0]))
        tensor([-1.,  0.,  1.])
    """
    result = apply1(Sgn(), input)
    return result if out is None else copyto(out, result, "sgn", (input,))


class Angle(Pointwise):
    """The angle of a complex number; 0 or π for reals.

    Math: y = atan2(Im x, Re x)      ∂L/∂x = 0 for reals, i · g · x / |x|² else
    """

    def forward(self, x: Any) -> Any:
        if isinstance(x, Compressed):
            return x.like(self.forward(x.values))
        if x.dtype.kind in "cW":
            return row_major(np.angle(x))
        x = as_floating(x)
        return np.where(np.isnan(x), x, np.where(x < 0, np.pi, 0)).astype(x.dtype)

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        if not is_complex(x):
            return zeros(g)
        none = x == 0
        return where(none, 0, g * 1j * x / where(none, 1, abs(x * x)))


@public("angle")
def angle(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise angle in radians; for reals, π below 0 and otherwise 0.

    Math: y = atan2(Im x, Re x)
          ∂L/∂x = 0 for reals, i · g · x / |x|² else
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.angle(torch.tensor([-1.0, 2.0]))
        tensor([3.1416, 0.0000])
    """
    result = apply1(Angle(), input)
    if out is None:
        return result
    converted = input.is_complex() and isinstance(out, Tensor) and not out.is_complex()
    variant = "complex" * converted
    return copyto(out, result, "angle", (input,), variant=variant)


class Signbit(Pointwise):
    """Whether the sign bit is set (also for -0.0)."""

    differentiable = False

    def check(self, x: Any) -> None:
        if x._data.dtype.kind in "cW":
            raise NotImplementedError("signbit is not implemented for complex tensors.")

    def forward(self, x: Any) -> Any:
        return x < 0 if x.dtype.kind in "iub" else np.signbit(x)


@public("signbit")
def signbit(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise whether the sign bit is set.

    Math: y = x < 0, or x is -0.0
    Shape: (*) -> (*), bool

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.signbit(torch.tensor([-0.0, 0.0, -1.0]))
        tensor([ True, False,  True])
    """
    result = apply1(Signbit(), input)
    return result if out is None else copyto(out, result, "signbit", (input,))


class CopySign(Pointwise):
    """The magnitude of one tensor with the sign of another.

    Math: y = |a| · sgn(b)      ∂L/∂a = g · y / a, 0 where a is 0      ∂L/∂b = 0
    """

    public = "copysign"
    torch_name = "Copysign"
    takes_scalar_first = False
    saves = (0,)
    saves_for = {0: 0}  # noqa: RUF012 (a table, not a state)
    saves_output = True

    @property
    def constants(self) -> tuple[int, ...]:
        """Treat numbers as constants, which have no edge in the graph."""
        return (1,) if self.overload else ()

    def promote(self, x: Any, y: Any) -> tuple[Any, Any]:
        return promoted_floating(x, y)

    def forward(self, a: Any, b: Any) -> Any:
        return np.copysign(as_floating(a), as_floating(b) if hasattr(b, "dtype") else b)

    def backward(self, g: Any) -> Any:
        ga, a = None, self.inputs[0]
        if self.needs[0]:
            ga = g * (self.output / where(a == 0, 1, a))
        return ga, zeros(g) if self.needs[1] else None


@public("copysign", inplace="copysign_")
def copysign(input: Tensor, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise magnitude of `input` with the sign of `other`.

    Math: y = |a| · sgn(b)      ∂L/∂a = g · y / a, 0 where a is 0      ∂L/∂b = 0
    Shape: (*), (*) -> (*), broadcast

    Example:
        >>> import edutorch as torch
        >>> torch.copysign(torch.tensor([1.0, -2.0]), torch.tensor([-3.0, 4.0]))
        tensor([-1.,  2.])
    """
    op = CopySign()
    if not isinstance(other, Tensor):
        op.overload = 1
    result = apply2(op, input, other)
    return result if out is None else copyto(out, result, "copysign", (input, other))


@public("positive", "__pos__")
def positive(input: Tensor) -> Tensor:
    """The tensor itself.

    Math: y = x      ∂L/∂x = g
    Shape: (*) -> (*)

    Raises:
        RuntimeError: for boolean tensors.

    Example:
        >>> import edutorch as torch
        >>> +torch.tensor([1, -2])
        tensor([ 1, -2])
    """
    if not isinstance(input, Tensor):
        raise type_error("Tensor", "input", input, "positive")
    if input._data.dtype.kind == "b":
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input
