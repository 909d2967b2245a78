"""Clamping: clamp, clamp_min, clamp_max."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd.dispatch import apply, apply1
from ...autograd.op_errors import cast_error
from ...kernels import activations as kernels
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors, number_of, refuse_numbers
from ..number_ranges import checked_number, overflow_error
from ..promotion import Pointwise, cast_operand, common_dtype, refuse_dtype
from ..registration import attach, copyto, public
from .ternary import masked, where

__all__ = ["clamp", "clamp_max", "clamp_min", "clip"]


class Clamp(Pointwise):
    """Clamps values between two numbers.

    Math: y = min(max(x, low), high)      ∂L/∂x = g where low <= x <= high, else 0
    """

    elementwise = True
    onnx = "Clip"
    attributes = ("low", "high")
    low: Any = None
    high: Any = None

    overload = 1

    def check(self, x: Any) -> None:
        if self.torch_name == "Clamp" and x._data.dtype.kind in "fV":
            self.low, self.high = _real_limit(self.low), _real_limit(self.high)
        limits = [v for v in (self.low, self.high) if v is not None]
        found = common_dtype(x._data, *limits)
        if found.is_complex:
            raise NotImplementedError("clamp is not supported for complex types")
        for limit in limits:
            checked_number(limit, found)
        if found.kind == dtypes.BOOL:
            which = "" if len(limits) > 1 else "max_" if self.low is None else "min_"
            refuse_dtype(f"clamp_{which}scalar_cpu", found)

    def forward(self, x: Any) -> Any:
        limits = [v for v in (self.low, self.high) if v is not None]
        if x.dtype.kind != "f":
            x = cast_operand(x, common_dtype(x, *limits).numpy)
        return kernels.clamp(x, self.low, self.high)

    def backward(self, g: Any) -> Any:
        x, low, high = self.inputs[0], self.low, self.high
        if low is None:
            return masked(g, x <= high)
        if high is None:
            return masked(g, x >= low)
        return masked(g, (x >= low) & (x <= high))


def _real_limit(limit: Any) -> Any:
    """A limit of real numbers; a complex one without imaginary part is converted.

    Raises:
        RuntimeError: for a complex number with an imaginary part.
    """
    if not isinstance(limit, complex):
        return limit
    if limit.imag:
        raise overflow_error(dtypes.float64)
    return limit.real


class ClampMin(Clamp):
    """Clamps values from below by a number.

    Math: y = max(x, low)      ∂L/∂x = g where x >= low, else 0
    """

    torch_name = "ClampMin"
    overload = 0


class ClampMax(Clamp):
    """Clamps values from above by a number.

    Math: y = min(x, high)      ∂L/∂x = g where x <= high, else 0
    """

    torch_name = "ClampMax"
    overload = 0


class ClampTensor(Pointwise):
    """Clamps values between two tensors, either of which may be missing.

    Math: y = min(max(x, low), high)
          ∂L/∂x = g where low <= x <= high, and the limit that holds gets g elsewhere
    """

    public = "clamp"
    torch_name = "Clamp"

    def check(self, x: Any, low: Any, high: Any) -> None:
        """Raise for complex numbers, which have no order."""
        given = [v for v in (x, low, high) if isinstance(v, Tensor)]
        if self.public == "clamp" and x._data.dtype.kind in "cW":
            raise NotImplementedError("clamp is not supported for complex types")
        kernel = "clamp_cpu" if len(given) == 3 else "maximum_cpu"
        found = common_dtype(*[v._data for v in given])
        if found.is_complex or (len(given) == 3 and found.kind == dtypes.BOOL):
            refuse_dtype("minimum_cpu" if low is None else kernel, found)

    def promote(self, x: Any, low: Any, high: Any) -> Any:
        given = [v for v in (x, low, high) if v is not None]
        target = common_dtype(*given).numpy
        return tuple(
            None if v is None else cast_operand(v, target) for v in (x, low, high)
        )

    def forward(self, x: Any, low: Any, high: Any) -> Any:
        if low is not None:
            x = np.maximum(x, low)
        return x if high is None else np.minimum(x, high)

    def backward(self, g: Any) -> Any:
        x, low, high = self.inputs
        if low is None:
            return where(x <= high, g, 0), None, where(x > high, g, 0)
        if high is None:
            return where(x >= low, g, 0), where(x < low, g, 0), None
        return (
            where((x >= low) & (x <= high), g, 0),
            where((x < low) & (low < high), g, 0),
            where((x > high) | (high < low), g, 0),
        )


class ClampMinTensor(ClampTensor):
    """Clamps values from below by a tensor.

    Math: y = max(x, low)      ∂L/∂x = g where x >= low      ∂L/∂low = g elsewhere
    """

    public = "clamp_min"
    torch_name = "ClampMin"
    overload = 1
    constants = (2,)


class ClampMaxTensor(ClampTensor):
    """Clamps values from above by a tensor.

    Math: y = min(x, high)      ∂L/∂x = g where x <= high      ∂L/∂high = g elsewhere
    """

    public = "clamp_max"
    torch_name = "ClampMax"
    overload = 1
    constants = (1,)


def _limits(**given: Any) -> Any:
    """The limits as all tensors or all numbers; None means no limit."""
    if all(v is None or isinstance(v, Tensor) for v in given.values()):
        return given.values()
    return [v if v is None else number_of(v, name) for name, v in given.items()]


def _is_single(limit: Any) -> bool:
    """Whether a limit is a tensor that promotes like a number."""
    return isinstance(limit, Tensor) and limit._data.ndim == 0


def _check_result_fits(input: Tensor, *limits: Any, **named: Any) -> None:
    """Raise for limits that would promote a tensor changed in place.

    Raises:
        RuntimeError: with the name that C++ has for the tensor's dtype.
    """
    given = [v for v in (*limits, *named.values()) if v is not None]
    if input._data.dtype.kind not in "iub" or all(isinstance(v, Tensor) for v in given):
        return
    numbers = [v.item() if _is_single(v) else v for v in given]
    if not all(isinstance(v, (int, float, complex, np.generic)) for v in numbers):
        return
    numbers = [number_of(v, "min", "clamp") for v in numbers]
    found = common_dtype(input._data, *numbers)
    if not dtypes.can_cast(found, input.dtype):
        raise cast_error(found.short, input.dtype.c_name)


def _check_number_fits(input: Tensor, *limits: Any, **named: Any) -> None:
    if not any(isinstance(v, complex) for v in (*limits, *named.values())):
        _check_result_fits(input, *limits, **named)


@public("clamp", "clip", inplace="clamp_", before=_check_result_fits)
def clamp(
    input: Tensor, min: Any = None, max: Any = None, *, out: Tensor | None = None
) -> Tensor:
    """Clamp values to [min, max]; limits are numbers or tensors, one may be missing.

    Math: y = min(max(x, low), high)      ∂L/∂x = g where low <= x <= high, else 0
    Shape: (*) -> (*)

    Raises:
        RuntimeError: without a limit, and for complex tensors.

    Example:
        >>> import edutorch as torch
        >>> torch.clamp(torch.tensor([-2.0, 0.5, 3.0]), 0, 1)
        tensor([0.0000, 0.5000, 1.0000])
    """
    low, high = _limits(min=min, max=max)
    if low is None and high is None:
        raise RuntimeError(
            "torch.clamp: At least one of 'min' or 'max' must not be None"
        )
    variant = ""
    if isinstance(low, Tensor) or isinstance(high, Tensor):
        result = apply(ClampTensor(), input, low, high)
    else:
        variant = "number"
        op = Clamp()
        op.low, op.high = low, high
        result = apply1(op, input)
    if out is None:
        return result
    return copyto(out, result, "clamp", (input, min, max), variant=variant)


clip = clamp
attach(clip_=Tensor.clamp_)


@public("clamp_min", inplace="clamp_min_", before=_check_number_fits)
def clamp_min(input: Tensor, min: Any, *, out: Tensor | None = None) -> Tensor:
    """Clamp values from below by a number or tensor.

    Math: y = max(x, low)      ∂L/∂x = g where x >= low, else 0
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.clamp_min(torch.tensor([-2.0, 3.0]), 0)
        tensor([0., 3.])
    """
    refuse_numbers("clamp_min", input=input)
    need_tensors("clamp_min", input=input)
    variant = ""
    if isinstance(min, Tensor):
        result = apply(ClampMinTensor(), input, min, None)
    else:
        variant = "number"
        op = ClampMin()
        op.low = number_of(min, "min", "clamp_min")
        result = apply1(op, input)
    if out is None:
        return result
    return copyto(out, result, "clamp_min", (input, min), variant=variant)


@public("clamp_max", inplace="clamp_max_", before=_check_number_fits)
def clamp_max(input: Tensor, max: Any, *, out: Tensor | None = None) -> Tensor:
    """Clamp values from above by a number or tensor.

    Math: y = min(x, high)      ∂L/∂x = g where x <= high, else 0
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.clamp_max(torch.tensor([-2.0, 3.0]), 0)
        tensor([-2.,  0.])
    """
    refuse_numbers("clamp_max", input=input)
    need_tensors("clamp_max", input=input)
    variant = ""
    if isinstance(max, Tensor):
        result = apply(ClampMaxTensor(), input, None, max)
    else:
        variant = "number"
        op = ClampMax()
        op.high = number_of(max, "max", "clamp_max")
        result = apply1(op, input)
    if out is None:
        return result
    return copyto(out, result, "clamp_max", (input, max), variant=variant)
