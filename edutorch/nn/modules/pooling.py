"""Pooling layers."""

from __future__ import annotations

from typing import Any

from ...tensor.tensor import Tensor
from .. import functional as F
from ..qualnames import RequalifyInit
from . import unpooling
from .module import Module
from .unpooling import *

__all__ = [
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d", "AdaptiveMaxPool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d",
    "LPPool1d", "LPPool2d", "LPPool3d", "MaxPool1d", "MaxPool2d", "MaxPool3d",
    *unpooling.__all__,
]  # fmt: skip


class _MaxPoolNd(Module):
    rank = 0

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride if stride is not None else kernel_size
        self.padding, self.dilation = padding, dilation
        self.return_indices, self.ceil_mode = return_indices, ceil_mode

    def forward(self, input: Tensor) -> Any:
        """The largest element of each window."""
        pool = (F.max_pool1d, F.max_pool2d, F.max_pool3d)[self.rank - 1]
        return pool(
            input, self.kernel_size, self.stride, self.padding, self.dilation,
            ceil_mode=self.ceil_mode, return_indices=self.return_indices,
        )  # fmt: skip

    def extra_repr(self) -> str:
        """The sizes."""
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, "
            f"padding={self.padding}, dilation={self.dilation}, "
            f"ceil_mode={self.ceil_mode}"
        )


class MaxPool1d(_MaxPoolNd):
    """The maximum of each window of a sequence.

    Math: y[p] = max_k x[p·stride − padding + k·dilation]      ∂L/∂x = g at the maxima
    Shape: (N, C, L) -> (N, C, L')

    Example:
        >>> import edutorch as torch
        >>> torch.nn.MaxPool1d(2)(torch.tensor([[[1.0, 3.0, 2.0, 0.0]]]))
        tensor([[[3., 2.]]])
    """

    rank = 1


class MaxPool2d(_MaxPoolNd):
    """The maximum of each window of an image.

    Math: y[p] = max_k x[p·stride − padding + k·dilation]      ∂L/∂x = g at the maxima
    Shape: (N, C, H, W) -> (N, C, H', W')

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([[[1.0, 2.0, 5.0, 0.0], [4.0, 3.0, 0.0, 6.0]]])
        >>> torch.nn.MaxPool2d(2)(x)
        tensor([[[4., 6.]]])
        >>> torch.nn.MaxPool2d(2, stride=1)(x)
        tensor([[[4., 5., 6.]]])
    """

    rank = 2


class MaxPool3d(_MaxPoolNd):
    """The maximum of each window of a volume.

    Math: y[p] = max_k x[p·stride − padding + k·dilation]      ∂L/∂x = g at the maxima
    Shape: (N, C, D, H, W) -> (N, C, D', H', W')

    Example:
        >>> import edutorch as torch
        >>> torch.nn.MaxPool3d(2)(torch.arange(16.0).reshape(1, 2, 2, 4))
        tensor([[[[13., 15.]]]])
    """

    rank = 3


class _AvgPoolNd(Module):
    def extra_repr(self) -> str:
        """The sizes."""
        size, stride = self.kernel_size, self.stride
        return f"kernel_size={size}, stride={stride}, padding={self.padding}"


class AvgPool1d(_AvgPoolNd):
    """The mean of each window of a sequence.

    Math: y[p] = Σ_k x[p·stride − padding + k] / count      ∂L/∂x = g / count, spread
    Shape: (N, C, L) -> (N, C, L')

    Example:
        >>> import edutorch as torch
        >>> torch.nn.AvgPool1d(2)(torch.tensor([[[1.0, 3.0, 2.0, 0.0]]]))
        tensor([[[2., 1.]]])
    """

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__()
        self.kernel_size = _one(kernel_size)
        self.stride = _one(stride if stride is not None else kernel_size)
        self.padding = _one(padding)
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad

    def forward(self, input: Tensor) -> Tensor:
        """The means."""
        return F.avg_pool1d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode,
            self.count_include_pad,
        )  # fmt: skip


def _one(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


class _AvgPoolWithDivisor(RequalifyInit, _AvgPoolNd):
    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride if stride is not None else kernel_size
        self.padding, self.ceil_mode = padding, ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override


class AvgPool2d(_AvgPoolWithDivisor):
    """The mean of each window of an image.

    Math: y[p] = Σ_k x[p·stride − padding + k] / count      ∂L/∂x = g / count, spread
    Shape: (N, C, H, W) -> (N, C, H', W')

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([[[1.0, 2.0, 5.0, 0.0], [4.0, 3.0, 0.0, 6.0]]])
        >>> torch.nn.AvgPool2d(2)(x)
        tensor([[[2.5000, 2.7500]]])
    """

    def forward(self, input: Tensor) -> Tensor:
        """The means."""
        return F.avg_pool2d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode,
            self.count_include_pad, self.divisor_override,
        )  # fmt: skip


class AvgPool3d(_AvgPoolWithDivisor):
    """The mean of each window of a volume.

    Math: y[p] = Σ_k x[p·stride − padding + k] / count      ∂L/∂x = g / count, spread
    Shape: (N, C, D, H, W) -> (N, C, D', H', W')

    Example:
        >>> import edutorch as torch
        >>> torch.nn.AvgPool3d(2)(torch.arange(16.0).reshape(1, 2, 2, 4))
        tensor([[[[6.5000, 8.5000]]]])
    """

    def forward(self, input: Tensor) -> Tensor:
        """The means."""
        return F.avg_pool3d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode,
            self.count_include_pad, self.divisor_override,
        )  # fmt: skip


class _LPPoolNd(Module):
    def __init__(
        self,
        norm_type: float,
        kernel_size: Any,
        stride: Any = None,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.norm_type, self.kernel_size = norm_type, kernel_size
        self.stride, self.ceil_mode = stride, ceil_mode

    def extra_repr(self) -> str:
        """The sizes."""
        return (
            f"norm_type={self.norm_type}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, ceil_mode={self.ceil_mode}"
        )


class LPPool1d(_LPPoolNd):
    """The p-norm of each window of a sequence.

    Math: y[p] = (Σ_k x[p·stride + k]^norm_type)^(1/norm_type)
          ∂L/∂x[p·stride + k] += g[p] · (x[p·stride + k] / y[p])^(norm_type-1)
    Shape: (N, C, L) -> (N, C, L'); N may be absent

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LPPool1d(2, 2)(torch.tensor([[[3.0, 4.0]]]))
        tensor([[[5.]]])
    """

    def forward(self, input: Tensor) -> Tensor:
        """The norms."""
        return F.lp_pool1d(
            input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode
        )


class LPPool2d(_LPPoolNd):
    """The p-norm of each window of an image.

    Math: y[p] = (Σ_k x[p·stride + k]^norm_type)^(1/norm_type)
          ∂L/∂x[p·stride + k] += g[p] · (x[p·stride + k] / y[p])^(norm_type-1)
    Shape: (N, C, H, W) -> (N, C, H', W'); N may be absent

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LPPool2d(2, 2)(torch.ones(1, 1, 2, 2))
        tensor([[[[2.]]]])
    """

    def forward(self, input: Tensor) -> Tensor:
        """The norms."""
        return F.lp_pool2d(
            input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode
        )


class LPPool3d(_LPPoolNd):
    """The p-norm of each window of a volume.

    Math: y[p] = (Σ_k x[p·stride + k]^norm_type)^(1/norm_type)
          ∂L/∂x[p·stride + k] += g[p] · (x[p·stride + k] / y[p])^(norm_type-1)
    Shape: (N, C, D, H, W) -> (N, C, D', H', W'); N may be absent

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LPPool3d(1, 2)(torch.ones(1, 1, 2, 2, 2)).item()
        8.0
    """

    def forward(self, input: Tensor) -> Tensor:
        """The norms."""
        return F.lp_pool3d(
            input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode
        )


class _AdaptiveMaxPoolNd(Module):
    rank = 0

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__()
        self.output_size, self.return_indices = output_size, return_indices

    def forward(self, input: Tensor) -> Any:
        """The largest elements."""
        pools = (F.adaptive_max_pool1d, F.adaptive_max_pool2d, F.adaptive_max_pool3d)
        return pools[self.rank - 1](input, self.output_size, self.return_indices)

    def extra_repr(self) -> str:
        """The size."""
        return f"output_size={self.output_size}"


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd):
    """The maximum of each of `output_size` parts of a sequence.

    Math: y[i] = max of x[⌊i·L/n⌋ : ⌈(i+1)·L/n⌉]      ∂L/∂x = g at the maxima
    Shape: (N, C, L) -> (N, C, n); N may be absent

    Example:
        >>> import edutorch as torch
        >>> torch.nn.AdaptiveMaxPool1d(2)(torch.tensor([[[1.0, 3.0, 2.0, 0.0]]]))
        tensor([[[3., 2.]]])
    """

    rank = 1


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd):
    """The maximum of each part of an image.

    Math: y[i] = max of x[⌊i·S/n⌋ : ⌈(i+1)·S/n⌉]      ∂L/∂x = g at the maxima
    Shape: (N, C, H, W) -> (N, C, n, m); N may be absent; a size may be None: kept

    Example:
        >>> import edutorch as torch
        >>> torch.nn.AdaptiveMaxPool2d((1, 2))(torch.arange(8.0).reshape(1, 2, 4))
        tensor([[[5., 7.]]])
    """

    rank = 2


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd):
    """The maximum of each part of a volume.

    Math: y[i] = max of x[⌊i·S/n⌋ : ⌈(i+1)·S/n⌉]      ∂L/∂x = g at the maxima
    Shape: (N, C, D, H, W) -> (N, C, l, n, m); N may be absent; a size may be None: kept

    Example:
        >>> import edutorch as torch
        >>> torch.nn.AdaptiveMaxPool3d(1)(torch.arange(8.0).reshape(1, 2, 2, 2))
        tensor([[[[7.]]]])
    """

    rank = 3


class _AdaptiveAvgPoolNd(Module):
    rank = 0

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size

    def forward(self, input: Tensor) -> Tensor:
        """The means."""
        pools = (F.adaptive_avg_pool1d, F.adaptive_avg_pool2d, F.adaptive_avg_pool3d)
        return pools[self.rank - 1](input, self.output_size)

    def extra_repr(self) -> str:
        """The size."""
        return f"output_size={self.output_size}"


class AdaptiveAvgPool1d(_AdaptiveAvgPoolNd):
    """The mean of each of `output_size` parts of a sequence.

    Math: y[i] = mean of x[⌊i·L/n⌋ : ⌈(i+1)·L/n⌉]      ∂L/∂x = g / count, spread
    Shape: (N, C, L) -> (N, C, n); N may be absent

    Example:
        >>> import edutorch as torch
        >>> torch.nn.AdaptiveAvgPool1d(2)(torch.tensor([[[1.0, 3.0, 2.0, 0.0]]]))
        tensor([[[2., 1.]]])
    """

    rank = 1


class AdaptiveAvgPool2d(_AdaptiveAvgPoolNd):
    """The mean of each part of an image.

    Math: y[i] = mean of x[⌊i·S/n⌋ : ⌈(i+1)·S/n⌉]      ∂L/∂x = g / count, spread
    Shape: (N, C, H, W) -> (N, C, n, m); N may be absent; a size may be None: kept

    Example:
        >>> import edutorch as torch
        >>> x = torch.arange(6.0).reshape(1, 2, 3)
        >>> torch.nn.AdaptiveAvgPool2d(1)(x), torch.nn.AdaptiveAvgPool2d((1, 3))(x)
        (tensor([[[2.5000]]]), tensor([[[1.5000, 2.5000, 3.5000]]]))
    """

    rank = 2


class AdaptiveAvgPool3d(_AdaptiveAvgPoolNd):
    """The mean of each part of a volume.

    Math: y[i] = mean of x[⌊i·S/n⌋ : ⌈(i+1)·S/n⌉]      ∂L/∂x = g / count, spread
    Shape: (N, C, D, H, W) -> (N, C, l, n, m); N may be absent; a size may be None: kept

    Example:
        >>> import edutorch as torch
        >>> torch.nn.AdaptiveAvgPool3d(1)(torch.arange(8.0).reshape(1, 2, 2, 2))
        tensor([[[[3.5000]]]])
    """

    rank = 3
