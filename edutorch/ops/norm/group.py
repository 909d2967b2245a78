"""Group and instance normalisation: within each sample, over groups of channels."""

from __future__ import annotations

from math import prod
from typing import Any

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply
from ...autograd.inplace import check_memory
from ...kernels import norm as kernels
from ...kernels.memory_format import match_memory_format
from ...op_events import reported
from ...tensor.tensor import Tensor
from ..argument_checks import need_optional, need_tensors, number_of, type_error
from ..argument_errors import parser_errors
from ..dims import dim_of, dim_unless_scalar
from ..int_arguments import int_of
from ..number_ranges import compute_dtype
from ..registration import composite
from .batch import along, batch_norm_of_any_eps
from .checks import check_channels, check_dtypes
from .gradient_formulas import gradients
from .saved_statistics import as_saved, half_dtype

__all__ = ["group_norm", "instance_norm"]


class GroupNorm(Op):
    """Normalises groups of channels of each sample, then scales and shifts.

    Math: y = z · w + b, z = (x − mean) / √(var + eps)
          ∂L/∂x = (h − mean(h) − z · mean(h·z)) / √(var + eps), h = g·w
          ∂L/∂w = Σ g·z      ∂L/∂b = Σ g
    Shape: (N, C, *S), (C), (C) -> (N, C, *S)
    """

    attributes = ("num_groups", "eps")
    torch_name = "NativeGroupNorm"
    saves = (0, 1)
    saves_extra = True
    narrow: Any = None

    def __init__(self, num_groups: int, eps: float) -> None:
        self.num_groups, self.eps = num_groups, eps

    def check(self, x: Any, w: Any, b: Any) -> None:
        """Check that groups divide the channels, and the sizes of weight and bias."""
        check_groups(self.num_groups, x, w, b)
        self.narrow = half_dtype(x, w, b)

    def forward(self, x: Any, w: Any, b: Any) -> Any:
        z, mean, var = kernels.normalize_rows(self.rows(x), None, None, self.eps)
        self.saved = as_saved(mean, var, self.eps, self.narrow)
        y = z.reshape(x.shape)
        if w is not None:
            y *= w.reshape(along(x))
        if b is not None:
            y += b.reshape(along(x))
        return match_memory_format(y, x)

    def backward(self, g: Any) -> Any:
        x, w, _ = self.inputs
        if isinstance(g, Tensor):
            return self.backward_by_formula(g, x, w)
        mean, var = self.saved
        h = g if w is None else g * w.reshape(along(x))
        gx, _, _ = kernels.normalize_rows_backward(
            self.rows(h), self.rows(x), None, mean, var, self.eps
        )
        gw = gb = None
        if self.needs[1] or self.needs[2]:
            gw, gb = kernels.channel_gradients(g, x, mean, var, self.eps)
        return gx.reshape(x.shape), gw, gb

    def backward_by_formula(self, g: Any, x: Any, w: Any) -> Any:
        """The gradients composed of recorded ops."""
        n, c, *size = x.shape
        inner = c // self.num_groups
        split = (n, self.num_groups, inner, prod(size))
        shape = (1, self.num_groups, inner, 1)
        gx, gw, gb = gradients(
            g.reshape(split), x.reshape(split), w, (2, 3), shape, self.eps
        )
        return gx.reshape(x.shape), gw.reshape(-1), gb.reshape(-1)

    def rows(self, x: Any) -> Any:
        """`x` as a matrix with a row per group of each sample."""
        n, c, *size = x.shape
        return x.reshape(n * self.num_groups, c // self.num_groups * prod(size))


def check_groups(groups: int, x: Any, w: Any, b: Any) -> None:
    """Check the operands of group normalisation."""
    if x.ndim < 2:
        raise RuntimeError(
            f"Expected at least 2 dimensions for input tensor but received {x.ndim}"
        )
    check_channels(x, x.shape[1], groups, w, b)
    check_dtypes(x, "GroupNormKernelImpl", w, b)


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
    cudnn_enabled: bool = True,
) -> Tensor:
    """Normalise groups of channels of each sample, then scale and shift.

    Math: y = (x − mean) / √(var + eps) · w + b, over a group's channels and space
          ∂L/∂x = (h − mean(h) − z · mean(h·z)) / √(var + eps), h = g·w, z = (y − b) / w
          ∂L/∂w = Σ g·z      ∂L/∂b = Σ g
    Shape: (N, C, *S), (C), (C) -> (N, C, *S)

    Args:
        input: the samples.
        num_groups: into how many groups the channels are divided.
        weight: the scale of each channel.
        bias: the shift of each channel.
        eps: added to the variance, against division by 0.
        cudnn_enabled: changes nothing.

    Raises:
        IndexError: for a vector or a number.
        RuntimeError: for shapes or dtypes that do not fit together.

    Reference: Wu and He (2018), "Group normalization".

    Example:
        >>> import edutorch as torch
        >>> torch.group_norm(torch.tensor([[1.0, 3.0]]), 1)
        tensor([[-1.0000,  1.0000]])
    """
    if _m.special_modes and group_norm in _m.modes.autocast:
        return _m.autocast(
            group_norm, input, num_groups, weight, bias, eps, cudnn_enabled
        )
    need_tensors("group_norm", input=input)
    need_optional("group_norm", 3, weight=weight, bias=bias)
    num_groups = int_of(num_groups, "num_groups", "group_norm")
    eps = number_of(eps, "eps", "group_norm", "float")
    if cudnn_enabled is not False and cudnn_enabled is not True:
        raise type_error("bool", "cudnn_enabled", cudnn_enabled, "group_norm")
    dim_of(1, input.ndim)
    if num_groups <= 0:
        raise RuntimeError(
            f"Expected num groups to be greater than 0, got {num_groups}"
        )
    return apply(GroupNorm(num_groups, float(eps)), input, weight, bias)


@composite
@parser_errors
@reported
def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalise each channel of each sample, then scale and shift.

    This is batch normalisation in which each channel of each sample is a channel.

    Math: y = (x − mean) / √(var + eps) · w + b, over space only
          ∂L/∂x = (h − mean(h) − z · mean(h·z)) / √(var + eps), h = g·w, z = (y − b) / w
          ∂L/∂w = Σ g·z      ∂L/∂b = Σ g
    Shape: (N, C, *S), (C) -> (N, C, *S)

    Args:
        input: the samples.
        running_mean: changed if the input's statistics are used; may be None then.
        running_var: changed if the input's statistics are used; may be None then.
        weight: the scale of each channel.
        bias: the shift of each channel.
        use_input_stats: use the input's own statistics, not the running ones.
        momentum: how fast the running statistics follow.
        eps: added to the variance, against division by 0.

    Raises:
        ValueError: if a channel of a sample has a single value.
        RuntimeError: for missing or too many numbers.

    Reference: Ulyanov, Vedaldi and Lempitsky (2016), "Instance normalization".

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.instance_norm(torch.tensor([[[1.0, 3.0]]]))
        tensor([[[-1.0000,  1.0000]]])
    """
    if use_input_stats is not False and use_input_stats is not True:
        raise type_error("bool", "use_input_stats", use_input_stats, "instance_norm")
    need_tensors("instance_norm", input=input)
    need_optional(
        "instance_norm", 2, weight=weight, bias=bias,
        running_mean=running_mean, running_var=running_var,
    )  # fmt: skip
    if not use_input_stats and (running_mean is None or running_var is None):
        raise RuntimeError(
            "Expected running_mean and running_var to be defined when use_input_stats "
            "is false"
        )
    if use_input_stats and prod(input.shape[2:]) == 1:
        raise ValueError(
            "Expected more than 1 spatial element when training, got input size "
            f"torch.Size({list(input.shape)})"
        )
    if input.ndim < 2:
        dim_unless_scalar(1, input.ndim)  # raises: there are no channels
    n, c, *size = input.shape
    if not n:  # an empty batch has no statistics
        return input.clone()
    means, variances = (
        _repeat_parameter(running_mean, n),
        _repeat_parameter(running_var, n),
    )
    wide = input.dtype.itemsize > 2  # with mixed dtypes it is refused
    mixed = wide and weight is not None and weight.dtype is not input.dtype
    if means is not None and means.dtype is not input.dtype and not mixed:
        kind = compute_dtype(input.dtype)
        means = means.to(kind)
        variances = None if variances is None else variances.to(kind)
    w, b = _repeat_parameter(weight, n), _repeat_parameter(bias, n)
    x = input.contiguous().reshape((1, n * c, *size))
    eps = number_of(eps, "eps", "instance_norm", "float")
    y = batch_norm_of_any_eps(x, means, variances, w, b, use_input_stats, momentum, eps)
    if use_input_stats:
        _average_over_instances(running_mean, means, n)
        _average_over_instances(running_var, variances, n)
    return y.reshape(input.shape)


def _repeat_parameter(p: Tensor | None, n: int) -> Tensor | None:
    return None if p is None else p.repeat(n)


def _average_over_instances(
    running: Tensor | None, many: Tensor | None, n: int
) -> None:
    """Replace a running statistic by the mean over samples, in place."""
    if running is not None and many is not None:
        check_memory(running)
        running._data[...] = many._data.reshape(n, -1).mean(axis=0)
        running.untyped_storage().version += 1
