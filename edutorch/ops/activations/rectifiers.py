"""Piecewise linear activations: relu, leaky_relu, hardtanh, threshold."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd.dispatch import Op, apply1, apply2
from ...autograd.double_backward import zero_gradient
from ...autograd.inplace_variants import in_place, second_overload
from ...kernels import activations as kernels
from ...tensor.tensor import Tensor
from ..argument_checks import need_floats, need_tensors, number_of
from ..argument_errors import check_call
from ..number_ranges import checked_number, compute_dtype, overflow_error
from ..pointwise.ternary import masked, where
from ..promotion import Pointwise
from ..registration import public
from .floating_only import FloatingPointwise

__all__ = [
    "hardtanh", "hardtanh_", "leaky_relu", "leaky_relu_", "relu", "relu6", "relu_",
    "threshold", "threshold_",
]  # fmt: skip


class Relu(Pointwise):
    """The positive part.

    Math: y = max(x, 0)      ∂L/∂x = g where y > 0, else 0
    Reference: Nair and Hinton, 2010
    """

    __slots__ = ()

    onnx = "Relu"
    saves = ()
    saves_output = True
    forward = staticmethod(kernels.relu)
    float8_kernel = "clamp_min_scalar_cpu"

    def backward(self, g: Any) -> Any:
        gradient = relu_gradient if isinstance(g, Tensor) else kernels.relu_gradient
        return gradient(g, self.output)


class ReluGradient(Op):
    """The gradient g where the result of relu is positive, else 0.

    Math: gx = g where y > 0, else 0      ∂L/∂g = as gx      ∂L/∂y = 0
    """

    torch_name = "ThresholdBackward"
    saves = (1,)

    def forward(self, g: Any, y: Any) -> Any:
        return kernels.relu_gradient(g, y)

    def backward(self, g: Any) -> Any:
        return relu_gradient(g, self.inputs[1]), zero_gradient(self, 1)


def relu_gradient(g: Any, y: Any) -> Any:
    """The gradient of relu, given its result, for formulas."""
    return apply2(ReluGradient(), g, y)


@public("relu", inplace="relu_")
def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """Elementwise rectified linear unit.

    Math: y = max(x, 0)      ∂L/∂x = g where y > 0, else 0
    Shape: (*) -> (*)
    Reference: Nair and Hinton, 2010

    Args:
        inplace: overwrite the input with the result.

    Example:
        >>> import edutorch as torch
        >>> torch.relu(torch.tensor([-1.0, 2.0]))
        tensor([0., 2.])
    """
    if inplace:
        return relu_(input)
    return apply1(Relu(), input)


relu_ = in_place(relu, "relu_")


class LeakyRelu(FloatingPointwise):
    """The identity for positive numbers, a small slope for others.

    Math: y = x where x > 0, else a · x      ∂L/∂x = g where x > 0, else a · g
    Reference: Maas et al., 2013
    """

    double_backward = "every_order"
    kernel = "leaky_relu_cpu"
    onnx = "LeakyRelu"
    attributes = ("negative_slope",)

    def __init__(self, negative_slope: float) -> None:
        self.negative_slope = negative_slope

    def forward(self, x: Any) -> Any:
        y = kernels.leaky_relu(x, self.negative_slope)
        return y.astype(x.dtype, copy=False)

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        if not isinstance(g, Tensor):
            return kernels.leaky_relu_gradient(g, x, self.negative_slope)
        return where(x > 0, g, g * self.negative_slope)


def leaky_relu(
    input: Tensor, negative_slope: float = 0.01, inplace: bool = False
) -> Tensor:
    """Elementwise rectifier with a small slope for negative elements.

    Math: y = x where x > 0, else a · x      ∂L/∂x = g where x > 0, else a · g
    Shape: (*) -> (*)
    Reference: Maas et al., 2013

    Raises:
        NotImplementedError: for integers, booleans and complex numbers.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.ops.activations import leaky_relu
        >>> leaky_relu(torch.tensor([-1.0, 2.0]), 0.1)
        tensor([-0.1000,  2.0000])
    """
    negative_slope = number_of(negative_slope, "negative_slope", "leaky_relu")
    if isinstance(negative_slope, complex):
        raise overflow_error(compute_dtype(input.dtype))
    if inplace:
        return leaky_relu_(input, negative_slope)
    return apply1(LeakyRelu(negative_slope), input)


leaky_relu_ = in_place(second_overload(leaky_relu), "leaky_relu_")


HALF_MAX = 65504.0  # the largest number of float16


class Hardtanh(Pointwise):
    """Clamps numbers to an interval.

    Math: y = min(max(x, low), high)      ∂L/∂x = g where low < x < high, else 0
    """

    double_backward = "every_order"
    onnx = "Clip"
    attributes = ("low", "high")

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def check(self, x: Any) -> None:
        """Refuse booleans and complex numbers, which cannot be clamped."""
        kind = x._data.dtype.kind
        if kind == "b":
            raise RuntimeError("Bool inputs not supported for hardtanh")
        if kind in "cW":
            raise NotImplementedError("clamp is not supported for complex types")
        if kind == "u" and self.low <= -1:  # as an integer
            raise RuntimeError(
                "cannot do hardtanh on an unsigned type with negative limits"
            )
        if kind == "f" and -HALF_MAX <= self.low <= self.high <= HALF_MAX:
            return  # all floats can represent them
        for limit in (self.low, self.high):
            if kind in "iu":  # by way of the largest integers
                limit = checked_number(float(limit), dtypes.int64)
            checked_number(limit, x.dtype)

    def forward(self, x: Any) -> Any:
        low, high = x.dtype.type(self.low), x.dtype.type(self.high)
        return np.minimum(high, np.maximum(low, x))  # -0 stays -0: it comes second

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        return masked(g, ~((x <= self.low) | (x >= self.high)))  # g where x is nan


def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Tensor:
    """Elementwise clamp to [`min_val`, `max_val`].

    Math: y = min(max(x, low), high)      ∂L/∂x = g where low < x < high, else 0
    Shape: (*) -> (*)

    Raises:
        ValueError: if `min_val` is larger than `max_val`.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.ops.activations import hardtanh
        >>> hardtanh(torch.tensor([-2.0, 0.5, 2.0]))
        tensor([-1.0000,  0.5000,  1.0000])
    """
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    if inplace:
        return hardtanh_(input, min_val, max_val)
    if isinstance(min_val, Tensor) or isinstance(max_val, Tensor):
        check_call(False)
        min_val = number_of(min_val, "min_val", "hardtanh")
        max_val = number_of(max_val, "max_val", "hardtanh")
    return apply1(Hardtanh(min_val, max_val), input)


hardtanh_ = in_place(hardtanh, "hardtanh_")


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Elementwise rectifier clamped at 6.

    Math: y = min(max(x, 0), 6)      ∂L/∂x = g where 0 < x < 6, else 0
    Shape: (*) -> (*)
    Reference: Krizhevsky, 2010

    Example:
        >>> import edutorch as torch
        >>> from edutorch.ops.activations import relu6
        >>> relu6(torch.tensor([-1.0, 3.0, 9.0]))
        tensor([0., 3., 6.])
    """
    need_tensors("relu6", input=input)
    return hardtanh(input, 0.0, 6.0, inplace)


class Threshold(Pointwise):
    """Replaces numbers that do not exceed a threshold by a value.

    Math: y = x where x > t, else v      ∂L/∂x = g where x > t, else 0
    """

    double_backward = "every_order"
    attributes = ("threshold", "value")

    def __init__(self, threshold: float, value: float) -> None:
        self.threshold, self.value = threshold, value

    def check(self, x: Tensor) -> None:
        """Refuse booleans and complex numbers, which have no threshold."""
        need_floats("threshold_cpu", x, also="iu")
        self.threshold = checked_number(self.threshold, compute_dtype(x.dtype))
        self.value = checked_number(self.value, x.dtype)

    def forward(self, x: Any) -> Any:
        limit = self.threshold if x.dtype.kind == "f" else int(self.threshold)
        return np.where(x <= limit, x.dtype.type(self.value), x)

    def backward(self, g: Any) -> Any:
        return where(self.inputs[0] <= self.threshold, 0, g)  # nan lets g through


def threshold(
    input: Tensor, threshold: float, value: float, inplace: bool = False
) -> Tensor:
    """Replaces elements that do not exceed `threshold` by `value`.

    Math: y = x where x > t, else v      ∂L/∂x = g where x > t, else 0
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for booleans and complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.threshold(torch.tensor([-1.0, 0.5, 2.0]), 1.0, 9.0)
        tensor([9., 9., 2.])
    """
    threshold = number_of(threshold, "threshold", "threshold")
    value = number_of(value, "value", "threshold")
    if inplace:
        return threshold_(input, threshold, value)
    return apply1(Threshold(threshold, value), input)


threshold_ = in_place(second_overload(threshold), "threshold_")
