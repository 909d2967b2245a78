"""Folds batch norm into the preceding layer, for evaluation."""

from __future__ import annotations

import copy
from typing import Any

from ...ops import ones_like, rsqrt, zeros_like
from ...tensor.tensor import Tensor
from ..parameter import Parameter

__all__ = [
    "fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval",
    "fuse_linear_bn_weights",
]  # fmt: skip


def _fused(
    w: Tensor, b: Tensor | None, mean: Tensor, var: Tensor, eps: float,
    scale: Tensor | None, shift: Tensor | None, shape: Any,
) -> tuple[Parameter, Parameter]:  # fmt: skip
    """The fused weight and bias; `shape` broadcasts channels along the weight."""
    kinds = w.dtype, (w if b is None else b).dtype
    b = zeros_like(mean) if b is None else b
    scale = ones_like(mean) if scale is None else scale
    shift = zeros_like(mean) if shift is None else shift
    factor = scale * rsqrt(var + eps)
    weight = (w * factor.reshape(shape)).to(kinds[0])
    bias = ((b - mean) * factor + shift).to(kinds[1])
    return Parameter(weight, w.requires_grad), Parameter(bias, b.requires_grad)


def _check(layer: Any, bn: Any) -> None:
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")


def fuse_conv_bn_eval(conv: Any, bn: Any, transpose: bool = False) -> Any:
    """A convolution with the following batch norm folded in.

    Math: w' = w · γ / √(var + eps)      b' = (b − mean) · γ / √(var + eps) + β

    Raises:
        AssertionError: for layers in training mode or without running statistics.

    Example:
        >>> import edutorch as torch
        >>> conv = torch.nn.Conv1d(1, 2, 1).eval()
        >>> bn = torch.nn.BatchNorm1d(2).eval()
        >>> fused, x = torch.nn.utils.fuse_conv_bn_eval(conv, bn), torch.ones(1, 1, 3)
        >>> torch.allclose(fused(x), bn(conv(x)))
        True
    """
    _check(conv, bn)
    fused = copy.deepcopy(conv)
    fused.weight, fused.bias = fuse_conv_bn_weights(
        fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight,
        bn.bias, transpose,
    )  # fmt: skip
    return fused


def fuse_conv_bn_weights(
    conv_w: Tensor,
    conv_b: Tensor | None,
    bn_rm: Tensor,
    bn_rv: Tensor,
    bn_eps: float,
    bn_w: Tensor | None,
    bn_b: Tensor | None,
    transpose: bool = False,
) -> tuple[Parameter, Parameter]:
    """The weight and bias of a convolution fused with the following batch norm.

    Math: w' = w · γ / √(var + eps)      b' = (b − mean) · γ / √(var + eps) + β
    Shape: (O, C, *K), (O) -> (O, C, *K), (O)

    Args:
        transpose: whether the convolution is transposed: channels are dimension 1.

    Example:
        >>> import edutorch as torch
        >>> w, one = torch.ones(1, 1, 1), torch.ones(1)
        >>> fused, _ = torch.nn.utils.fuse_conv_bn_weights(
        ...     w, None, one, one, 3.0, one, one)
        >>> fused.item()
        0.5
    """
    rest = (1,) * (conv_w.ndim - 2)
    shape = (1, -1, *rest) if transpose else (-1, 1, *rest)
    return _fused(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, shape)


def fuse_linear_bn_eval(linear: Any, bn: Any) -> Any:
    """A linear layer with the following batch norm folded in.

    Math: w' = w · γ / √(var + eps)      b' = (b − mean) · γ / √(var + eps) + β

    Raises:
        AssertionError: for layers in training mode, without running statistics, or of
            sizes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> linear = torch.nn.Linear(1, 2).eval()
        >>> bn = torch.nn.BatchNorm1d(2).eval()
        >>> fused, x = torch.nn.utils.fuse_linear_bn_eval(linear, bn), torch.ones(3, 1)
        >>> torch.allclose(fused(x), bn(linear(x)))
        True
    """
    if linear.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    if bn.num_features not in (1, linear.out_features):
        raise AssertionError(
            "To fuse, linear.out_features == bn.num_features or bn.num_features == 1, "
            f"got linear.out_features={linear.out_features} and "
            f"bn.num_features={bn.num_features}"
        )
    _check(linear, bn)
    fused = copy.deepcopy(linear)
    fused.weight, fused.bias = fuse_linear_bn_weights(
        fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight,
        bn.bias,
    )  # fmt: skip
    return fused


def fuse_linear_bn_weights(
    linear_w: Tensor,
    linear_b: Tensor | None,
    bn_rm: Tensor,
    bn_rv: Tensor,
    bn_eps: float,
    bn_w: Tensor,
    bn_b: Tensor,
) -> tuple[Parameter, Parameter]:
    """The weight and bias of a linear layer fused with the following batch norm.

    Math: w' = w · γ / √(var + eps)      b' = (b − mean) · γ / √(var + eps) + β
    Shape: (O, I), (O) -> (O, I), (O)

    Example:
        >>> import edutorch as torch
        >>> w, one = torch.ones(1, 1), torch.ones(1)
        >>> fused, _ = torch.nn.utils.fuse_linear_bn_weights(
        ...     w, None, one, one, 3.0, one, one)
        >>> fused.item()
        0.5
    """
    return _fused(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, (-1, 1))
