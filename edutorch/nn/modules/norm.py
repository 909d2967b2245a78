"""Normalisation layers."""

from __future__ import annotations

import numbers
from typing import Any

from ... import dtypes
from ...tensor.tensor import Tensor
from .. import functional as F
from .. import init
from ..make import empty_parameter, filled
from ..module import Module

__all__ = [
    "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "GroupNorm", "InstanceNorm1d",
    "InstanceNorm2d", "InstanceNorm3d", "LayerNorm", "LocalResponseNorm",
]  # fmt: skip


class _Running(Module):
    """Affine parameters and running statistics, as batch and instance norm have them."""

    _version = 2
    ranks: tuple[int, ...] = ()
    expected = ""

    def __init__(
        self,
        num_features: int,
        eps: float,
        momentum: float | None,
        affine: bool,
        track_running_stats: bool,
        device: Any,
        dtype: Any,
    ) -> None:
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        shape = (num_features,)
        for name in ("weight", "bias"):
            made = empty_parameter(shape, device, dtype) if affine else None
            self.register_parameter(name, made)
        track = track_running_stats
        self.register_buffer(
            "running_mean", filled(shape, 0, device, dtype) if track else None
        )
        self.register_buffer(
            "running_var", filled(shape, 1, device, dtype) if track else None
        )
        count = filled((), 0, device, dtypes.int64) if track else None
        self.register_buffer("num_batches_tracked", count)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Forget the running mean, variance and count."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Weight 1, bias 0, statistics forgotten."""
        self.reset_running_stats()
        if self.affine:
            init.ones_(self.weight)
            init.zeros_(self.bias)

    def _check_input_dim(self, input: Tensor) -> None:
        if input.ndim not in self.ranks:
            raise ValueError(
                f"expected {self.expected} input (got {input.ndim}D input)"
            )

    def extra_repr(self) -> str:
        """The settings."""
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, "
            f"affine={self.affine}, track_running_stats={self.track_running_stats}"
        )


class _BatchNorm(_Running):
    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            num_features, eps, momentum, affine, track_running_stats, device, dtype
        )

    def forward(self, input: Tensor) -> Tensor:
        """Normalise each channel, by the batch's or the running statistics."""
        self._check_input_dim(input)
        factor = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:  # a plain average of all batches
                factor = 1.0 / float(self.num_batches_tracked)
        by_batch = self.training or self.running_mean is None
        tracked = not self.training or self.track_running_stats
        return F.batch_norm(
            input,
            self.running_mean if tracked else None,
            self.running_var if tracked else None,
            self.weight,
            self.bias,
            by_batch,
            factor,
            self.eps,
        )


class BatchNorm1d(_BatchNorm):
    """Normalise each channel over a batch of vectors or sequences.

    Math: y = (x - mean) / √(var + eps) · weight + bias, per channel
    Shape: (N, C) or (N, C, L) -> the same
    Reference: Ioffe and Szegedy, 2015.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.BatchNorm1d(3)(torch.zeros(2, 3)).shape
        torch.Size([2, 3])
    """

    ranks = (2, 3)
    expected = "2D or 3D"


class BatchNorm2d(_BatchNorm):
    """Normalise each channel over a batch of images.

    Math: y = (x - mean) / √(var + eps) · weight + bias, per channel
    Shape: (N, C, H, W) -> the same
    Reference: Ioffe and Szegedy, 2015.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.BatchNorm2d(3)
        BatchNorm2d(3, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True)
    """

    ranks = (4,)
    expected = "4D"


class BatchNorm3d(_BatchNorm):
    """Normalise each channel over a batch of volumes.

    Math: y = (x - mean) / √(var + eps) · weight + bias, per channel
    Shape: (N, C, D, H, W) -> the same
    Reference: Ioffe and Szegedy, 2015.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.BatchNorm3d(2)(torch.zeros(1, 2, 2, 2, 2)).shape
        torch.Size([1, 2, 2, 2, 2])
    """

    ranks = (5,)
    expected = "5D"


class _InstanceNorm(_Running):
    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            num_features, eps, momentum, affine, track_running_stats, device, dtype
        )

    def forward(self, input: Tensor) -> Tensor:
        """Normalise each channel of each sample."""
        self._check_input_dim(input)
        alone = input.ndim == self.ranks[0]  # a sample without a batch dimension
        x = input.unsqueeze(0) if alone else input
        if x.shape[1] != self.num_features and self.affine:
            raise ValueError(
                f"expected input's size at dim={1 if not alone else 0} to match "
                f"num_features ({self.num_features}), but got: {x.shape[1]}."
            )
        y = F.instance_norm(
            x, self.running_mean, self.running_var, self.weight, self.bias,
            self.training or not self.track_running_stats,
            self.momentum if self.momentum is not None else 0.0, self.eps,
        )  # fmt: skip
        return y.squeeze(0) if alone else y


class InstanceNorm1d(_InstanceNorm):
    """Normalise each channel of each sequence by itself.

    Math: y = (x - mean) / √(var + eps) · weight + bias, per sample and channel
    Shape: (N, C, L) -> the same
    Reference: Ulyanov, Vedaldi and Lempitsky, 2016.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.InstanceNorm1d(2)(torch.zeros(1, 2, 4)).shape
        torch.Size([1, 2, 4])
    """

    ranks = (2, 3)
    expected = "2D or 3D"


class InstanceNorm2d(_InstanceNorm):
    """Normalise each channel of each image by itself.

    Math: y = (x - mean) / √(var + eps) · weight + bias, per sample and channel
    Shape: (N, C, H, W) -> the same
    Reference: Ulyanov, Vedaldi and Lempitsky, 2016.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.InstanceNorm2d(2)(torch.zeros(1, 2, 4, 4)).shape
        torch.Size([1, 2, 4, 4])
    """

    ranks = (3, 4)
    expected = "3D or 4D"


class InstanceNorm3d(_InstanceNorm):
    """Normalise each channel of each volume by itself.

    Math: y = (x - mean) / √(var + eps) · weight + bias, per sample and channel
    Shape: (N, C, D, H, W) -> the same
    Reference: Ulyanov, Vedaldi and Lempitsky, 2016.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.InstanceNorm3d(2)(torch.zeros(1, 2, 2, 2, 2)).shape
        torch.Size([1, 2, 2, 2, 2])
    """

    ranks = (4, 5)
    expected = "4D or 5D"


class LayerNorm(Module):
    """Normalise each sample over its last dimensions.

    Math: y = (x - mean) / √(var + eps) · weight + bias, over `normalized_shape`
    Shape: (*, normalized_shape) -> the same
    Reference: Ba, Kiros and Hinton, 2016.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LayerNorm(5)
        LayerNorm((5,), eps=1e-05, elementwise_affine=True)
    """

    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if isinstance(normalized_shape, numbers.Integral):
            normalized_shape = (normalized_shape,)
        self.normalized_shape = tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        for name, wanted in (("weight", True), ("bias", bias)):
            made = None
            if elementwise_affine and wanted:
                made = empty_parameter(self.normalized_shape, device, dtype)
            self.register_parameter(name, made)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Weight 1, bias 0."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, input: Tensor) -> Tensor:
        """Normalise."""
        return F.layer_norm(
            input, self.normalized_shape, self.weight, self.bias, self.eps
        )

    def extra_repr(self) -> str:
        """The settings."""
        return (
            f"{self.normalized_shape}, eps={self.eps}, "
            f"elementwise_affine={self.elementwise_affine}"
        )


class GroupNorm(Module):
    """Normalise each sample over groups of channels.

    Math: y = (x - mean) / √(var + eps) · weight + bias, per sample and group
    Shape: (N, C, *) -> the same
    Reference: Wu and He, 2018.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.GroupNorm(2, 4)(torch.zeros(1, 4, 3)).shape
        torch.Size([1, 4, 3])
    """

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if num_channels % num_groups != 0:
            raise ValueError("num_channels must be divisible by num_groups")
        self.num_groups, self.num_channels = num_groups, num_channels
        self.eps, self.affine = eps, affine
        for name in ("weight", "bias"):
            made = empty_parameter((num_channels,), device, dtype) if affine else None
            self.register_parameter(name, made)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Weight 1, bias 0."""
        if self.affine:
            init.ones_(self.weight)
            init.zeros_(self.bias)

    def forward(self, input: Tensor) -> Tensor:
        """Normalise."""
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """The settings."""
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}"


class LocalResponseNorm(Module):
    """Divide by the energy of neighbouring channels.

    Math: y_c = x_c / (k + alpha/size · Σ x_c'²)^beta, over `size` channels around c
    Reference: Krizhevsky, Sutskever and Hinton, 2012.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LocalResponseNorm(2)(torch.zeros(1, 4, 3)).shape
        torch.Size([1, 4, 3])
    """

    def __init__(
        self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
    ) -> None:
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input: Tensor) -> Tensor:
        """Normalise."""
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        """The settings."""
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
