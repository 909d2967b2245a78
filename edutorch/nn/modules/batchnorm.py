"""Batch normalisation layers."""

from __future__ import annotations

from typing import Any

from ...distributed.groups.group_registry import (
    default_group,
    get_world_size,
    is_initialized,
)
from ...tensor.tensor import Tensor
from .. import functional as F
from ..qualnames import requalify_init
from .module import Module
from .norm_base import _NormBase
from .sync_batchnorm import sync_batch_norm

__all__ = ["BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm"]


@requalify_init
class _BatchNorm(_NormBase):
    """Base class: batch normalisation of inputs with any number of dimensions."""

    def forward(self, input: Tensor) -> Tensor:
        """Normalise each channel, by the batch's or the running statistics."""
        self._check_input_dim(input)
        share, (mean, var) = self._count_batch(), self._running_statistics()
        by_batch = self.training or self.running_mean is None
        affine = self.weight, self.bias
        return F.batch_norm(input, mean, var, *affine, by_batch, share, self.eps)


class BatchNorm1d(_BatchNorm):
    """Normalise each channel over a batch of vectors or sequences.

    Math: y = (x - mean) / √(var + eps) · weight + bias, per channel
          ∂L/∂x = (h - mean(h) - z · mean(h·z)) / √(var + eps), h = g · weight,
          z = (y - bias) / weight      ∂L/∂weight = Σ g·z      ∂L/∂bias = Σ g
    Shape: (N, C) or (N, C, L) -> the same
    Reference: Ioffe and Szegedy, 2015.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.BatchNorm1d(1)(torch.tensor([[1.0], [3.0]]))
        tensor([[-1.0000],
                [ 1.0000]], grad_fn=<NativeBatchNormBackward0>)
    """

    ranks = (2, 3)
    expected = "2D or 3D"


class BatchNorm2d(_BatchNorm):
    """Normalise each channel over a batch of images.

    Math: y = (x - mean) / √(var + eps) · weight + bias, per channel
          ∂L/∂x = (h - mean(h) - z · mean(h·z)) / √(var + eps), h = g · weight,
          z = (y - bias) / weight      ∂L/∂weight = Σ g·z      ∂L/∂bias = Σ g
    Shape: (N, C, H, W) -> the same
    Reference: Ioffe and Szegedy, 2015.

    Example:
        >>> import edutorch as torch
        >>> x = torch.arange(8.0).reshape(2, 1, 2, 2)
        >>> norm = torch.nn.BatchNorm2d(1)
        >>> y = norm(x).detach()
        >>> y.mean().abs() < 1e-6, y.var(correction=0)
        (tensor(True), tensor(1.0000))
        >>> norm.running_mean, norm.running_var  # a tenth of the way to 3.5 and to 6
        (tensor([0.3500]), tensor([1.5000]))
    """

    ranks = (4,)
    expected = "4D"


class BatchNorm3d(_BatchNorm):
    """Normalise each channel over a batch of volumes.

    Math: y = (x - mean) / √(var + eps) · weight + bias, per channel
          ∂L/∂x = (h - mean(h) - z · mean(h·z)) / √(var + eps), h = g · weight,
          z = (y - bias) / weight      ∂L/∂weight = Σ g·z      ∂L/∂bias = Σ g
    Shape: (N, C, D, H, W) -> the same
    Reference: Ioffe and Szegedy, 2015.

    Example:
        >>> import edutorch as torch
        >>> norm = torch.nn.BatchNorm3d(1).eval()  # running mean 0, variance 1
        >>> norm(torch.full((1, 1, 1, 1, 2), 3.0)).detach()
        tensor([[[[[3.0000, 3.0000]]]]])
    """

    ranks = (5,)
    expected = "5D"


class SyncBatchNorm(_BatchNorm):
    """Batch normalisation over the batches of all processes.

    Without process groups, and for `eval`, it is `BatchNorm`.

    Math: y = (x - mean) / √(var + eps) · weight + bias, per channel
          ∂L/∂x = (h - mean(h) - z · mean(h·z)) / √(var + eps), h = g · weight,
          z = (y - bias) / weight      ∂L/∂weight = Σ g·z      ∂L/∂bias = Σ g
    Shape: (N, C, *) -> the same
    Reference: Ioffe and Szegedy, 2015.

    Args:
        process_group: which processes; all by default.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([[1.0], [3.0]])
        >>> torch.nn.SyncBatchNorm(1)(x).detach()
        tensor([[-1.0000],
                [ 1.0000]])
    """

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        process_group: Any = None,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(
            num_features, eps, momentum, affine, track_running_stats, device, dtype,
            bias=bias,
        )  # fmt: skip
        self.process_group = process_group

    def forward(self, input: Tensor) -> Tensor:
        """Normalise each channel, by all processes' or the running statistics."""
        together = is_initialized() and get_world_size(self.process_group) > 1
        if not together or not (self.training or self.running_mean is None):
            return super().forward(input)
        self._check_input_dim(input)
        share, running = self._count_batch(), self._running_statistics()
        group = self.process_group or default_group()
        affine = self.weight, self.bias
        return sync_batch_norm(input, running, *affine, share, self.eps, group)

    def _check_input_dim(self, input: Tensor) -> None:
        if input.ndim < 2:
            raise ValueError(f"expected at least 2D input (got {input.ndim}D input)")
        if input.shape[1] == 0:
            raise ValueError(
                "SyncBatchNorm number of input channels should be non-zero"
            )

    @classmethod
    def convert_sync_batchnorm(cls, module: Module, process_group: Any = None) -> Any:
        """The module with every batch norm replaced by one of this class.

        Example:
            >>> import edutorch as torch
            >>> net = torch.nn.Sequential(torch.nn.BatchNorm1d(2))
            >>> type(torch.nn.SyncBatchNorm.convert_sync_batchnorm(net)[0]).__name__
            'SyncBatchNorm'
        """
        found = module
        if isinstance(module, _BatchNorm):
            found = cls(
                module.num_features, module.eps, module.momentum, module.affine,
                module.track_running_stats, process_group,
                bias=module.bias is not None,
            )  # fmt: skip
            found.training = module.training
            for name in ("weight", "bias"):
                found._parameters[name] = module._parameters[name]
            found._buffers.update(module._buffers)
        for name, child in module.named_children():
            found.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return found
