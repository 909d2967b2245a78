"""Batch normalisation: each channel to mean 0 and variance 1 over the batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import Op, apply
from ...backends import array_module
from ...kernels import norm as kernels
from ...kernels.memory_format import match_memory_format
from ...kernels.sliding_windows import accumulator
from ...tensor.tensor import Tensor
from ..argument_checks import number_of
from ..reduce import sum
from .checks import UncheckedEps, check_batch, refuse_vector
from .gradient_formulas import gradients
from .saved_statistics import as_saved, half_dtype

__all__ = ["batch_norm", "batch_norm_of_any_eps"]


class BatchNorm(Op):
    """Normalises each channel over batch and space, then scales and shifts.

    Math: y = z · w + b, z = (x − mean) / √(var + eps)
          ∂L/∂x = (h − mean(h) − z · mean(h·z)) / √(var + eps), h = g·w
          ∂L/∂w = Σ g·z      ∂L/∂b = Σ g
    Shape: (N, C, *S), (C), (C) -> (N, C, *S)
    """

    double_backward = "joint"
    attributes = ("eps",)
    onnx = "BatchNormalization"
    torch_name = "NativeBatchNorm"
    saves = (0, 1)
    saves_extra = True
    narrow: Any = None

    def __init__(self, eps: float) -> None:
        self.eps = eps

    def check(self, x: Any, w: Any, b: Any) -> None:
        """Note whether the statistics are to be rounded to 16 bits."""
        self.narrow = half_dtype(x, w, b)

    def forward(self, x: Any, w: Any, b: Any) -> Any:
        y, mean, var = kernels.normalize_channels(x, w, b, self.eps)
        self.found = [mean, var]
        if not self.eps:
            var = _refill(y, var, b)
        self.saved = as_saved(mean, var, self.eps, self.narrow)
        if self.narrow is not None:  # the result uses the saved statistics, too
            mean, var = self.saved
            y = scaled(x, w, b, mean, 1 / np.sqrt(var + self.eps))
        return match_memory_format(y, x)

    def backward(self, g: Any) -> Any:
        x, w, _ = self.inputs
        if isinstance(g, Tensor):
            shape = along(x)
            dims = (0, *range(2, x.ndim))
            gx, gw, gb = gradients(g, x, w, dims, shape, self.eps)
            return gx, gw.reshape(-1), gb.reshape(-1)
        mean, var = self.saved
        return kernels.normalize_channels_backward(g, x, w, mean, var, self.eps)


def _refill(y: Any, var: Any, b: Any) -> Any:
    """Write channels whose numbers are all equal; return the variance to save.

    Without `eps` they are divided by 0, to which PyTorch gives the reciprocal 0.
    """
    equal = var == 0
    y[:, equal] = 0 if b is None else b[equal].reshape(-1, *(1,) * (y.ndim - 2))
    var = var.copy()
    var[equal] = np.inf
    return var


class BatchNormEval(Op):
    """Batch normalisation with given mean and variance, as in evaluation.

    Math: y = x · s + (b − mean · s), s = w / √(var + eps)
          ∂L/∂x = g · s      ∂L/∂w = Σ g · (x − mean) / √(var + eps)      ∂L/∂b = Σ g
    Shape: (N, C, *S), (C), (C) -> (N, C, *S)
    """

    double_backward = "joint"
    attributes = ("eps",)
    onnx = "BatchNormalization"
    torch_name = "NativeBatchNorm"
    saves = (0, 1)

    def __init__(self, eps: float, mean: Any, var: Any) -> None:
        self.eps, self.mean, self.var = eps, mean, var

    def forward(self, x: Any, w: Any, b: Any) -> Any:
        shape = along(x)
        xp, dtype = array_module(x), accumulator(x.dtype)
        self.scale = (1 / xp.sqrt(self.var.astype(dtype) + self.eps)).reshape(shape)
        self.middle = self.mean.astype(dtype).reshape(shape)
        y = scaled(x, w, b, self.middle, self.scale)
        return match_memory_format(y.astype(x.dtype, copy=False), x)

    def backward(self, g: Any) -> Any:
        x, w, _ = self.inputs
        gx = gw = gb = None
        if self.needs[0]:
            gx = g * self.scale if w is None else g * (self.scale * w.reshape(along(x)))
        others = (0, *range(2, x.ndim))
        if self.needs[1]:
            gw = sum(g * ((x - self.middle) * self.scale), others)
        if self.needs[2]:
            gb = sum(g, others)
        return gx, gw, gb


def along(x: Any) -> tuple[int, ...]:
    """The shape (1, C, 1, ...) in which per-channel values broadcast along x."""
    return (1, x.shape[1], *(1,) * (x.ndim - 2))


def scaled(x: Any, w: Any, b: Any, mean: Any, scale: Any) -> Any:
    """Return x · s + (b − mean · s) with s = scale · w, for per-channel values."""
    shape = along(x)
    s = scale.reshape(shape)
    s = s if w is None else s * w.reshape(shape)
    y = x * s
    y += (0 if b is None else b.reshape(shape)) - mean.reshape(shape) * s
    return y


def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalise each channel to mean 0 and variance 1, then scale and shift.

    In training the batch's own mean and variance are used, and the running ones move
    towards them; afterwards the running ones are used.

    Math: y = (x − mean) / √(var + eps) · w + b
          running = (1 − momentum) · running + momentum · new (unbiased variance)
          ∂L/∂x = (h − mean(h) − z · mean(h·z)) / √(var + eps), h = g·w, z = (y − b) / w
          ∂L/∂w = Σ g·z      ∂L/∂b = Σ g
    Shape: (N, C, *S), (C) -> (N, C, *S)

    Args:
        input: the batch.
        running_mean: changed in training; may be None then.
        running_var: changed in training; may be None then.
        weight: the scale of each channel.
        bias: the shift of each channel.
        training: use and learn the batch's statistics.
        momentum: how fast the running statistics follow.
        eps: added to the variance, against division by 0.

    Raises:
        ValueError: in training, if a channel has a single value, or eps <= 0.
        RuntimeError: for numbers of the wrong count, or missing ones.

    Reference: Ioffe and Szegedy (2015), "Batch normalization".

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([[1.0], [3.0]])
        >>> torch.nn.functional.batch_norm(x, None, None, training=True)
        tensor([[-1.0000],
                [ 1.0000]])
    """
    check_batch(input, weight, bias, running_mean, running_var, training, momentum, eps)
    if input.ndim < 2 or not input._data.size:
        return _norm_of_empty_input(input, weight, bias)
    op: BatchNorm | BatchNormEval
    if training or running_mean is None or running_var is None:
        op = BatchNorm(float(eps))
    else:
        op = BatchNormEval(float(eps), running_mean._data, running_var._data)
    y = apply(op, input, weight, bias)
    if isinstance(op, BatchNorm):
        if type(momentum) is not float:
            momentum = number_of(momentum, "momentum", "batch_norm", "float")
        mean, var = op.found
        n = input.numel() // input.shape[1]  # values of each channel
        _update_running(running_mean, mean, momentum)
        _update_running(running_var, var * (n / max(1, n - 1)), momentum)
    return y


def _norm_of_empty_input(
    x: Tensor, weight: Tensor | None, bias: Tensor | None
) -> Tensor:
    """The result for an input without elements, of any dtype; a vector has none.

    Weights get a gradient of zeros. As in PyTorch, that takes their first element.
    """
    if x.numel():
        refuse_vector(x, weight, bias)
    y = x.clone()
    if weight is not None:
        y = y * weight.select(0, 0)
    return y if bias is None else y + bias.select(0, 0)


def batch_norm_of_any_eps(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None,
    bias: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
) -> Tensor:
    """Batch norm that checks neither `eps` nor how many values a channel has."""
    return batch_norm(
        input, running_mean, running_var, weight, bias, training, momentum,
        UncheckedEps(eps),
    )  # fmt: skip


def _update_running(running: Tensor | None, new: Any, momentum: float) -> None:
    """Move a running statistic towards a new value, in place."""
    if running is None:
        return
    old = running._data
    old[...] = (1 - momentum) * old + momentum * new
    running.untyped_storage().version += 1
