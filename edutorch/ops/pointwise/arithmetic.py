"""Addition, subtraction, multiplication and true division."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd import modes as _m
from ...autograd.dispatch import apply1, apply2
from ...autograd.half_precision import gradient_rounding, is_half
from ...kernels.multiply_add import add_scaled
from ...tensor.tensor import Tensor
from ..argument_checks import number_of, refuse_numbers, refuse_self
from ..deprecated_overloads import reordered
from ..number_ranges import checked_number
from ..promotion import Pointwise, as_floating, common_dtype, promoted_floating
from ..registration import copyto, public
from .conjugate import conj

__all__ = [
    "add", "mul", "multiply", "neg", "negative", "rsub", "sub",
    "subtract", "true_divide",
]  # fmt: skip


class Add(Pointwise):
    """Elementwise sum with broadcasting.

    Math: y = a + b      ∂L/∂a = g      ∂L/∂b = g
    Shape: (*), (*) -> (*), broadcast
    """

    __slots__ = ()

    elementwise = True
    ufunc = np.add
    onnx = "Add"
    saves = ()
    complex32 = "single"
    float8_kernel = "add_stub"

    def forward(self, a: Any, b: Any) -> Any:
        return a + b

    def backward(self, g: Any) -> Any:
        return g, g


def alpha_in_dtype(alpha: complex, a: Any, b: Any) -> complex:
    """Alpha as PyTorch's kernel receives it: rounded to 16 bits for 16-bit tensors.

    Factors that the result's dtype cannot represent are errors.

    Raises:
        RuntimeError: for a fraction with integers, a boolean with numbers, a complex
            number with others, or one that is too large.
    """
    found = common_dtype(*(getattr(v, "_data", v) for v in (a, b)))
    if isinstance(alpha, bool) and found.kind > dtypes.BOOL:
        raise RuntimeError("Boolean alpha only supported for Boolean results.")
    if isinstance(alpha, (float, complex)) and found.kind < dtypes.FLOATING:
        raise RuntimeError(
            "For integral input tensors, argument alpha must not be a floating point "
            "number."
        )
    if isinstance(alpha, complex) and not found.is_complex:
        raise RuntimeError(
            "For non-complex input tensors, argument alpha must not be a complex "
            "number."
        )
    checked_number(alpha, found)
    return float(found.numpy.type(alpha)) if is_half(found.numpy) else alpha


def _add_scaled(a: Any, b: Any, alpha: Any) -> Any:
    """Add alpha times an array or number to another one."""
    if alpha == 1:
        return a + b
    dtype = (a if hasattr(a, "dtype") else b).dtype
    if dtype.kind == "f":
        return add_scaled(a, b, alpha)
    if dtype.kind == "u" and alpha < 0:  # to bytes -1 is 255
        alpha = int(alpha) % (int(np.iinfo(dtype).max) + 1)
    return a + alpha * b


class AddScaled(Pointwise):
    """Elementwise sum with a scaled second operand.

    Math: y = a + alpha · b      ∂L/∂a = g      ∂L/∂b = alpha · g
    Shape: (*), (*) -> (*), broadcast
    """

    attributes = ("alpha",)
    public = "add"
    torch_name = "Add"
    saves = ()
    complex32 = "single"
    float8_kernel = "add_stub"

    def __init__(self, alpha: complex) -> None:
        self.alpha = self.factor = alpha

    def check(self, a: Any, b: Any) -> None:
        self.factor = alpha_in_dtype(self.alpha, a, b)

    def forward(self, a: Any, b: Any) -> Any:
        dtype = (a if hasattr(a, "dtype") else b).dtype
        if dtype.kind == "b":
            return a | (b & bool(self.alpha))
        return _add_scaled(a, b, self.factor)

    def backward(self, g: Any) -> Any:
        gb = g if self.alpha == 1 else g * self.alpha.conjugate()
        return g, gb if self.needs[1] else None


@public("add", inplace="add_", augmented="__iadd__")
def add(
    input: Tensor, other: Any, *old: Any, alpha: complex = 1,
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Elementwise `input + alpha * other`.

    Math: y = a + alpha · b      ∂L/∂a = g      ∂L/∂b = alpha · g
    Shape: (*), (*) -> (*), broadcast

    Raises:
        RuntimeError: for an `alpha` that the result's dtype does not hold.

    Example:
        >>> import edutorch as torch
        >>> torch.add(torch.tensor([1, 2]), 10, alpha=2)
        tensor([21, 22])
    """
    if old:  # the deprecated signature with numbers first
        (input, other), number = reordered("add", input, other, *old, names=("alpha",))
        return add(input, other, out=out, **number)
    usual = (
        type(alpha) is int and alpha == 1
    )  # True and 1.0 are not valid for all dtypes
    op = Add() if usual else AddScaled(number_of(alpha, "alpha", "add"))
    result = apply2(op, input, other)
    return result if out is None else copyto(out, result, "add", (input, other))


# Note [Operators]
# The most common operators call dispatch themselves: keyword-only arguments, as `add`
# has them, cost a call 60 ns.
@public("__add__")
def _tensor_add(input: Tensor, other: Any) -> Tensor:
    return apply2(Add(), input, other)


@public("__radd__")
def _tensor_radd(input: Tensor, other: Any) -> Tensor:
    refuse_self("__radd__", input)
    return apply2(Add(), input, other)


class Mul(Pointwise):
    """Elementwise product with broadcasting.

    Math: y = a · b      ∂L/∂a = g · b      ∂L/∂b = g · a
    Shape: (*), (*) -> (*), broadcast
    """

    __slots__ = ()

    elementwise = True
    ufunc = np.multiply
    onnx = "Mul"
    unrounded_scalars = (1,)  # as in PyTorch, a number on the left is rounded
    packs = (1, 0)
    saves_for = {0: 1, 1: 0}  # noqa: RUF012 (a table, not a state)
    complex32 = "single"
    float8_kernel = "mul_cpu_reduced_float"

    def forward(self, a: Any, b: Any) -> Any:
        return a * b

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        ga = g * conj(b) if self.needs[0] else None
        gb = g * conj(a) if self.needs[1] else None
        return ga, gb


@public("mul", "multiply", inplace="mul_", augmented="__imul__")
def mul(input: Tensor, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise product.

    Math: y = a · b      ∂L/∂a = g · b      ∂L/∂b = g · a
    Shape: (*), (*) -> (*), broadcast

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.0, 2.0]) * torch.tensor([3.0, 4.0])
        tensor([3., 8.])
    """
    result = apply2(Mul(), input, other)
    return result if out is None else copyto(out, result, "mul", (input, other))


multiply = mul


@public("__mul__")
def _tensor_mul(input: Tensor, other: Any) -> Tensor:
    return apply2(Mul(), input, other)


@public("__rmul__")
def _tensor_rmul(input: Tensor, other: Any) -> Tensor:
    refuse_self("__rmul__", input)
    return apply2(Mul(), input, other)


def _is_bool(x: Any) -> bool:
    return isinstance(x, bool) or (isinstance(x, Tensor) and x._data.dtype.kind == "b")


class Sub(Pointwise):
    """Elementwise difference with broadcasting.

    Math: y = a - alpha · b      ∂L/∂a = g      ∂L/∂b = -alpha · g
    Shape: (*), (*) -> (*), broadcast
    """

    elementwise = True
    attributes = ("alpha",)
    onnx = "Sub"
    saves = ()
    alpha: complex = 1
    factor: complex = 1  # alpha as forward takes it
    complex32 = "single"
    float8_kernel = "add_stub"

    def check(self, a: Any, b: Any) -> None:
        """Refuse booleans, whose difference is not defined."""
        if _is_bool(a) and _is_bool(b):
            raise RuntimeError(
                "Subtraction, the `-` operator, with two bool tensors is not "
                "supported. Use the `^` or `logical_xor()` operator instead."
            )
        if _is_bool(a) or _is_bool(b):
            raise RuntimeError(
                "Subtraction, the `-` operator, with a bool tensor is not supported. "
                "If you are trying to invert a mask, use the `~` or `logical_not()` "
                "operator instead."
            )
        if type(self.alpha) is not int:
            self.factor = alpha_in_dtype(self.alpha, a, b)
        elif self.alpha != 1:  # added with the opposite factor, which may wrap around
            opposite = -self.alpha if self.alpha != -(2**63) else self.alpha
            self.factor = -alpha_in_dtype(opposite, a, b)

    def forward(self, a: Any, b: Any) -> Any:
        if self.alpha == 1:
            return a - b
        return _add_scaled(a, b, -self.factor)

    def backward(self, g: Any) -> Any:
        gb = -g if self.alpha == 1 else g * -self.alpha.conjugate()
        return g, gb if self.needs[1] else None


@public("sub", "subtract", "__sub__", inplace="sub_", augmented="__isub__")
def sub(
    input: Tensor, other: Any, *old: Any, alpha: complex = 1,
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Elementwise `input - alpha * other`.

    Math: y = a - alpha · b      ∂L/∂a = g      ∂L/∂b = -alpha · g
    Shape: (*), (*) -> (*), broadcast

    Raises:
        RuntimeError: for two boolean tensors.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([3, 4]) - 1
        tensor([2, 3])
    """
    if old:  # the deprecated signature with numbers first
        (input, other), number = reordered("sub", input, other, *old, names=("alpha",))
        return sub(input, other, out=out, **number)
    op = Sub()
    if (
        type(alpha) is not int or alpha != 1
    ):  # True and 1.0 are not valid for all dtypes
        op.alpha = op.factor = number_of(alpha, "alpha", "sub")
    result = apply2(op, input, other)
    return result if out is None else copyto(out, result, "sub", (input, other))


subtract = sub


class Rsub(Sub):
    """Elementwise difference with the operands swapped.

    Math: y = a - alpha · b      ∂L/∂a = g      ∂L/∂b = -alpha · g
    """

    complex32 = "single"
    float8_kernel = "add_stub"

    @property
    def constants(self) -> tuple[int, ...]:
        """Treat numbers as constants, which have no edge in the graph."""
        return (0,) if self.overload else ()


@public("__rsub__")
def rsub(input: Tensor, other: Any, *, alpha: complex = 1) -> Tensor:
    """Elementwise `other - alpha * input`.

    Math: y = b - alpha · a      ∂L/∂a = -alpha · g      ∂L/∂b = g
    Shape: (*), (*) -> (*), broadcast

    Raises:
        RuntimeError: for booleans.

    Example:
        >>> import edutorch as torch
        >>> 1 - torch.tensor([3, 4])
        tensor([-2, -3])
    """
    refuse_numbers("rsub", beside=other, input=input)
    op = Rsub()
    if not isinstance(other, Tensor):
        op.overload = 1
    if (
        type(alpha) is not int or alpha != 1
    ):  # True and 1.0 are not valid for all dtypes
        op.alpha = op.factor = number_of(alpha, "alpha", "rsub")
    return apply2(op, other, input)


class Div(Pointwise):
    """Elementwise quotient with broadcasting.

    Math: y = a / b      ∂L/∂a = g / b      ∂L/∂b = -g · a / b²
    Shape: (*), (*) -> (*), broadcast
    """

    __slots__ = ()

    elementwise = True
    ufunc = np.divide
    onnx = "Div"
    unrounded_scalars = (1,)
    packs = (1, 0)
    saves_for = {0: 1}  # noqa: RUF012 (a table, not a state)
    float8_kernel = "div_cpu_reduced_float"

    def promote(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Divide integers in the default floating type."""
        return promoted_floating(x, y, self.unrounded_scalars)

    def forward(self, a: Any, b: Any) -> Any:
        if hasattr(a, "dtype") and a.dtype.kind in "iub":
            a, b = as_floating(a), as_floating(b) if hasattr(b, "dtype") else b
        return a / b

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        ga = g / conj(b) if self.needs[0] else None
        if not self.needs[1]:
            return ga, None
        if _m.half_used:
            r = gradient_rounding(self, g)
            return ga, -g * conj(r(r(a / b) / b))
        return ga, -g * conj(a / b / b)


@public("true_divide", "__truediv__", inplace="true_divide_", augmented="__itruediv__")
def true_divide(input: Tensor, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise quotient; for integers, of the default floating type.

    Math: y = a / b      ∂L/∂a = g / b      ∂L/∂b = -g · a / b²
    Shape: (*), (*) -> (*), broadcast

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1, 3]) / 2
        tensor([0.5000, 1.5000])
    """
    result = apply2(Div(), input, other)
    return result if out is None else copyto(out, result, "true_divide", (input, other))


class Neg(Pointwise):
    """Elementwise negation.

    Math: y = -x      ∂L/∂x = -g
    """

    __slots__ = ()

    elementwise = True
    ufunc = np.negative
    onnx = "Neg"
    saves = ()
    complex32 = "single"

    def check(self, x: Tensor) -> None:
        """Refuse booleans, which cannot be negated."""
        if x._data.dtype.kind == "b":
            raise RuntimeError(
                "Negation, the `-` operator, on a bool tensor is not supported. If you "
                "are trying to invert a mask, use the `~` or `logical_not()` operator "
                "instead."
            )

    def forward(self, x: Any) -> Any:
        return -x

    def backward(self, g: Any) -> Any:
        return -g


@public("neg", "negative", "__neg__", inplace="neg_")
def neg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise negation.

    Math: y = -x      ∂L/∂x = -g
    Shape: (*) -> (*)

    Raises:
        RuntimeError: for booleans.

    Example:
        >>> import edutorch as torch
        >>> -torch.tensor([1, -2])
        tensor([-1,  2])
    """
    result = apply1(Neg(), input)
    return result if out is None else copyto(out, result, "neg", (input,))


negative = neg
