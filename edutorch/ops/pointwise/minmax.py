"""The larger, the smaller, and limits: maximum, minimum, clamp and their kin."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.op import apply, apply1, apply2
from ...tensor.tensor import Tensor
from ..attach import into, public, refuse_numbers
from ..promotion import Pointwise, common_dtype
from ..refusals import refuse_kinds
from .blend import masked, where

__all__ = [
    "clamp", "clamp_max", "clamp_min", "clip", "fmax", "fmin", "maximum", "minimum",
]  # fmt: skip


class _Extreme(Pointwise):
    """What maximum and minimum share: tensors only, and no complex ones."""

    numbers = False
    packs = (1, 0)

    def check(self, a: Any, b: Any) -> None:
        for x in (a, b):
            if isinstance(x, Tensor) and x._data.dtype.kind in "cW":
                raise RuntimeError(
                    f"{self.public} not implemented for complex tensors."
                )


class Maximum(_Extreme):
    """The larger of two tensors; nan if one is nan.

    Math: y = max(a, b)      ∂L/∂a = g where a > b, g / 2 where a = b, else 0
    """

    onnx = "Max"

    def forward(self, a: Any, b: Any) -> Any:
        return np.maximum(a, b)

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        half = where(a == b, g / 2, g)
        return where(a < b, 0, half), where(b < a, 0, half)


@public("maximum")
def maximum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise larger of two; nan if one of them is nan.

    Math: y = max(a, b)      ∂L/∂a = g where a > b, g / 2 where a = b, else 0
    Shape: (*), (*) -> (*), broadcast

    Raises:
        RuntimeError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.maximum(torch.tensor([1, 5]), torch.tensor([3, 2]))
        tensor([3, 5])
    """
    result = apply2(Maximum(), input, other)
    return result if out is None else into(out, result)


class Minimum(_Extreme):
    """The smaller of two tensors; nan if one is nan.

    Math: y = min(a, b)      ∂L/∂a = g where a < b, g / 2 where a = b, else 0
    """

    onnx = "Min"

    def forward(self, a: Any, b: Any) -> Any:
        return np.minimum(a, b)

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        half = where(a == b, g / 2, g)
        return where(a > b, 0, half), where(b > a, 0, half)


@public("minimum")
def minimum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise smaller of two; nan if one of them is nan.

    Math: y = min(a, b)      ∂L/∂a = g where a < b, g / 2 where a = b, else 0
    Shape: (*), (*) -> (*), broadcast

    Raises:
        RuntimeError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.minimum(torch.tensor([1, 5]), torch.tensor([3, 2]))
        tensor([1, 2])
    """
    result = apply2(Minimum(), input, other)
    return result if out is None else into(out, result)


class Fmax(_Extreme):
    """The larger of two tensors; a number where the other is nan.

    Math: y = max(a, b)      ∂L/∂a = g where a >= b or b is nan      ∂L/∂b = g elsewhere
    """

    def forward(self, a: Any, b: Any) -> Any:
        return np.fmax(a, b)

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        first = (a >= b) | (b != b)  # nan differs from itself
        return where(first, g, 0), where(first, 0, g)


@public("fmax")
def fmax(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise larger of two; a number wins over nan.

    Math: y = max(a, b)      ∂L/∂a = g where a >= b or b is nan      ∂L/∂b = g elsewhere
    Shape: (*), (*) -> (*), broadcast

    Raises:
        RuntimeError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.fmax(torch.tensor([1.0, float("nan")]), torch.tensor([3.0, 2.0]))
        tensor([3., 2.])
    """
    result = apply2(Fmax(), input, other)
    return result if out is None else into(out, result)


class Fmin(_Extreme):
    """The smaller of two tensors; a number where the other is nan.

    Math: y = min(a, b)      ∂L/∂a = g where a <= b or b is nan      ∂L/∂b = g elsewhere
    """

    def forward(self, a: Any, b: Any) -> Any:
        return np.fmin(a, b)

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        first = (a <= b) | (b != b)  # nan differs from itself
        return where(first, g, 0), where(first, 0, g)


@public("fmin")
def fmin(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise smaller of two; a number wins over nan.

    Math: y = min(a, b)      ∂L/∂a = g where a <= b or b is nan      ∂L/∂b = g elsewhere
    Shape: (*), (*) -> (*), broadcast

    Raises:
        RuntimeError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.fmin(torch.tensor([1.0, float("nan")]), torch.tensor([3.0, 2.0]))
        tensor([1., 2.])
    """
    result = apply2(Fmin(), input, other)
    return result if out is None else into(out, result)


def _fitting(limit: Any, dtype: Any) -> Any:
    """A limit in the dtype of what it limits; -1 is the largest one without a sign."""
    wraps = dtype.kind == "u" and limit < 0
    return np.asarray(limit).astype(dtype) if wraps else dtype.type(limit)


class Clamp(Pointwise):
    """Values brought between two numbers.

    Math: y = min(max(x, low), high)      ∂L/∂x = g where low <= x <= high, else 0
    """

    onnx = "Clip"
    attributes = ("low", "high")
    low: Any = None
    high: Any = None

    overload = 1

    def check(self, x: Any) -> None:
        if x._data.dtype.kind in "cW":
            raise NotImplementedError("clamp is not supported for complex types")

    def forward(self, x: Any) -> Any:
        low, high = self.low, self.high
        if x.dtype.kind != "f":
            limits = [v for v in (low, high) if v is not None]
            x = x.astype(common_dtype(x, *limits).numpy)
        if low is not None:
            x = np.maximum(_fitting(low, x.dtype), x)  # -0 stays -0: it comes second
        return x if high is None else np.minimum(_fitting(high, x.dtype), x)

    def backward(self, g: Any) -> Any:
        x, low, high = self.inputs[0], self.low, self.high
        if low is None:
            return masked(g, x <= high)
        if high is None:
            return masked(g, x >= low)
        return masked(g, (x >= low) & (x <= high))


class ClampMin(Clamp):
    """Values brought above a number.

    Math: y = max(x, low)      ∂L/∂x = g where x >= low, else 0
    """

    torch_name = "ClampMin"
    overload = 0


class ClampMax(Clamp):
    """Values brought below a number.

    Math: y = min(x, high)      ∂L/∂x = g where x <= high, else 0
    """

    torch_name = "ClampMax"
    overload = 0


class ClampTensor(Pointwise):
    """Values brought between two tensors, of which one may be missing.

    Math: y = min(max(x, low), high)
          ∂L/∂x = g where low <= x <= high, and the limit that holds gets g elsewhere
    """

    public = "clamp"
    torch_name = "Clamp"

    def check(self, x: Any, low: Any, high: Any) -> None:
        """Complex numbers have no order."""
        given = [v for v in (x, low, high) if isinstance(v, Tensor)]
        if self.public == "clamp" and x._data.dtype.kind in "cW":
            raise NotImplementedError("clamp is not supported for complex types")
        kernel = "clamp_cpu" if len(given) == 3 else "maximum_cpu"
        refuse_kinds("minimum_cpu" if low is None else kernel, "c", *given)
        if len(given) == 3 and all(v._data.dtype.kind == "b" for v in given):
            refuse_kinds(kernel, "b", x)

    def agree(self, x: Any, low: Any, high: Any) -> Any:  # type: ignore[override]
        given = [v for v in (x, low, high) if v is not None]
        target = common_dtype(*given).numpy
        return tuple(None if v is None else v.astype(target) for v in (x, low, high))

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
    """Values brought above a tensor.

    Math: y = max(x, low)      ∂L/∂x = g where x >= low      ∂L/∂low = g elsewhere
    """

    public = "clamp_min"
    torch_name = "ClampMin"
    overload = 1


class ClampMaxTensor(ClampTensor):
    """Values brought below a tensor.

    Math: y = min(x, high)      ∂L/∂x = g where x <= high      ∂L/∂high = g elsewhere
    """

    public = "clamp_max"
    torch_name = "ClampMax"
    overload = 1


def _clamp_tensors(input: Tensor, min: Any, max: Any) -> Tensor:
    if isinstance(min, (int, float)) or isinstance(max, (int, float)):
        raise _wrong_limits(min, max)
    return apply(ClampTensor(), input, min, max)


def _check_limit(name: str, limit: Any) -> None:
    if isinstance(limit, complex):
        raise NotImplementedError("clamp is not supported for complex types")
    if not isinstance(limit, (Tensor, int, float, np.generic)):
        raise TypeError(f"{name}() received an invalid combination of arguments")


def _wrong_limits(min: Any, max: Any) -> TypeError:
    kinds = ", ".join(type(v).__name__ for v in (min, max) if v is not None)
    return TypeError(
        "clamp() received an invalid combination of arguments - got (Tensor, "
        f"{kinds}), but limits must be two numbers or two tensors"
    )


@public("clamp", "clip", inplace="clamp_")
def clamp(
    input: Tensor, min: Any = None, max: Any = None, *, out: Tensor | None = None
) -> Tensor:
    """Values limited to [min, max]; limits are numbers or tensors, one may be missing.

    Math: y = min(max(x, low), high)      ∂L/∂x = g where low <= x <= high, else 0
    Shape: (*) -> (*)

    Raises:
        RuntimeError: without any limit, and for complex tensors.

    Example:
        >>> import edutorch as torch
        >>> torch.clamp(torch.tensor([-2.0, 0.5, 3.0]), 0, 1)
        tensor([0.0000, 0.5000, 1.0000])
    """
    if isinstance(min, Tensor) or isinstance(max, Tensor):
        result = _clamp_tensors(input, min, max)
    elif min is None and max is None:
        raise RuntimeError(
            "torch.clamp: At least one of 'min' or 'max' must not be None"
        )
    elif isinstance(min, str) or isinstance(max, str):
        raise _wrong_limits(min, max)
    else:
        op = Clamp()
        op.low, op.high = min, max
        result = apply1(op, input)
    return result if out is None else into(out, result)


clip = clamp
Tensor.clip_ = Tensor.clamp_  # type: ignore[method-assign]


@public("clamp_min", inplace="clamp_min_")
def clamp_min(input: Tensor, min: Any, *, out: Tensor | None = None) -> Tensor:
    """Values limited from below, by a number or a tensor.

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
    _check_limit("clamp_min", min)
    if isinstance(min, Tensor):
        result = apply(ClampMinTensor(), input, min, None)
    else:
        op = ClampMin()
        op.low = min
        result = apply1(op, input)
    return result if out is None else into(out, result)


@public("clamp_max", inplace="clamp_max_")
def clamp_max(input: Tensor, max: Any, *, out: Tensor | None = None) -> Tensor:
    """Values limited from above, by a number or a tensor.

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
    _check_limit("clamp_max", max)
    if isinstance(max, Tensor):
        result = apply(ClampMaxTensor(), input, None, max)
    else:
        op = ClampMax()
        op.high = max
        result = apply1(op, input)
    return result if out is None else into(out, result)
