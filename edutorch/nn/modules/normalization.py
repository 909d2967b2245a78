"""Normalisation layers without running statistics."""

from __future__ import annotations

import numbers
from typing import Any

from ...ops.norm.cross_map_lrn import cross_map_lrn
from ...tensor.tensor import Tensor
from .. import functional as F
from .. import init
from ..factories import empty_parameter
from .module import Module

__all__ = [
    "CrossMapLRN2d", "GroupNorm", "LayerNorm", "LocalResponseNorm", "RMSNorm",
]  # fmt: skip


class _Affine(Module):
    """A learned weight and bias, each of which may be None."""

    def _make_affine(self, shape: Any, weight: bool, bias: bool, where: Any) -> None:
        for name, present in (("weight", weight), ("bias", bias)):
            made = empty_parameter(shape, *where) if present else None
            self.register_parameter(name, made)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Reset the weight to 1 and the bias to 0."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)


class LayerNorm(_Affine):
    """Normalise each sample over its last dimensions.

    Math: y = (x - mean) / √(var + eps) · weight + bias, over `normalized_shape`
          ∂L/∂x = (h - mean(h) - z · mean(h·z)) / √(var + eps), h = g · weight,
          z = (y - bias) / weight      ∂L/∂weight = Σ g·z      ∂L/∂bias = Σ g
    Shape: (*, normalized_shape) -> the same
    Reference: Ba, Kiros and Hinton, 2016.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LayerNorm(2, elementwise_affine=False)(torch.tensor([1.0, 3.0]))
        tensor([-1.0000,  1.0000])
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
        self.elementwise_affine = affine = elementwise_affine
        shape, where = self.normalized_shape, (device, dtype)
        self._make_affine(shape, affine, affine and bias, where)

    def forward(self, input: Tensor) -> Tensor:
        """Normalise."""
        shape = self.normalized_shape
        return F.layer_norm(input, shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """The settings."""
        return (
            f"{self.normalized_shape}, eps={self.eps}, "
            f"elementwise_affine={self.elementwise_affine}, "
            f"bias={self.bias is not None}"
        )


class RMSNorm(Module):
    """Divide each sample by its root mean square over the last dimensions.

    Math: y = x / √(mean x² + eps) · weight, over `normalized_shape`
          ∂L/∂x = (h - z · mean(h·z)) / √(mean x² + eps), h = g · weight, z = y / weight
          ∂L/∂weight = Σ g·z
    Shape: (*, normalized_shape) -> the same
    Reference: Zhang and Sennrich, 2019.

    Args:
        eps: None: the smallest step of the dtype.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.RMSNorm(2, elementwise_affine=False)(torch.tensor([1.0, 7.0]))
        tensor([0.2000, 1.4000])
    """

    def __init__(
        self,
        normalized_shape: Any,
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if isinstance(normalized_shape, numbers.Integral):
            normalized_shape = (normalized_shape,)
        self.normalized_shape = tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        made = None
        if elementwise_affine:
            made = empty_parameter(self.normalized_shape, device, dtype)
        self.register_parameter("weight", made)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Reset the weight to 1."""
        if self.weight is not None:
            init.ones_(self.weight)

    def forward(self, x: Tensor) -> Tensor:
        """Normalise."""
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        """The settings."""
        return (
            f"{self.normalized_shape}, eps={self.eps}, "
            f"elementwise_affine={self.elementwise_affine}"
        )


class GroupNorm(_Affine):
    """Normalise each sample over groups of channels.

    Math: y = (x - mean) / √(var + eps) · weight + bias, per sample and group
          ∂L/∂x = (h - mean(h) - z · mean(h·z)) / √(var + eps), h = g · weight,
          z = (y - bias) / weight      ∂L/∂weight = Σ g·z      ∂L/∂bias = Σ g
    Shape: (N, C, *) -> the same
    Reference: Wu and He, 2018.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([[1.0, 3.0, 10.0, 30.0]])  # 4 channels in 2 groups
        >>> torch.nn.GroupNorm(2, 4)(x).detach()
        tensor([[-1.0000,  1.0000, -1.0000,  1.0000]])
    """

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        if num_channels % num_groups != 0:
            raise ValueError(
                f"num_channels ({num_channels}) must be divisible by num_groups "
                f"({num_groups})"
            )
        self.num_groups, self.num_channels = num_groups, num_channels
        self.eps, self.affine = eps, affine
        self._make_affine((num_channels,), affine, affine and bias, (device, dtype))

    def forward(self, input: Tensor) -> Tensor:
        """Normalise."""
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """The settings."""
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, "
            f"affine={self.affine}, bias={self.bias is not None}"
        )


class LocalResponseNorm(Module):
    """Divide by a power of the energy of neighbouring channels.

    Math: y_c = x_c / (k + alpha/size · Σ x_c'²)^beta, over `size` channels around c
          ∂L/∂x: as of `nn.functional.local_response_norm`
    Shape: (N, C, *) -> the same
    Reference: Krizhevsky, Sutskever and Hinton, 2012.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LocalResponseNorm(2, alpha=2.0, beta=1.0)(torch.ones(1, 2, 1))
        tensor([[[0.5000],
                 [0.3333]]])
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


class CrossMapLRN2d(Module):
    """Local response normalisation with the conventions of Torch 7.

    PyTorch's peculiarities are described in `edutorch/ops/norm/cross_map_lrn.py`.

    Math: y_c = x_c / s_c^beta, s_c = k + alpha/size · Σ x_c'²
          ∂L/∂x_c = g_c / s_c^beta - 2·alpha·beta/size · x_c · Σ g_c' y_c' / s_c'
    Shape: (N, C, H, W) -> the same
    Reference: Krizhevsky, Sutskever and Hinton, 2012.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.CrossMapLRN2d(3, alpha=3.0, beta=1.0)(torch.ones(1, 2, 1, 1))
        tensor([[[[0.3333]],
        <BLANKLINE>
                 [[0.3333]]]])
    """

    def __init__(
        self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1
    ) -> None:
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input: Tensor) -> Tensor:
        """Normalise."""
        return cross_map_lrn(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        """The settings."""
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
