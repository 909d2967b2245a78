"""Layers as in `torch`: all arguments required, in their own order."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends import array_module
from ...op_events import reported
from ...tensor.tensor import Tensor, wrap
from .. import conv
from ..activations import threshold as _above
from ..argument_checks import need_flags, type_error
from ..argument_errors import parser_errors
from ..embedding import embedding as _looked_up
from ..embedding_bag import embedding_bag as _in_bags
from ..norm import batch_norm_of_any_eps as _by_batch
from ..norm import instance_norm as _by_instance
from ..pool import adaptive_max_pool1d_with_indices
from ..registration import composite, copyto

__all__ = [
    "adaptive_max_pool1d", "batch_norm", "convolution", "embedding", "embedding_bag",
    "instance_norm", "threshold",
]  # fmt: skip

MODES = ("sum", "mean", "max")


def adaptive_max_pool1d(input: Tensor, output_size: Any) -> tuple[Tensor, Tensor]:
    """The maximum of each of `output_size` windows, and its index.

    Math: y[i] = max of x[⌊i·S/n⌋ : ⌈(i+1)·S/n⌉]      ∂L/∂x = g at the maxima
    Shape: (N, C, L) -> (N, C, n), (N, C, n); N may be absent

    Example:
        >>> import edutorch as torch
        >>> torch.adaptive_max_pool1d(torch.tensor([[1.0, 3.0]]), 1)
        (tensor([[3.]]), tensor([[1]]))
    """
    return adaptive_max_pool1d_with_indices(input, output_size)


@composite
@parser_errors
def batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Tensor:
    """`nn.functional.batch_norm` with a different order of arguments.

    Math: y = (x − mean) / √(var + eps) · w + b
          ∂L/∂x, ∂L/∂w, ∂L/∂b: as of `nn.functional.batch_norm`
    Shape: (N, C, *S), (C) -> (N, C, *S)

    Args:
        cudnn_enabled: changes nothing.

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([[1.0], [3.0]])
        >>> torch.batch_norm(x, None, None, None, None, True, 0.1, 1e-5, True)
        tensor([[-1.0000],
                [ 1.0000]])
    """
    need_flags("batch_norm", training=training, cudnn_enabled=cudnn_enabled)
    return _by_batch(
        input, running_mean, running_var, weight, bias, training, momentum, eps
    )


@composite
def instance_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    use_input_stats: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Tensor:
    """`nn.functional.instance_norm` with a different order of arguments.

    Math: y = (x − mean) / √(var + eps) · w + b, per sample and channel
          ∂L/∂x, ∂L/∂w, ∂L/∂b: as of `nn.functional.instance_norm`
    Shape: (N, C, *S), (C) -> (N, C, *S)

    Args:
        cudnn_enabled: changes nothing.

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([[[1.0, 3.0]]])
        >>> torch.instance_norm(x, None, None, None, None, True, 0.1, 1e-5, True)
        tensor([[[-1.0000,  1.0000]]])
    """
    need_flags(
        "instance_norm", use_input_stats=use_input_stats, cudnn_enabled=cudnn_enabled
    )
    return _by_instance(
        input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps
    )


@composite
def threshold(
    input: Tensor, threshold: float, value: float, *, out: Tensor | None = None
) -> Tensor:
    """`nn.functional.threshold` with an `out` argument.

    Math: y = x where x > t, else v      ∂L/∂x = g where x > t, else 0
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.threshold(torch.tensor([-1.0, 0.5, 2.0]), 1.0, 9.0)
        tensor([9., 9., 2.])
    """
    result = _above(input, threshold, value)
    return result if out is None else copyto(out, result, "threshold", (input,))


@composite
def embedding(
    weight: Tensor,
    indices: Tensor,
    padding_idx: int = -1,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """`nn.functional.embedding` with the table first.

    Math: y[i] = w[index[i]]      ∂L/∂w[j] = Σ g[i] over index[i] = j
    Shape: (V, D), (*) -> (*, D)

    Args:
        padding_idx: a row without gradient; −1: none.

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> torch.embedding(torch.eye(2), torch.tensor([1]))
        tensor([[0., 1.]])
    """
    need_flags("embedding", scale_grad_by_freq=scale_grad_by_freq, sparse=sparse)
    padding = None if padding_idx == -1 else padding_idx
    return _looked_up(indices, weight, padding, None, 2.0, scale_grad_by_freq, sparse)


@composite
@reported
def embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_grad_by_freq: bool = False,
    mode: int = 0,
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """`nn.functional.embedding_bag` with the table first, and what backward needs.

    Math: y[b] = Σ, mean or max of w[index[i]] over the bag b
          ∂L/∂w, ∂L/∂(per_sample_weights): as of `nn.functional.embedding_bag`
    Shape: (V, D), (M), (B) -> (B, D), (M), (B), (B) or (B, D)

    Args:
        mode: 0 sum, 1 mean, 2 max.

    Returns:
        The result; the bag of each index, the sizes of the bags, and where each
        maximum was found (with mode 0 PyTorch leaves these empty or 0).

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> w, i = torch.eye(2), torch.tensor([0, 1])
        >>> torch.embedding_bag(w, i, torch.tensor([0]))[0]
        tensor([[1., 1.]])
    """
    if scale_grad_by_freq is not False and scale_grad_by_freq is not True:
        raise type_error(
            "bool", "scale_grad_by_freq", scale_grad_by_freq, "embedding_bag"
        )
    need_flags("embedding_bag", sparse=sparse)
    if include_last_offset is not False and include_last_offset is not True:
        raise type_error(
            "bool", "include_last_offset", include_last_offset, "embedding_bag"
        )
    y = _in_bags(
        indices, weight, offsets, None, 2.0, scale_grad_by_freq, MODES[mode], sparse,
        per_sample_weights, include_last_offset, padding_idx,
    )  # fmt: skip
    index, starts = indices._data, offsets._data
    if include_last_offset:
        starts = starts[:-1]
    if mode == 0:
        xp = array_module(index)
        none = xp.zeros(len(starts), np.int64)
        quick = weight._data.dtype.itemsize <= 4  # in this case PyTorch does not check
        bag = xp.zeros(0, np.int64) if quick else _bag_of(index, starts)
        found = (bag, none, none.copy())
    else:
        found = _bags(weight._data, index, starts, y._data, mode)
    places, sizes, argmax = (wrap(array, y._device) for array in found)
    return y, places, sizes, argmax


def _bag_of(index: Any, starts: Any) -> Any:
    places = array_module(index).arange(len(index))
    return np.searchsorted(starts, places, side="right") - 1


def _bags(w: Any, index: Any, starts: Any, y: Any, mode: int) -> tuple[Any, Any, Any]:
    """The bag of each index, the bag sizes, and the indices of the maxima."""
    n = len(index)
    bag = _bag_of(index, starts)
    sizes = np.bincount(bag, minlength=len(starts))
    if mode == 1:
        return bag, sizes, sizes.copy()
    xp = array_module(w)
    place = np.where(w[index] == y[bag], xp.arange(n)[:, None], n)
    first = xp.full(y.shape, n)
    xp.minimum.at(first, bag, place)
    return bag, sizes, np.where(first < n, np.append(index, 0)[first], 0)


@composite
def convolution(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: bool,
    output_padding: Any,
    groups: int,
) -> Tensor:
    """A convolution or its transpose, with the weight's number of dimensions.

    Math: y[n, k] = b[k] + Σ_c w[k, c] ⋆ x[n, c]
          ∂L/∂x = the transposed convolution of g and w; ∂L/∂w, ∂L/∂b: as of `conv2d`
    Shape: (N, C, *S), (K, C/groups, *k) -> (N, K, *S')

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> x, w = torch.ones(1, 1, 3), torch.ones(1, 1, 2)
        >>> torch.convolution(x, w, None, [1], [0], [1], False, [0], 1)
        tensor([[[2., 2.]]])
    """
    need_flags("convolution", transposed=transposed)
    n = weight.ndim - 2
    if transposed:
        layers = (
            conv.conv_transpose1d,
            conv.conv_transpose2d,
            conv.conv_transpose3d,
        )
        return layers[n - 1](
            input, weight, bias, stride, padding, output_padding, groups, dilation
        )
    direct = (conv.conv1d, conv.conv2d, conv.conv3d)
    return direct[n - 1](input, weight, bias, stride, padding, dilation, groups)
