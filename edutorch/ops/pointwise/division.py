"""Division with rounding, and remainders."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import apply2
from ...dtypes import bool_
from ...tensor.tensor import Tensor
from ...text_arguments import as_text
from ..argument_errors import argument_error
from ..promotion import Pointwise, refuse_dtype
from ..registration import attach, copyto, public
from .arithmetic import Div
from .conjugate import zeros

__all__ = ["div", "divide", "floor_divide", "fmod", "remainder"]


def _refuse_zero(kernel: str, a: Any, b: Any) -> None:
    """Raise for integer division by 0, and for booleans."""
    x = a if hasattr(a, "dtype") else b  # both have this dtype, or one is a number
    if x.dtype.kind not in "iub":
        return
    if getattr(b, "dtype", x.dtype).kind not in "iub":  # in a formula of a gradient
        return
    if x.dtype.kind == "b":
        refuse_dtype(kernel, bool_)
    if x.size and not np.all(b):  # an empty tensor: no division
        raise RuntimeError("ZeroDivisionError")


def _trunc_divide(a: Any, b: Any) -> Any:
    """The quotient truncated towards 0."""
    integral = all(getattr(v, "dtype", np.dtype(int)).kind in "iub" for v in (a, b))
    return (a - np.fmod(a, b)) // b if integral else np.trunc(a / b)


class DivFloor(Pointwise):
    """The quotient rounded down.

    Math: y = ⌊a / b⌋      ∂L/∂a = 0      ∂L/∂b = 0
    """

    public = "div"
    torch_name = "Div"
    saves = ()
    unrounded_scalars = (1,)
    kernel = "div_floor_cpu"
    float8_kernel = "div_cpu_reduced_float"

    def forward(self, a: Any, b: Any) -> Any:
        _refuse_zero(self.kernel, a, b)
        return np.floor_divide(a, b)

    def backward(self, g: Any) -> Any:
        return zeros(g), zeros(g)


class DivTrunc(DivFloor):
    """The quotient truncated towards 0.

    Math: y = trunc(a / b)      ∂L/∂a = 0      ∂L/∂b = 0
    """

    public = "div"
    torch_name = "Div"
    kernel = "div_trunc_cpu"
    forward_in_single = False  # the quotient of 16-bit floats is rounded before it
    float8_kernel = "div_cpu_reduced_float"

    def forward(self, a: Any, b: Any) -> Any:
        _refuse_zero(self.kernel, a, b)
        return _trunc_divide(a, b)


_MODES: dict[Any, Any] = {None: Div, "floor": DivFloor, "trunc": DivTrunc}


@public("div", "divide", inplace="div_")
def div(
    input: Tensor, other: Any, *, rounding_mode: str | None = None,
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Elementwise quotient, rounded according to `rounding_mode`.

    Math: y = a / b      ∂L/∂a = g / b      ∂L/∂b = -g · a / b², both 0 with rounding
    Shape: (*), (*) -> (*), broadcast

    Args:
        rounding_mode: None (no rounding; integers give floating numbers), "trunc"
            (towards 0) or "floor" (down).

    Raises:
        RuntimeError: for an unknown mode, or a rounded division of an integer by 0.

    Example:
        >>> import edutorch as torch
        >>> torch.div(torch.tensor([-7, 7]), 2, rounding_mode="floor")
        tensor([-4,  3])
    """
    kind = _MODES.get(rounding_mode)
    if kind is None:
        raise argument_error() or RuntimeError(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but "
            f"found '{as_text(rounding_mode)}'"
        )
    op = kind()
    if rounding_mode is not None:
        op.overload = 2
    result = apply2(op, input, other)
    return result if out is None else copyto(out, result, "div", (input, other))


divide = div
attach(divide_=Tensor.div_)


class FloorDivide(DivFloor):
    """The quotient rounded down, like Python's `//`; no derivative.

    Math: y = ⌊a / b⌋, no derivative
    """

    public = "floor_divide"
    torch_name = "FloorDivide"
    constants = (0, 1)  # PyTorch's node has edges only where needed
    float8_kernel = "div_floor_cpu"

    def name(self) -> str:
        """PyTorch's name of the node, which has no derivative."""
        return "torch::autograd::NotImplemented"

    def backward(self, g: Any) -> Any:
        raise RuntimeError("derivative for aten::floor_divide is not implemented")


@public("floor_divide", "__floordiv__", inplace="floor_divide_",
        augmented="__ifloordiv__")  # fmt: skip
def floor_divide(input: Tensor, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise quotient rounded down; no derivative.

    Math: y = ⌊a / b⌋
    Shape: (*), (*) -> (*), broadcast

    Raises:
        RuntimeError: for an integer divided by 0.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([-7, 7]) // 2
        tensor([-4,  3])
    """
    result = apply2(FloorDivide(), input, other)
    return (
        result if out is None else copyto(out, result, "floor_divide", (input, other))
    )


@public("__rfloordiv__")
def _tensor_rfloordiv(input: Tensor, other: Any) -> Tensor:
    return apply2(FloorDivide(), other, input)


class Remainder(Pointwise):
    """The remainder of floor division, with the sign of the divisor.

    Math: y = a - b · ⌊a / b⌋      ∂L/∂a = g      ∂L/∂b = -g · ⌊a / b⌋
    """

    saves_for = {0: 1, 1: 1}  # noqa: RUF012 (a table, not a state)

    @property
    def constants(self) -> tuple[int, ...]:
        """Treat numbers as constants, which have no edge in the graph."""
        return () if self.overload else (1,)

    def forward(self, a: Any, b: Any) -> Any:
        _refuse_zero("remainder_cpu", a, b)
        y = np.remainder(a, b)
        if y.dtype.kind in "fV" and not y.all():
            y = np.where(y == 0, np.fmod(a, b), y)  # 0 has the sign of the dividend
        return y

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        return g, -g * div(a, b, rounding_mode="floor") if self.needs[1] else None


@public("remainder", "__mod__", inplace="remainder_", augmented="__imod__")
def remainder(input: Any, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise remainder with the sign of `other`, like Python's `%`.

    Math: y = a - b · ⌊a / b⌋      ∂L/∂a = g      ∂L/∂b = -g · ⌊a / b⌋
    Shape: (*), (*) -> (*), broadcast

    Raises:
        RuntimeError: for an integer divided by 0.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([-7, 7]) % 3
        tensor([2, 1])
    """
    result = apply2(_remainder(input, other), input, other)
    return result if out is None else copyto(out, result, "remainder", (input, other))


@public("__rmod__")
def _tensor_rmod(input: Tensor, other: Any) -> Tensor:
    return apply2(_remainder(other, input), other, input)


def _remainder(input: Any, other: Any) -> Remainder:
    """The op, which knows PyTorch's signature by its operands."""
    op = Remainder()
    if isinstance(other, Tensor):
        op.overload = 1 if isinstance(input, Tensor) else 2
    return op


class Fmod(Pointwise):
    """The remainder of truncated division, with the sign of the dividend.

    Math: y = a - b · trunc(a / b)      ∂L/∂a = g      ∂L/∂b = -g · trunc(a / b)
    """

    saves_for = {0: 1, 1: 1}  # noqa: RUF012 (a table, not a state)

    onnx = "Mod"
    takes_scalar_first = False

    @property
    def constants(self) -> tuple[int, ...]:
        """Treat numbers as constants, which have no edge in the graph."""
        return () if self.overload else (1,)

    def forward(self, a: Any, b: Any) -> Any:
        _refuse_zero("fmod_cpu", a, b)
        return np.fmod(a, b)

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        return g, -g * div(a, b, rounding_mode="trunc") if self.needs[1] else None


@public("fmod", inplace="fmod_")
def fmod(input: Tensor, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise remainder with the sign of `input`, like C's `fmod`.

    Math: y = a - b · trunc(a / b)      ∂L/∂a = g      ∂L/∂b = -g · trunc(a / b)
    Shape: (*), (*) -> (*), broadcast

    Raises:
        RuntimeError: for an integer divided by 0.

    Example:
        >>> import edutorch as torch
        >>> torch.fmod(torch.tensor([-7, 7]), 3)
        tensor([-1,  1])
    """
    op = Fmod()
    if isinstance(other, Tensor):
        op.overload = 1
    result = apply2(op, input, other)
    return result if out is None else copyto(out, result, "fmod", (input, other))
