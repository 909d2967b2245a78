"""Padding layers for sequences, images and volumes.

Sizes of padding come in pairs (before, after), the last dimension first; one number
applies to all sides.
"""

from __future__ import annotations

from typing import Any

from ...tensor.tensor import Tensor
from .. import functional as F
from ..qualnames import RequalifyInit
from .module import Module
from .utils import ntuple

__all__ = [
    "CircularPad1d", "CircularPad2d", "CircularPad3d", "ConstantPad1d", "ConstantPad2d",
    "ConstantPad3d", "ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d",
    "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d", "ZeroPad1d",
    "ZeroPad2d", "ZeroPad3d",
]  # fmt: skip


class _Pad(RequalifyInit, Module):
    """Base class: padding of the last `spatial` dimensions in a given mode."""

    spatial = 0
    mode = ""

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = ntuple(padding, 2 * self.spatial)

    def forward(self, input: Tensor) -> Tensor:
        """Pad."""
        return F.pad(input, self.padding, self.mode)

    def extra_repr(self) -> str:
        """The sizes."""
        return f"{self.padding}"


class _ConstantPadNd(_Pad):
    mode = "constant"

    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        """Pad."""
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        """The sizes and the value."""
        return f"padding={self.padding}, value={self.value}"


class ConstantPad1d(_ConstantPadNd):
    """Pads sequences with a constant.

    Math: y = value, x inside      ∂L/∂x = g inside
    Shape: (N, C, L) or (C, L) -> (.., before + L + after)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.ConstantPad1d(2, 3.5)(torch.zeros(1, 1))
        tensor([[3.5000, 3.5000, 0.0000, 3.5000, 3.5000]])
    """

    spatial = 1


class ConstantPad2d(_ConstantPadNd):
    """Pads images with a constant.

    Math: y = value, x inside      ∂L/∂x = g inside
    Shape: (N, C, H, W) or (C, H, W) -> (.., H', W')

    Example:
        >>> import edutorch as torch
        >>> torch.nn.ConstantPad2d((1, 0, 0, 1), 5)(torch.zeros(1, 1, 2))
        tensor([[[5., 0., 0.],
                 [5., 5., 5.]]])
    """

    spatial = 2


class ConstantPad3d(_ConstantPadNd):
    """Pads volumes with a constant.

    Math: y = value, x inside      ∂L/∂x = g inside
    Shape: (N, C, D, H, W) or (C, D, H, W) -> (.., D', H', W')

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([1.0, 2.0]).reshape(1, 1, 1, 2)
        >>> torch.nn.ConstantPad3d((1, 0, 0, 0, 0, 0), 9.0)(x)
        tensor([[[[9., 1., 2.]]]])
    """

    spatial = 3


class _ReflectionPadNd(_Pad):
    mode = "reflect"


class _ReplicationPadNd(_Pad):
    mode = "replicate"


class _ZeroPad(_ConstantPadNd):
    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        """The sizes."""
        return f"{self.padding}"


class ZeroPad1d(_ZeroPad, ConstantPad1d):
    """Pads sequences with zeros.

    Math: y = 0, x inside      ∂L/∂x = g inside
    Shape: (N, C, L) or (C, L) -> (.., before + L + after)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.ZeroPad1d((0, 2))(torch.ones(1, 1))
        tensor([[1., 0., 0.]])
    """


class ZeroPad2d(_ZeroPad, ConstantPad2d):
    """Pads images with zeros.

    Math: y = 0, x inside      ∂L/∂x = g inside
    Shape: (N, C, H, W) or (C, H, W) -> (.., H', W')

    Example:
        >>> import edutorch as torch
        >>> torch.nn.ZeroPad2d((1, 0, 0, 1))(torch.ones(1, 1, 2))
        tensor([[[0., 1., 1.],
                 [0., 0., 0.]]])
    """


class ZeroPad3d(_ZeroPad, ConstantPad3d):
    """Pads volumes with zeros.

    Math: y = 0, x inside      ∂L/∂x = g inside
    Shape: (N, C, D, H, W) or (C, D, H, W) -> (.., D', H', W')

    Example:
        >>> import edutorch as torch
        >>> torch.nn.ZeroPad3d((1, 1, 0, 0, 0, 0))(torch.ones(1, 1, 1, 1))
        tensor([[[[0., 1., 0.]]]])
    """


class ReflectionPad1d(_ReflectionPadNd):
    """Pads sequences by reflection at the first and last element.

    Math: y[i] = x[|i − before|], mirrored likewise at the end
          ∂L/∂x[j] = Σ g over the places that show x[j]
    Shape: (N, C, L) or (C, L) -> (.., before + L + after)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.ReflectionPad1d(2)(torch.tensor([[1.0, 2.0, 3.0]]))
        tensor([[3., 2., 1., 2., 3., 2., 1.]])
    """

    spatial = 1


class ReflectionPad2d(_ReflectionPadNd):
    """Pads images by reflection at the outermost rows and columns.

    Math: y[i] = x[|i − before|], mirrored likewise at the end
          ∂L/∂x[j] = Σ g over the places that show x[j]
    Shape: (N, C, H, W) or (C, H, W) -> (.., H', W')

    Example:
        >>> import edutorch as torch
        >>> torch.nn.ReflectionPad2d((1, 0, 0, 0))(torch.tensor([[[1.0, 2.0]]]))
        tensor([[[2., 1., 2.]]])
    """

    spatial = 2


class ReflectionPad3d(_ReflectionPadNd):
    """Pads volumes by reflection at the outermost layers.

    Math: y[i] = x[|i − before|], mirrored likewise at the end
          ∂L/∂x[j] = Σ g over the places that show x[j]
    Shape: (N, C, D, H, W) or (C, D, H, W) -> (.., D', H', W')

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([1.0, 2.0, 3.0]).reshape(1, 1, 1, 3)
        >>> torch.nn.ReflectionPad3d((2, 1, 0, 0, 0, 0))(x)
        tensor([[[[3., 2., 1., 2., 3., 2.]]]])
    """

    spatial = 3


class ReplicationPad1d(_ReplicationPadNd):
    """Pads sequences by repeating the first and last element.

    Math: y[i] = x[clamp(i − before, 0, n − 1)]      ∂L/∂x[j] = Σ g over its copies
    Shape: (N, C, L) or (C, L) -> (.., before + L + after)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.ReplicationPad1d(2)(torch.tensor([[1.0, 2.0]]))
        tensor([[1., 1., 1., 2., 2., 2.]])
    """

    spatial = 1


class ReplicationPad2d(_ReplicationPadNd):
    """Pads images by repeating the outermost rows and columns.

    Math: y[i] = x[clamp(i − before, 0, n − 1)]      ∂L/∂x[j] = Σ g over its copies
    Shape: (N, C, H, W) or (C, H, W) -> (.., H', W')

    Example:
        >>> import edutorch as torch
        >>> torch.nn.ReplicationPad2d((1, 0, 0, 0))(torch.tensor([[[1.0, 2.0]]]))
        tensor([[[1., 1., 2.]]])
    """

    spatial = 2


class ReplicationPad3d(_ReplicationPadNd):
    """Pads volumes by repeating the outermost layers.

    Math: y[i] = x[clamp(i − before, 0, n − 1)]      ∂L/∂x[j] = Σ g over its copies
    Shape: (N, C, D, H, W) or (C, D, H, W) -> (.., D', H', W')

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([1.0, 2.0, 3.0]).reshape(1, 1, 1, 3)
        >>> torch.nn.ReplicationPad3d((2, 1, 0, 0, 0, 0))(x)
        tensor([[[[1., 1., 1., 2., 3., 3.]]]])
    """

    spatial = 3


class _CircularPadNd(_Pad):
    mode = "circular"

    def forward(self, input: Tensor) -> Tensor:
        """Pad."""
        n = self.spatial
        if input.ndim not in (n + 1, n + 2):
            raise ValueError(
                f"expected {n + 1}D or {n + 2}D input (got {input.ndim}D input)"
            )
        return super().forward(input)


class CircularPad1d(_CircularPadNd):
    """Pads sequences periodically.

    Math: y[i] = x[(i − before) mod n]      ∂L/∂x[j] = Σ g over its copies
    Shape: (N, C, L) or (C, L) -> (.., before + L + after)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.CircularPad1d(1)(torch.tensor([[[1.0, 2.0, 3.0]]]))
        tensor([[[3., 1., 2., 3., 1.]]])
    """

    spatial = 1


class CircularPad2d(_CircularPadNd):
    """Pads images periodically.

    Math: y[i] = x[(i − before) mod n]      ∂L/∂x[j] = Σ g over its copies
    Shape: (N, C, H, W) or (C, H, W) -> (.., H', W')

    Example:
        >>> import edutorch as torch
        >>> torch.nn.CircularPad2d((1, 1, 0, 0))(torch.tensor([[[1.0, 2.0, 3.0]]]))
        tensor([[[3., 1., 2., 3., 1.]]])
    """

    spatial = 2


class CircularPad3d(_CircularPadNd):
    """Pads volumes periodically.

    Math: y[i] = x[(i − before) mod n]      ∂L/∂x[j] = Σ g over its copies
    Shape: (N, C, D, H, W) or (C, D, H, W) -> (.., D', H', W')

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([1.0, 2.0, 3.0]).reshape(1, 1, 1, 3)
        >>> torch.nn.CircularPad3d((1, 1, 0, 0, 0, 0))(x)
        tensor([[[[3., 1., 2., 3., 1.]]]])
    """

    spatial = 3
