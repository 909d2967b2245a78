"""Powers with numbers or tensors as base or exponent."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd import modes as _m
from ...autograd.dispatch import apply1, apply2
from ...autograd.foreign_operands import accept_arrays
from ...autograd.half_precision import (
    SINGLE,
    forward,
    gradient_rounding,
    half_rounding,
    is_half,
)
from ...backends import array_module, to_device_of
from ...backends.meta import MetaArray
from ...kernels.complex_powers import complex_power, reciprocal
from ...kernels.memory_format import cast_preserving_strides, match_strides, row_major
from ...tensor.tensor import Tensor
from ..argument_checks import number_of, type_error
from ..argument_errors import check_call
from ..number_ranges import checked_number
from ..promotion import (
    Pointwise,
    cast_operand,
    common_dtype,
    in_dtype_of,
    promoted,
    promoted_floating,
    refuse_dtype,
)
from ..registration import copyto, public
from .arithmetic import Mul
from .conjugate import conj, zeros
from .exponential import exp2, log
from .ternary import where

__all__ = ["float_power", "ldexp", "pow"]

NEGATIVE = "Integers to negative integer powers are not allowed."


# PyTorch's kernels for exponents with a function of their own.
COMPLEX32_KERNELS: dict[complex, str] = {
    0.5: "sqrt_vml_cpu", -0.5: "rsqrt_cpu", -1: "reciprocal_cpu",
}  # fmt: skip


class PowScalar(Pointwise):
    """A tensor to the power of a number.

    Math: y = x^n      ∂L/∂x = g · n · x^(n-1), 0 for n = 0
    """

    public = "pow"
    torch_name = "Pow"
    attributes = ("exponent",)
    rounded: Any = None  # the exponent
    rounding: Any = None
    steps = False  # whether PyTorch rounds each step of the power, too
    float8_kernel = "pow"
    complex32_kernel = "pow"

    def __init__(self, exponent: complex) -> None:
        self.exponent = exponent

    def promote(self, x: Any) -> tuple[Any]:
        """Promote the operand for error messages, which are the only use."""
        return (x.astype(common_dtype(x, self.exponent).numpy),)

    def check(self, x: Any) -> None:
        n = self.exponent
        if x._data.dtype.char in "fd" and not isinstance(n, complex):
            return
        found = common_dtype(x._data, n)
        if found.kind == dtypes.INTEGER:
            checked_number(n, found)
        if x._data.dtype.kind in "iub" and isinstance(n, int) and n < 0:
            raise RuntimeError(NEGATIVE)
        if found is dtypes.complex32:
            self.complex32_kernel = COMPLEX32_KERNELS.get(n, "pow")
            if isinstance(n, complex):
                refuse_dtype(self.complex32_kernel, found)
        if is_half(x._data.dtype) and not isinstance(n, complex):
            self.rounded = float(
                x._data.dtype.type(checked_number(n, x.dtype))
            )  # as in PyTorch
            self.rounding = half_rounding(x)
            self.steps = x.dtype is dtypes.bfloat16

    def forward(self, x: Any) -> Any:
        n = self.exponent if self.rounded is None else self.rounded
        if x.dtype.kind != "f" or isinstance(n, complex):
            x = cast_operand(x, common_dtype(x, n).numpy)
        if x.dtype.kind == "b":  # and so is n
            return x | (not n)
        if x.dtype.char == "f" and x.size == 1:  # SIMD code is off in the last bit
            return _power(x.astype("d"), n).astype("f")
        r = self.rounding if self.steps else None
        if self.rounding and r is None:  # float16: not the root, where they differ
            return np.power(x, np.full_like(x, n))
        return _power(x, n) if r is None else _power_in_steps(r, x, n)

    def backward(self, g: Any) -> Any:
        n = self.exponent
        if n == 0:
            return zeros(g)
        x = self.inputs[0]
        if self.rounding and not isinstance(g, Tensor):
            return self._gradient_in_steps(g, x)
        # For tensors, x^1 is a power as well: it can be differentiated once more than
        # x.
        power = x if n == 2 and not isinstance(x, Tensor) else pow(x, n - 1)
        return g * conj(power * n)

    def _gradient_in_steps(self, g: Any, x: Any) -> Any:
        """The gradient of 16-bit floats, rounded at every step as in PyTorch."""
        r, n = self.rounding, float(self.exponent.real)
        power = _power_in_steps if self.steps else _rounded_power
        return g * r(power(r, x, float(r(n - 1))) * SINGLE.type(n))


def _power(x: Any, n: Any) -> Any:
    """x^n; the cube, roots and reciprocals in ways that are faster and more exact."""
    if n == 3:
        return x * x * x
    if n in (0.5, -0.5) and x.dtype.kind in "fc":
        root = np.sqrt(x)
        return root if n == 0.5 else reciprocal(root)
    if x.dtype.kind != "c" or n in (0, 1, 2):
        return x**n
    if n in (-1, -2):
        return reciprocal(x * x if n == -2 else x)
    return complex_power(x, np.asarray(n, x.dtype))


def _rounded_power(r: Any, x: Any, n: float) -> Any:
    return r(_power(x, n))


def _power_in_steps(r: Any, x: Any, n: Any) -> Any:
    """x^n as rounded products and reciprocals, where PyTorch computes it so."""
    if n == 3:
        return r(r(x * x) * x)
    if n == -2:
        return r(1 / r(x * x))
    return r(_power(x, n))


class PowTensor(Pointwise):
    """A number or tensor to the power of a tensor.

    Math: y = a^b      ∂L/∂a = g · b · a^(b-1)      ∂L/∂b = g · y · ln a
    Shape: (*), (*) -> (*), broadcast
    """

    public = "pow"
    onnx = "Pow"
    packs = (1, 0)
    saves_output = True

    torch_name = "Pow"
    overload = 1
    float8_kernel = "pow"
    complex32_kernel = "pow"

    @property
    def constants(self) -> tuple[int, ...]:
        """Treat numbers as constants, which have no edge in the graph."""
        return (0,) if self.overload == 2 else ()

    def promote(self, x: Any, y: Any) -> tuple[Any, Any]:
        target = common_dtype(x, y).numpy
        x, y = (v if hasattr(v, "dtype") else np.asarray(v) for v in (x, y))
        x, y = to_device_of(x, y), to_device_of(y, x)
        return cast_operand(x, target), cast_operand(y, target)

    def forward(self, a: Any, b: Any) -> Any:
        kind = getattr(b, "dtype", np.dtype(float)).kind
        if kind == "b":
            refuse_dtype("pow", dtypes.bool_)
        if "c" in (kind, getattr(a, "dtype", np.dtype(float)).kind):
            y = np.ones_like(b) if self._is_one(a) else complex_power(a, b)
        else:
            y = _integer_power(a, b) if kind in "iu" else a**b
        if self.overload == 2 and type(y) is not MetaArray:
            return row_major(y)  # in PyTorch so, too, except on the meta device
        return y

    def _is_one(self, base: Any) -> bool:
        """Whether the base is the number 1, whose powers are all 1."""
        return self.overload == 2 and np.ndim(base) == 0 and bool(base == 1)

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        return (
            self.grad_base(g, a, b) if self.needs[0] else None,
            self.grad_exponent(g, a, b) if self.needs[1] else None,
        )

    def grad_base(self, g: Any, a: Any, b: Any) -> Any:
        """∂L/∂a; where b is 0 the power is constant, even at a = 0."""
        flat, r = b == 0, gradient_rounding(self, g)
        derivative = r(conj(b * r(pow(a, r(b - 1)))))
        if isinstance(g, Tensor):  # to avoid 0 · ∞ in its own derivative, too
            derivative = where(flat, 0, derivative)
        return r(where(flat, 0, g * derivative))

    def grad_exponent(self, g: Any, a: Any, b: Any) -> Any:
        """∂L/∂b; 0^b is constant for b >= 0, although ln 0 is infinite."""
        if isinstance(a, (int, float, complex)):
            a = np.asarray(a, getattr(b, "_data", b).dtype)
        y = self.output
        a = in_dtype_of(a, y)
        if getattr(b, "_data", b).dtype.kind in "cW":
            flat = (a == 0) & (b.real >= 0) & (b.imag == 0)
            a = a + 0j  # negative numbers have a complex logarithm
        else:
            flat = (a == 0) & (b >= 0)
        r = gradient_rounding(self, g)
        return r(g * where(flat, 0, r(conj(y * r(log(a))))))


def _integer_power(a: Any, b: Any) -> Any:
    """Integers to negative powers: 1/a^|b|, truncated towards 0."""
    negative = b < 0
    if not negative.any():
        return a**b
    sign = np.where(b % 2 == 0, 1, a)
    reciprocal = np.where(np.abs(a) == 1, sign, 0)
    return np.where(negative, reciprocal, a ** np.where(negative, 0, b)).astype(a.dtype)


@public("pow", "__pow__", inplace="pow_", augmented="__ipow__")
def pow(input: Any, exponent: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise power; base or exponent may be a number.

    Math: y = a^b      ∂L/∂a = g · b · a^(b-1)      ∂L/∂b = g · y · ln a
    Shape: (*), (*) -> (*), broadcast

    Raises:
        RuntimeError: for an integer tensor and a negative integer number.
        NotImplementedError: for two boolean tensors.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1.0, 2.0, 3.0]) ** 2
        tensor([1., 4., 9.])
    """
    if _m.special_modes and pow in _m.modes.autocast:
        return _m.autocast(pow, input, exponent, out=out)
    if isinstance(exponent, (int, float, complex, np.generic)) and (
        isinstance(input, Tensor)
    ):
        result = apply1(PowScalar(number_of(exponent, "exponent", "pow")), input)
    elif isinstance(exponent, (int, float, complex)):
        result = apply1(PowScalar(exponent), input)
    else:
        op = PowTensor()
        if not isinstance(input, Tensor):
            op.overload = 2
        result = apply2(op, input, exponent)
    return result if out is None else copyto(out, result, "pow", (input, exponent))


@public("__rpow__")
def _tensor_rpow(input: Tensor, other: Any) -> Tensor:
    if _m.special_modes and _tensor_rpow in _m.modes.autocast:
        return _m.autocast(_tensor_rpow, input, other)
    op = PowTensor()
    op.overload = 1 if isinstance(other, Tensor) else 2
    return apply2(op, other, input)


def _need_double(input: Tensor, exponent: Any) -> None:
    """Raise for powers that a tensor changed in place cannot store.

    Raises:
        RuntimeError: for all but the widest dtypes.
    """
    check_call(isinstance(exponent, (Tensor, int, float, complex)))
    need = dtypes.complex128 if _any_complex(input, exponent) else dtypes.float64
    if input.dtype is not need:
        raise RuntimeError(
            f"the base given to float_power_ has dtype {input.dtype.short} but the "
            f"operation's result requires dtype {need.short}"
        )


@public("float_power", inplace="float_power_", before=_need_double, composed=True)
def float_power(input: Any, exponent: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise power, computed in double precision.

    Math: y = a^b      ∂L/∂a = g · b · a^(b-1)      ∂L/∂b = g · y · ln a
    Shape: (*), (*) -> (*), broadcast

    Raises:
        TypeError: if neither is a tensor.

    Example:
        >>> import edutorch as torch
        >>> torch.float_power(torch.tensor([2, 3]), 2)
        tensor([4., 9.], dtype=torch.float64)
    """
    one = np.ones((), np.complex128 if _any_complex(input, exponent) else np.float64)
    with accept_arrays():
        wide = [apply2(Widen(), v, one) if isinstance(v, Tensor) else v
                for v in (input, exponent)]  # fmt: skip
    if not any(isinstance(v, Tensor) for v in wide):
        raise type_error("Tensor", "input", input, "float_power")
    result = pow(*wide)
    if out is None:
        return result
    return copyto(out, result, "float_power", (input, exponent))


def _any_complex(*values: Any) -> bool:
    return any(
        v._data.dtype.kind in "cW" if isinstance(v, Tensor) else isinstance(v, complex)
        for v in values
    )


class Widen(Pointwise):
    """A tensor converted to the dtype of another.

    Math: y = x      ∂L/∂x = g
    """

    torch_name = "ToCopy"
    saves = ()
    complex32 = "single"
    constants = (1,)

    def promote(self, x: Any, like: Any) -> Any:
        return x, like

    def forward(self, x: Any, like: Any) -> Any:
        return cast_preserving_strides(x, like.dtype)

    def backward(self, g: Any) -> Any:
        return g, None


class Ldexp(Pointwise):
    """a · 2^b, exact as C's ldexp for floating-point a and integer b.

    Math: y = a · 2^b      ∂L/∂a = g · 2^b      ∂L/∂b = g · y · ln 2
    """

    takes_scalars = False
    forward_in_single = False  # other powers are rounded before the product
    complex32_kernel = "pow"

    def check(self, a: Any, b: Any) -> None:
        self.composed = a._data.dtype.kind not in "fV"
        if not self.composed and b._data.dtype.kind == "b":
            refuse_dtype("ldexp_cpu_exp", dtypes.bool_)

    def promote(self, x: Any, y: Any) -> tuple[Any, Any]:
        return x, y

    def forward(self, a: Any, b: Any) -> Any:
        if a.dtype.kind in "fV" and b.dtype.kind in "iu":
            wide = a.astype(np.float32) if is_half(a.dtype) else a
            with np.errstate(all="ignore"):
                y = np.ldexp(wide, b.astype(np.int32)).astype(a.dtype)
        else:
            power = _power_of_two(a, b)
            y = forward(Mul(), *promoted(a, power, Mul.unrounded_scalars))
        return match_strides(y, a, row_major(b) if _like_a_number(a) else b)

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        scale = conj(exp2(b))
        return g * scale, g * conj(a) * scale * float(np.log(2))


def _power_of_two(a: Any, b: Any) -> Any:
    """2^b in a dtype to which `a` contributes like a number."""
    base = 2.0 if _like_a_number(a) else np.asarray(2, a.dtype)
    y = forward(PowTensor(), *promoted_floating(base, b))
    return array_module(y).asarray(y)


def _like_a_number(a: Any) -> bool:
    """Whether the dtype of `a` is one that a Python number has, too."""
    return a.dtype.kind in "iub" or a.dtype == dtypes.get_default_dtype().numpy


def _need_float(input: Tensor, other: Any) -> None:
    if isinstance(other, Tensor) and input._data.dtype.kind in "iub":
        raise RuntimeError(
            f"ldexp can't be cast to the desired output type {input.dtype.short}"
        )


@public("ldexp", inplace="ldexp_", before=_need_float, composed=True)
def ldexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `input * 2**other`.

    Math: y = a · 2^b      ∂L/∂a = g · 2^b      ∂L/∂b = g · y · ln 2
    Shape: (*), (*) -> (*), broadcast

    Raises:
        NotImplementedError: for floating numbers with truth values as exponents.

    Example:
        >>> import edutorch as torch
        >>> torch.ldexp(torch.tensor([1.0]), torch.tensor([3]))
        tensor([8.])
    """
    result = apply2(Ldexp(), input, other)
    if out is None:
        return result
    fractions = isinstance(out, Tensor) and out.dtype.kind >= dtypes.FLOATING
    variant = "fractions" if fractions else ""
    return copyto(out, result, "ldexp", (input,), variant=variant)
