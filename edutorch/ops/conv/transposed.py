"""Transposed convolutions, which usually enlarge their input."""

from __future__ import annotations

from typing import Any

from ...autograd import modes as _m
from ...autograd.dispatch import apply
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors
from ..int_arguments import int_of
from ..shape import squeeze, unsqueeze
from .checks import check_input, numbers_of
from .convolution import ConvTranspose

__all__ = ["conv_transpose1d", "conv_transpose2d", "conv_transpose3d"]


def conv_transpose1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Tensor:
    """Transposed convolution over one dimension.

    It is the gradient of `conv1d` with respect to its input, as a forward.

    Math: y[n, c, p·stride − padding + k·dilation] += Σ_o w[o, c, k] · x[n, o, p]
          ∂L/∂x = conv(g, w)      ∂L/∂w = Σ_(n, p) x · g      ∂L/∂b = Σ_(n, p) g
    Shape: (N, O, L), (O, C/groups, K), (C) -> (N, C, L'),
        S' = (S − 1)·stride − 2·padding + dilation·(K − 1) + output_padding + 1

    Args:
        input: the factors of the kernels; the batch dimension may be absent.
        weight: the kernels.
        bias: added to every cell of a channel.
        stride: distance between the places of two neighbouring input cells.
        padding: cells cut off at both ends of each dimension.
        output_padding: cells added at the end of each dimension.
        groups: channels are split into so many independent convolutions.
        dilation: distance between the cells of a kernel.

    Raises:
        RuntimeError: for shapes or dtypes that do not fit together.

    Reference: Zeiler, Krishnan, Taylor, Fergus (2010), "Deconvolutional networks".

    Example:
        >>> import edutorch as torch
        >>> torch.conv_transpose1d(torch.ones(1, 1, 2), torch.ones(1, 1, 2))
        tensor([[[1., 2., 1.]]])
    """
    if _m.special_modes and conv_transpose1d in _m.modes.autocast:
        return _m.autocast(
            conv_transpose1d, input, weight, bias, stride, padding, output_padding,
            groups, dilation,
        )  # fmt: skip
    need_tensors("conv_transpose1d", input=input, weight=weight)
    return _convolve(
        input, weight, bias, stride, padding, output_padding, groups, dilation, 1
    )


def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Tensor:
    """Transposed convolution over two dimensions.

    It is the gradient of `conv2d` with respect to its input, as a forward.

    Math: y[n, c, p·stride − padding + k·dilation] += Σ_o w[o, c, k] · x[n, o, p]
          ∂L/∂x = conv(g, w)      ∂L/∂w = Σ_(n, p) x · g      ∂L/∂b = Σ_(n, p) g
    Shape: (N, O, H, W), (O, C/groups, K, K), (C) -> (N, C, H', W'),
        S' = (S − 1)·stride − 2·padding + dilation·(K − 1) + output_padding + 1

    Args:
        input: the factors of the kernels; the batch dimension may be absent.
        weight: the kernels.
        bias: added to every cell of a channel.
        stride: distance between the places of two neighbouring input cells.
        padding: cells cut off at both ends of each dimension.
        output_padding: cells added at the end of each dimension.
        groups: channels are split into so many independent convolutions.
        dilation: distance between the cells of a kernel.

    Raises:
        RuntimeError: for shapes or dtypes that do not fit together.

    Reference: Zeiler, Krishnan, Taylor, Fergus (2010), "Deconvolutional networks".

    Example:
        >>> import edutorch as torch
        >>> w = torch.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
        >>> torch.conv_transpose2d(torch.tensor([[[[1.0, 10.0]]]]), w, stride=2)
        tensor([[[[ 1.,  2., 10., 20.],
                  [ 3.,  4., 30., 40.]]]])
    """
    if _m.special_modes and conv_transpose2d in _m.modes.autocast:
        return _m.autocast(
            conv_transpose2d, input, weight, bias, stride, padding, output_padding,
            groups, dilation,
        )  # fmt: skip
    need_tensors("conv_transpose2d", input=input, weight=weight)
    return _convolve(
        input, weight, bias, stride, padding, output_padding, groups, dilation, 2
    )


def conv_transpose3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Tensor:
    """Transposed convolution over three dimensions.

    It is the gradient of `conv3d` with respect to its input, as a forward.

    Math: y[n, c, p·stride − padding + k·dilation] += Σ_o w[o, c, k] · x[n, o, p]
          ∂L/∂x = conv(g, w)      ∂L/∂w = Σ_(n, p) x · g      ∂L/∂b = Σ_(n, p) g
    Shape: (N, O, D, H, W), (O, C/groups, K, K, K), (C) -> (N, C, D', H', W'),
        S' = (S − 1)·stride − 2·padding + dilation·(K − 1) + output_padding + 1

    Args:
        input: the factors of the kernels; the batch dimension may be absent.
        weight: the kernels.
        bias: added to every cell of a channel.
        stride: distance between the places of two neighbouring input cells.
        padding: cells cut off at both ends of each dimension.
        output_padding: cells added at the end of each dimension.
        groups: channels are split into so many independent convolutions.
        dilation: distance between the cells of a kernel.

    Raises:
        RuntimeError: for shapes or dtypes that do not fit together.

    Reference: Zeiler, Krishnan, Taylor, Fergus (2010), "Deconvolutional networks".

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([1.0, 10.0]).reshape(1, 1, 1, 1, 2)
        >>> torch.conv_transpose3d(x, torch.ones(1, 1, 1, 1, 2)).flatten()
        tensor([ 1., 11., 10.])
    """
    if _m.special_modes and conv_transpose3d in _m.modes.autocast:
        return _m.autocast(
            conv_transpose3d, input, weight, bias, stride, padding, output_padding,
            groups, dilation,
        )  # fmt: skip
    need_tensors("conv_transpose3d", input=input, weight=weight)
    return _convolve(
        input, weight, bias, stride, padding, output_padding, groups, dilation, 3
    )


def _convolve(
    x: Any,
    w: Any,
    b: Any,
    stride: Any,
    padding: Any,
    output_padding: Any,
    groups: int,
    dilation: Any,
    n: int,
) -> Tensor:
    check_input(x, n, "conv_transpose")
    groups = int_of(groups, "groups")
    op = ConvTranspose(
        numbers_of(stride, n, "stride"),
        numbers_of(padding, n, "padding"),
        numbers_of(dilation, n, "dilation"),
        groups,
        output_padding=numbers_of(output_padding, n, "output_padding"),
    )
    if x.ndim == n + 1:
        return squeeze(apply(op, unsqueeze(x, 0), w, b), 0)
    y: Tensor = apply(op, x, w, b)
    return y
