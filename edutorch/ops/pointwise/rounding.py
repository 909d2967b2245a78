"""Rounding to integers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import apply1
from ...kernels.memory_format import copy_preserving_strides
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors
from ..dims import ABSENT
from ..int_arguments import int_of
from ..promotion import Pointwise, refuse_dtype
from ..registration import attach, copyto, public
from .conjugate import zeros

__all__ = ["ceil", "fix", "floor", "frac", "round", "trunc"]


class _Rounding(Pointwise):
    """Base class of rounding ops: the gradient is zero, and integers are unchanged.

    Math: ∂L/∂x = 0
    """

    saves = ()
    function: Any = None

    def check(self, x: Any) -> None:
        if x._data.dtype.kind in "cW":
            raise NotImplementedError(
                f"{self.public} is not supported for complex inputs"
            )
        if x._data.dtype.kind == "b":
            raise NotImplementedError(
                f"\"{self.public}_vml_cpu\" not implemented for 'Bool'"
            )

    def forward(self, x: Any) -> Any:
        return copy_preserving_strides(x) if x.dtype.kind in "iub" else self.function(x)

    def backward(self, g: Any) -> Any:
        return zeros(g)


class Floor(_Rounding):
    """The largest integer not above x.

    Math: y = ⌊x⌋      ∂L/∂x = 0
    """

    onnx = "Floor"
    function = np.floor
    vectorized = True


@public("floor", inplace="floor_")
def floor(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise rounding down.

    Math: y = ⌊x⌋      ∂L/∂x = 0
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers and booleans.

    Example:
        >>> import edutorch as torch
        >>> torch.floor(torch.tensor([1.5, -1.5]))
        tensor([ 1., -2.])
    """
    result = apply1(Floor(), input)
    return result if out is None else copyto(out, result, "floor", (input,))


class Ceil(_Rounding):
    """The smallest integer not below x.

    Math: y = ⌈x⌉      ∂L/∂x = 0
    """

    onnx = "Ceil"
    function = np.ceil
    vectorized = True


@public("ceil", inplace="ceil_")
def ceil(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise rounding up.

    Math: y = ⌈x⌉      ∂L/∂x = 0
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers and booleans.

    Example:
        >>> import edutorch as torch
        >>> torch.ceil(torch.tensor([1.5, -1.5]))
        tensor([ 2., -1.])
    """
    result = apply1(Ceil(), input)
    return result if out is None else copyto(out, result, "ceil", (input,))


class Trunc(_Rounding):
    """The integer part, truncated towards 0.

    Math: y = sgn(x) · ⌊|x|⌋      ∂L/∂x = 0
    """

    function = np.trunc
    vectorized = True


@public("trunc", "fix", inplace="trunc_")
def trunc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise rounding towards 0.

    Math: y = sgn(x) · ⌊|x|⌋      ∂L/∂x = 0
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers and booleans.

    Example:
        >>> import edutorch as torch
        >>> torch.trunc(torch.tensor([1.5, -1.5]))
        tensor([ 1., -1.])
    """
    result = apply1(Trunc(), input)
    return result if out is None else copyto(out, result, "trunc", (input,))


fix = trunc
attach(fix_=Tensor.trunc_)


class Round(_Rounding):
    """x rounded to a number of decimals, halves to even.

    Math: y = round(x · 10^d) / 10^d      ∂L/∂x = 0
    """

    onnx = "Round"
    attributes = ("decimals",)
    decimals: int = 0
    vectorized = True

    def check(self, x: Any) -> None:
        if x._data.dtype.kind in "cW":
            refuse_dtype("round_cpu" if self.decimals else "round_vml_cpu", x.dtype)
        super().check(x)

    def forward(self, x: Any) -> Any:
        d = self.decimals
        if x.dtype.kind in "iub":
            return copy_preserving_strides(x)
        if d == 0:
            return np.rint(x)
        ten = x.dtype.type(10.0 ** builtin_abs(d))
        return np.rint(x * ten) / ten if d > 0 else np.rint(x / ten) * ten


builtin_abs = abs


@public("round", inplace="round_")
def round(
    input: Tensor, *, decimals: int = ABSENT, out: Tensor | None = None
) -> Tensor:
    """Elementwise rounding to the nearest number, halves to even.

    Math: y = round(x · 10^d) / 10^d      ∂L/∂x = 0
    Shape: (*) -> (*)

    Args:
        decimals: digits to keep after the point; negative ones count before it.

    Raises:
        NotImplementedError: for complex numbers and booleans.

    Example:
        >>> import edutorch as torch
        >>> torch.round(torch.tensor([0.5, 1.5, 2.345]), decimals=0)
        tensor([0., 2., 2.])
    """
    op = Round()
    if decimals is not ABSENT:
        op.decimals, op.overload = int_of(decimals, "decimals", "round"), 1
        need_tensors("round", input=input)
        if input._data.dtype.kind in "iub":
            refuse_dtype("round_cpu" if op.decimals else "round_vml_cpu", input.dtype)
    result = apply1(op, input)
    return result if out is None else copyto(out, result, "round", (input,))


class Frac(Pointwise):
    """The fractional part.

    Math: y = x - trunc(x)      ∂L/∂x = g
    """

    saves = ()

    def check(self, x: Any) -> None:
        if x._data.dtype.kind in "iubc":
            raise NotImplementedError(
                f"\"frac_cpu\" not implemented for '{x.dtype.short}'"
            )

    def forward(self, x: Any) -> Any:
        return x - np.trunc(x)

    def backward(self, g: Any) -> Any:
        return g


@public("frac", inplace="frac_")
def frac(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise fractional part, with the sign of the number.

    Math: y = x - trunc(x)      ∂L/∂x = g
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for integers.

    Example:
        >>> import edutorch as torch
        >>> torch.frac(torch.tensor([1.5, -2.25]))
        tensor([ 0.5000, -0.2500])
    """
    result = apply1(Frac(), input)
    return result if out is None else copyto(out, result, "frac", (input,))
