"""Softmax and its logarithm."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..autograd import modes as _m
from ..autograd.dispatch import Op, apply1, apply2
from ..autograd.half_precision import is_half
from ..kernels import softmax as kernels
from ..kernels.memory_format import row_major
from ..tensor.tensor import Tensor
from .argument_checks import numpy_dtype, refuse_complex_gradients, type_error
from .dims import dim_or_axis
from .pointwise import exp
from .reduce import sum
from .registration import copyto, public

__all__ = ["as_dtype", "log_softmax", "safe_softmax", "softmax"]


class Softmax(Op):
    """Softmax along a dimension.

    Math: y_i = exp(x_i) / Σ_j exp(x_j)      ∂L/∂x = y · (g − Σ_j g_j y_j)
    Shape: (*) -> (*)
    """

    attributes = ("dim",)
    onnx = "Softmax"
    saves = ()
    saves_output = True
    kernel = "softmax"  # PyTorch's name of it, in messages
    rounds_sums = False
    narrow: Any = None  # the 16-bit dtype of rows whose sums are rounded
    float8_kernel = "softmax_lastdim_kernel_impl"

    def __init__(self, dim: int) -> None:
        self.dim = dim

    def check(self, x: Tensor) -> None:
        """Raise unless the dtype is floating-point; set `narrow` for 16-bit rows."""
        if not x.dtype.is_floating_point:
            if x.numel():
                last = "lastdim_" if self.dim == max(x.ndim - 1, 0) else ""
                raise NotImplementedError(
                    f'"{self.kernel}_{last}kernel_impl" not implemented for '
                    f"'{x.dtype.short}'"
                )
            refuse_complex_gradients(f"_{self.kernel}", x)
        if self.rounds_sums and is_half(x._data.dtype) and x.numel():
            self.narrow = x._data.dtype if self.dim == x.ndim - 1 else None

    def forward(self, x: Any) -> Any:
        return row_major(kernels.softmax(x, self.dim))

    def backward(self, g: Any) -> Any:
        return apply2(SoftmaxGrad(self.dim), g, self.output)


class SafeSoftmax(Softmax):
    """Softmax as attention computes it, whose node has another name in PyTorch.

    Math: y_i = exp(x_i) / Σ_j exp(x_j)      ∂L/∂x = y · (g − Σ_j g_j y_j)
    Shape: (*) -> (*)
    """

    float8_kernel = "softmax_lastdim_kernel_impl"


def safe_softmax(scores: Tensor) -> Tensor:
    """Softmax along the last dimension, for scores no row of which is masked.

    Example:
        >>> safe_softmax(Tensor([0.0, 0.0]))
        tensor([0.5000, 0.5000])
    """
    return apply1(SafeSoftmax(scores.ndim - 1), scores)


class SoftmaxGrad(Op):
    """The gradient of `Softmax`, as a differentiable op.

    Math: z = y · (g − s), s = Σ_j g_j y_j
          ∂L/∂g = y · (h − Σ_j h_j y_j)      ∂L/∂y = h · (g − s) − g · Σ_j h_j y_j
    Shape: (*), (*) -> (*)
    """

    attributes = ("dim",)
    torch_name = "SoftmaxBackward"

    def __init__(self, dim: int) -> None:
        self.dim = dim

    def forward(self, g: Any, y: Any) -> Any:
        return kernels.softmax_backward(g, y, self.dim)

    def backward(self, h: Any) -> Any:
        g, y = self.inputs
        gg = apply2(SoftmaxGrad(self.dim), h, y)
        s, t = (sum(v * y, (self.dim,), keepdim=True) for v in (g, h))
        return gg, h * (g - s) - g * t


class LogSoftmax(Softmax):
    """Logarithm of the softmax, computed without the softmax.

    Math: y_i = x_i − log Σ_j exp(x_j)      ∂L/∂x = g − exp(y) · Σ_j g_j
    Shape: (*) -> (*)
    """

    onnx = "LogSoftmax"
    kernel = "log_softmax"
    # Of rows of 16-bit scores, PyTorch rounds the sum and its logarithm, too.
    rounds_sums = True
    float8_kernel = "log_softmax_lastdim_kernel_impl"

    def forward(self, x: Any) -> Any:
        if self.narrow is not None:
            shifted = x - x.max(-1, keepdims=True)
            total = np.exp(shifted).sum(-1, keepdims=True).astype(self.narrow)
            return row_major(
                shifted - np.log(total.astype(x.dtype)).astype(self.narrow)
            )
        return row_major(kernels.log_softmax(x, self.dim))

    def backward(self, g: Any) -> Any:
        return apply2(LogSoftmaxGrad(self.dim), g, self.output)


class LogSoftmaxGrad(Op):
    """The gradient of `LogSoftmax`, as a differentiable op.

    Math: z = g − exp(y) · Σ_j g_j
          ∂L/∂g = h − Σ_j h_j exp(y_j)      ∂L/∂y = −h · exp(y) · Σ_j g_j
    Shape: (*), (*) -> (*)
    """

    attributes = ("dim",)
    torch_name = "LogSoftmaxBackward"

    def __init__(self, dim: int) -> None:
        self.dim = dim

    def forward(self, g: Any, y: Any) -> Any:
        return kernels.log_softmax_backward(g, y, self.dim)

    def backward(self, h: Any) -> Any:
        g, y = self.inputs
        p = h * exp(y)
        gg = h - sum(p, (self.dim,), keepdim=True)
        return gg, -p * sum(g, (self.dim,), keepdim=True)


def as_dtype(input: Tensor, dtype: Any) -> Tensor:
    """The scores in the requested dtype.

    Example:
        >>> import edutorch as torch
        >>> as_dtype(torch.tensor([1, 2]), torch.float64)
        tensor([1., 2.], dtype=torch.float64)
    """
    if not isinstance(input, Tensor):
        raise type_error("Tensor", "input", input)
    converted: Tensor = input.to(dtypes.of_numpy[numpy_dtype(dtype)])
    return converted


@public("softmax")
def softmax(
    input: Tensor,
    dim: Any = None,
    dtype: dtypes.dtype | None = None,
    *,
    out: Tensor | None = None,
    axis: Any = None,
) -> Tensor:
    """Exponentials along `dim`, scaled to sum to 1.

    Math: y_i = exp(x_i) / Σ_j exp(x_j)      ∂L/∂x = y · (g − Σ_j g_j y_j)
    Shape: (*) -> (*)
    Reference: Bridle (1990), "Probabilistic interpretation of feedforward
        classification network outputs".

    Args:
        input: the scores.
        dim: the dimension that adds up to 1.
        dtype: what to convert to first.

    Raises:
        IndexError: if there is no such dimension.
        NotImplementedError: for integers.
        TypeError: if no dimension is given.

    Example:
        >>> import edutorch as torch
        >>> torch.softmax(torch.tensor([0.0, 0.0]), 0)
        tensor([0.5000, 0.5000])
    """
    if _m.special_modes and softmax in _m.modes.autocast:
        return _m.autocast(softmax, input, dim, dtype, out=out, axis=axis)
    x = input if dtype is None else as_dtype(input, dtype)
    result = apply1(Softmax(dim_or_axis("softmax", x, dim, axis)), x)
    return result if out is None else copyto(out, result, "softmax", (input,))


@public("log_softmax")
def log_softmax(
    input: Tensor,
    dim: Any = None,
    dtype: dtypes.dtype | None = None,
    *,
    out: Tensor | None = None,
    axis: Any = None,
) -> Tensor:
    """Logarithms of the softmax, computed without underflow.

    Math: y_i = x_i − log Σ_j exp(x_j)      ∂L/∂x = g − exp(y) · Σ_j g_j
    Shape: (*) -> (*)
    Reference: Bridle (1990), "Probabilistic interpretation of feedforward
        classification network outputs".

    Args:
        input: the scores.
        dim: the dimension whose probabilities add up to 1.
        dtype: what to convert to first.

    Raises:
        IndexError: if there is no such dimension.
        NotImplementedError: for integers.
        TypeError: if no dimension is given.

    Example:
        >>> import edutorch as torch
        >>> torch.log_softmax(torch.tensor([1000.0, 0.0]), 0)
        tensor([    0., -1000.])
    """
    if _m.special_modes and log_softmax in _m.modes.autocast:
        return _m.autocast(log_softmax, input, dim, dtype, out=out, axis=axis)
    x = input if dtype is None else as_dtype(input, dtype)
    result = apply1(LogSoftmax(dim_or_axis("log_softmax", x, dim, axis)), x)
    return result if out is None else copyto(out, result, "log_softmax", (input,))
