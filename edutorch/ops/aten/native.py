"""Normalisation and dropout that also return what their backward needs."""

from __future__ import annotations

from typing import Any

from ... import dtypes
from ...kernels.memory_format import has_channels_last
from ...tensor.tensor import Tensor
from .. import conv
from ..argument_checks import need_flags, need_floats, refuse_gradients
from ..argument_errors import check_call, parser_errors
from ..create import empty, ones_like
from ..dims import dim_of
from ..embedding import renormalise
from ..norm import batch_norm_of_any_eps, group_norm, layer_norm
from ..norm.checks import check_channels, check_dtypes, check_mixed_dtypes, number_error
from ..pointwise import rsqrt
from ..reduce import mean, var
from ..registration import composite, copyto

__all__ = [
    "conv_tbc", "embedding_renorm_", "native_batch_norm", "native_dropout",
    "native_group_norm", "native_layer_norm",
]  # fmt: skip

ThreeTensors = tuple[Tensor, Tensor, Tensor]


def _statistics(
    x: Tensor, dims: tuple[int, ...], eps: float, keep: bool, *given: Tensor | None
) -> Any:
    """The mean and the reciprocal standard deviation over some dimensions."""
    upcast = x.float() if x.dtype.itemsize == 2 else x
    spread = var(upcast, dims, correction=0, keepdim=keep)
    found = mean(upcast, dims, keepdim=keep), rsqrt(spread + eps)
    return tuple(t.to(_statistics_dtype(x, *given)) for t in found)


def _statistics_dtype(x: Tensor, *given: Tensor | None) -> dtypes.dtype:
    """The input's dtype; single if 16-bit inputs have other weights, or no values."""
    mixed = x.is_meta or any(t is not None and t.dtype is not x.dtype for t in given)
    return dtypes.float32 if mixed and x.dtype.itemsize == 2 else x.dtype


@composite
def native_layer_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None,
    bias: Tensor | None,
    eps: float,
) -> ThreeTensors:
    """`layer_norm`, with the mean and reciprocal deviation of each sample.

    Math: y = (x − m) · r · w + b, m = mean(x), r = 1 / √(var(x) + eps)
          ∂L/∂x, ∂L/∂w, ∂L/∂b: as of `layer_norm`
    Shape: (*, *normalized_shape) -> the same, (*, 1 ...), (*, 1 ...)

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([[1.0, 3.0]])
        >>> torch.native_layer_norm(x, (2,), None, None, 1e-5)[1]
        tensor([[2.]])
    """
    y = layer_norm(input, normalized_shape, weight, bias, eps)
    dims = tuple(range(input.ndim - len(normalized_shape), input.ndim))
    return (y, *_statistics(input.detach(), dims, eps, True, weight, bias))


@composite
@parser_errors
def native_group_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    N: int,
    C: int,
    HxW: int,
    group: int,
    eps: float,
) -> ThreeTensors:
    """`group_norm`, with the mean and reciprocal deviation of each group.

    These two have gradients, those of `native_layer_norm` and `native_batch_norm` not.

    Math: y = (x − m) · r · w + b, m and r over the channels of a group and over space
          ∂L/∂x, ∂L/∂w, ∂L/∂b: as of `group_norm`, and those of m and r
    Shape: (N, C, *S), (C), (C) -> (N, C, *S), (N, group), (N, group)

    Raises:
        RuntimeError: for sizes that are not those of the input.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([[[1.0], [3.0]]])
        >>> torch.native_group_norm(x, None, None, 1, 2, 1, 1, 1e-5)[1]
        tensor([[2.]])
    """
    check_call(all(type(n) is int for n in (N, C, HxW, group)))
    if group > 0:
        _check_counts(input, weight, bias, N, C, HxW, group)
    y = group_norm(input, group, weight, bias, eps)
    groups = input.reshape((N, group, C // group * HxW))
    found = _statistics(groups, (2,), eps, False, weight, bias)
    if input.is_meta:
        found = tuple(t.to(input.dtype) for t in found)
    return (y, *found)


def _check_counts(
    x: Tensor, w: Tensor | None, b: Tensor | None, n: int, c: int, size: int, group: int
) -> None:
    """Check that counts are those of the input, in PyTorch's order."""
    check_channels(x, c, group, w, b)
    if n < 0:
        empty((n, group))  # this refuses it
    check_mixed_dtypes(x, w, b)
    need_floats("GroupNormKernelImpl", x)
    if x.numel() != n * c * size:
        raise RuntimeError(
            "Expected X.numel() == N * C * HxW to be true, but got false.  (Could this "
            "error message be improved?  If so, please report an enhancement request "
            "to PyTorch.)"
        )
    if not (x.is_contiguous() or has_channels_last(x._data)):
        raise RuntimeError(
            "Expected X.is_contiguous(memory_format) to be true, but got false.  "
            "(Could this error message be improved?  If so, please report an "
            "enhancement request to PyTorch.)"
        )


@composite
@parser_errors
def _check_statistics(x: Tensor, *given: Any) -> None:
    """Check dtypes; that both running statistics or none are given, as vectors."""
    mean, var = given[2:]
    if (mean is None) != (var is None):
        raise ValueError(
            "running_mean and running_var must either both be None or neither be None"
        )
    if not x.ndim:
        raise number_error()
    dim_of(1, x.ndim)  # a vector has no channels
    need_floats("batch_norm", x)
    check_dtypes(x, "batch_norm", *given)
    for statistic in (mean, var):
        if isinstance(statistic, Tensor) and statistic.ndim != 1:
            raise RuntimeError(
                f"TensorAccessor expected 1 dims but tensor has {statistic.ndim}"
            )


def native_batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
    *,
    out: Any = None,
) -> ThreeTensors:
    """`batch_norm`, with the mean and reciprocal deviation of each channel.

    Math: y = (x − m) · r · w + b, m and r over the batch and over space
          ∂L/∂x, ∂L/∂w, ∂L/∂b: as of `nn.functional.batch_norm`
    Shape: (N, C, *S), (C) four times -> (N, C, *S), (C), (C); two (0) if not training

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([[1.0], [3.0]])
        >>> torch.native_batch_norm(x, None, None, None, None, True, 0.1, 1e-5)[1]
        tensor([2.])
    """
    need_flags("native_batch_norm", training=training)
    if isinstance(input, Tensor):
        refuse_gradients(
            "native_batch_norm", running_mean=running_mean, running_var=running_var
        )
        check_call(all(isinstance(v, (int, float)) for v in (momentum, eps)))
        _check_statistics(input, weight, bias, running_mean, running_var)
        if training and not input.numel():
            raise RuntimeError(
                "input tensor must have at least one element, but got input_sizes = "
                f"{list(input.shape)}"
            )
    y = batch_norm_of_any_eps(
        input, running_mean, running_var, weight, bias, training, momentum, eps
    )
    given = (weight, bias, running_mean, running_var)
    if training:
        dims = (0, *range(2, input.ndim))
        result = (y, *_statistics(input.detach(), dims, eps, False, *given))
        if not eps:
            result[2].masked_fill_(result[2].isinf(), 0)
    else:
        n = input.shape[1] if input.is_meta else 0
        kind, device = _statistics_dtype(input, *given), input.device
        result = y, *(empty(n, dtype=kind, device=device) for _ in range(2))
        if out is not None and not y.requires_grad:
            result = y, *_kept_statistics(out, result[1:])
    if out is None:
        return result
    return copyto(
        out,
        result,
        "native_batch_norm",
        (input, weight, bias, running_mean, running_var),
    )


def _kept_statistics(out: Any, found: Any) -> Any:
    """What evaluation writes to the outputs for statistics: what they hold.

    Raises:
        RuntimeError: for outputs that are not vectors.
    """
    given = out[1:] if isinstance(out, (tuple, list)) else ()
    if len(given) != 2 or not all(isinstance(v, Tensor) for v in given):
        return found  # refused elsewhere
    for v in given:
        if v.ndim != 1:
            raise RuntimeError(
                f"TensorAccessor expected 1 dims but tensor has {v.ndim}"
            )
    pairs = zip(given, found, strict=True)
    return [v.detach().clone() if v.dtype is f.dtype else f for v, f in pairs]


@composite
def native_dropout(
    input: Tensor, p: float, train: bool | None
) -> tuple[Tensor, Tensor]:
    """`dropout`, with the mask of the values that are kept.

    Math: y = x · m / (1 − p), m = 0 with probability p, else 1
          ∂L/∂x = g · m / (1 − p)
    Shape: (*) -> (*), (*)

    Args:
        train: drop values; None means so, too.

    Raises:
        RuntimeError: for a probability that is none.

    Example:
        >>> import edutorch as torch
        >>> torch.native_dropout(torch.ones(2), 1.0, True)
        (tensor([0., 0.]), tensor([False, False]))
    """
    if not input.numel() and not input.is_meta:
        return input.clone(), ones_like(input)  # no mask is drawn
    every = ones_like(input, dtype=dtypes.bool_)
    if train is False or p == 0:
        return input.clone(), every
    mask = every.bernoulli_(1 - p)
    return input * mask * (0.0 if p == 1 else 1 / (1 - p)), mask


def embedding_renorm_(
    input: Tensor, indices: Tensor, max_norm: float, norm_type: float
) -> Tensor:
    """Rescale the rows that are looked up to norm at most `max_norm`, in place.

    Math: w_i ← w_i · max_norm / ‖w_i‖ where ‖w_i‖ > max_norm
    Shape: (V, D), (*) -> (V, D)

    Example:
        >>> import edutorch as torch
        >>> w = torch.tensor([[3.0, 4.0], [6.0, 8.0]])
        >>> torch.embedding_renorm_(w, torch.tensor([0]), 1.0, 2.0)
        tensor([[0.6000, 0.8000],
                [6.0000, 8.0000]])
    """
    renormalise(input, indices._data, max_norm, norm_type)
    return input


@composite
def conv_tbc(input: Tensor, weight: Tensor, bias: Tensor, pad: int = 0) -> Tensor:
    """`conv1d` of sequences in the layout (time, batch, channels).

    Math: y[t, n, k] = b[k] + Σ_c Σ_j w[j, c, k] x[t + j − pad, n, c]
          ∂L/∂x, ∂L/∂w, ∂L/∂b: as of `conv1d`
    Shape: (T, N, C), (k, C, K), (K) -> (T', N, K)

    Example:
        >>> import edutorch as torch
        >>> x, w = torch.ones(3, 1, 2), torch.ones(2, 2, 1)
        >>> torch.conv_tbc(x, w, torch.zeros(1)).flatten()
        tensor([4., 4.])
    """
    x, w = input.permute(1, 2, 0), weight.permute(2, 1, 0)
    return conv.conv1d(x, w, bias, padding=pad).permute(2, 0, 1)
