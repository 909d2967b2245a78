"""Softmax, log_softmax, softmin and gumbel_softmax."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from .. import dtypes
from ..autograd import modes as _m
from ..autograd.dispatch import Op, apply1, apply2
from ..autograd.half_precision import is_half
from ..backends import array_module
from ..errors import raise_if
from ..kernels import softmax as kernels
from ..kernels.memory_format import row_major
from ..random.continuous import exponential
from ..random.generator import generator_for
from ..tensor.tensor import Tensor, wrap
from .argument_checks import need_tensors, numpy_dtype
from .argument_errors import argument_error
from .dims import dim_of, ndim_of
from .pointwise import exp, log
from .reduce import argmax, sum
from .registration import composite, into, public
from .signatures import entry_call

__all__ = ["gumbel_softmax", "log_softmax", "softmax", "softmin"]


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
        """Raise unless the dtype is floating-point."""
        if not x.dtype.is_floating_point and x.numel():
            last = "lastdim_" if self.dim == max(x.ndim - 1, 0) else ""
            raise NotImplementedError(
                f'"{self.kernel}_{last}kernel_impl" not implemented for '
                f"'{x.dtype.short}'"
            )
        if self.rounds_sums and is_half(x._data.dtype) and x.numel():
            self.narrow = x._data.dtype if self.dim == x.ndim - 1 else None

    def forward(self, x: Any) -> Any:
        return row_major(kernels.softmax(x, self.dim))

    def backward(self, g: Any) -> Any:
        return apply2(SoftmaxGrad(self.dim), g, self.output)


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


def _scores(x: Any, dim: Any, given: Any, dtype: Any, name: str) -> tuple[Any, int]:
    """The input in the requested dtype, and the non-negative dimension.

    `torch.softmax` has the dtype third, `nn.functional.softmax` a stack level.
    """
    if isinstance(given, (bool, dtypes.dtype)):
        dtype = given
    ndim = ndim_of(x)
    if dtype is not None:
        x = x.to(dtypes.of_numpy[numpy_dtype(dtype)])
    if dim is None:
        if not _may_be_functional():
            raise_if(argument_error())
        warnings.warn(
            f"Implicit dimension choice for {name} has been deprecated. Change the "
            "call to include dim=X as an argument.",
            stacklevel=3,
        )
        dim = 0 if ndim in (0, 1, 3) else 1
    return x, dim_of(dim, ndim)


def _may_be_functional() -> bool:
    """Whether the program may have called `nn.functional`'s function.

    That one allows None for `dim`. `torch.softmax` and the method are the same
    function: only the program's text tells them apart, and what `exec` runs has none.
    """
    call = entry_call()
    return call is not None and call.written() is None


@public("softmax")
def softmax(
    input: Tensor,
    dim: int | None = None,
    _stacklevel: Any = 3,
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

    Example:
        >>> import edutorch as torch
        >>> torch.softmax(torch.tensor([0.0, 0.0]), 0)
        tensor([0.5000, 0.5000])
    """
    if _m.special_modes and softmax in _m.modes.autocast:
        return _m.autocast(softmax, input, dim, _stacklevel, dtype, out=out, axis=axis)
    if axis is not None:  # see Note [NumPy's names]
        dim = axis
    x, dim = _scores(input, dim, _stacklevel, dtype, "softmax")
    result = apply1(Softmax(dim), x)
    return result if out is None else into(out, result, "softmax", (input, _stacklevel))


@public("log_softmax")
def log_softmax(
    input: Tensor,
    dim: int | None = None,
    _stacklevel: Any = 3,
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

    Example:
        >>> import edutorch as torch
        >>> torch.log_softmax(torch.tensor([1000.0, 0.0]), 0)
        tensor([    0., -1000.])
    """
    if _m.special_modes and log_softmax in _m.modes.autocast:
        return _m.autocast(
            log_softmax, input, dim, _stacklevel, dtype, out=out, axis=axis
        )
    if axis is not None:  # see Note [NumPy's names]
        dim = axis
    x, dim = _scores(input, dim, _stacklevel, dtype, "log_softmax")
    result = apply1(LogSoftmax(dim), x)
    if out is None:
        return result
    return into(out, result, "log_softmax", (input, _stacklevel))


@composite
def softmin(
    input: Tensor,
    dim: int | None = None,
    _stacklevel: Any = 3,
    dtype: dtypes.dtype | None = None,
) -> Tensor:
    """Softmax of the negated scores, so that the smallest has the highest probability.

    Math: y_i = exp(−x_i) / Σ_j exp(−x_j)      ∂L/∂x = −y · (g − Σ_j g_j y_j)
    Shape: (*) -> (*)

    Raises:
        AttributeError: for a number.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.softmin(torch.tensor([0.0, 0.0]), 0)
        tensor([0.5000, 0.5000])
    """
    if isinstance(input, (int, float, complex)):
        raise AttributeError(
            f"'{type(-input).__name__}' object has no attribute 'softmax'"
        )
    x, dim = _scores(-input, dim, _stacklevel, dtype, "softmin")
    return apply1(Softmax(dim), x)


@composite
def gumbel_softmax(
    logits: Tensor,
    tau: float = 1,
    hard: bool = False,
    eps: float = 1e-10,
    dim: int = -1,
) -> Tensor:
    """Differentiable samples of a categorical distribution.

    Math: y = softmax((x + G) / tau), G = −log(E), E exponentially distributed
          ∂L/∂x = y · (g − Σ_j g_j y_j) / tau; y is this softmax with `hard`, too
    Shape: (*) -> (*)

    Args:
        logits: unnormalised logarithms of probabilities.
        tau: temperature: the lower, the closer to one-hot.
        hard: return one-hot samples, with the gradient of the soft ones.
        eps: not used.
        dim: the dimension of the categories.

    Raises:
        RuntimeError: for scores that are not floating-point numbers.

    Reference: Jang, Gu, Poole (2017), "Categorical reparameterization with
    Gumbel-softmax".

    Example:
        >>> import edutorch as torch
        >>> y = torch.nn.functional.gumbel_softmax(torch.zeros(4), hard=True)
        >>> y.sum()
        tensor(1.)
    """
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=2)
    need_tensors("empty_like", input=logits)
    if not logits.dtype.is_floating_point:
        raise RuntimeError(
            "Exponential distribution is a continuous probability distribution. dtype "
            f"must be a floating point but you specified {logits.dtype.short}"
        )
    x = logits._data
    draws = exponential(generator_for(logits._device), x.shape, x.dtype)
    noise = -log(wrap(draws, logits._device))
    soft = softmax((logits + noise) / tau, dim)
    if not hard:
        return soft
    index = argmax(soft, dim, keepdim=True)
    categories = wrap(_arange_along(x, dim), logits._device)
    one_hot = (categories == index).to(soft.dtype)
    straight: Tensor = one_hot - soft.detach() + soft
    return straight


def _arange_along(x: Any, dim: int) -> Any:
    """0, 1, 2, ... along `dim`, with size 1 elsewhere."""
    xp = array_module(x)
    shape = [1] * x.ndim
    shape[dim] = x.shape[dim] if x.ndim else 1
    return xp.arange(x.shape[dim] if x.ndim else 1).reshape(shape if x.ndim else ())
