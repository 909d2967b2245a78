"""Layers that resize images."""

from __future__ import annotations

from typing import Any

from ...tensor.tensor import Tensor
from .. import functional as F
from .module import Module

__all__ = ["Upsample", "UpsamplingBilinear2d", "UpsamplingNearest2d"]


class Upsample(Module):
    """Resizes sequences, images or volumes.

    Math: y[i] = Σ_t weight[i, t] · x[index[i, t]], one dimension after the other
          ∂L/∂x[j] = Σ weight[i, t] · g[i] over index[i, t] = j
    Shape: (N, C, *S) -> (N, C, *S'), S' = size or ⌊S · scale_factor⌋

    Args:
        size: the new sizes, or one for all.
        scale_factor: instead of `size`, how many times larger.
        mode: "nearest", "linear", "bilinear", "bicubic", "trilinear" ...
        align_corners: middles of the outermost cells stay; otherwise outer edges do.
        recompute_scale_factor: compute with S'/S, not with the factor given.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Upsample(scale_factor=2)(torch.tensor([[[1.0, 2.0]]]))
        tensor([[[1., 1., 2., 2.]]])
    """

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        super().__init__()
        self.name = type(self).__name__
        self.size = size
        self.scale_factor: Any = None
        if isinstance(scale_factor, tuple):
            self.scale_factor = tuple([float(factor) for factor in scale_factor])
        elif scale_factor:
            self.scale_factor = float(scale_factor)
        self.mode, self.align_corners = mode, align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input: Tensor) -> Tensor:
        """The input at the other size."""
        return F.interpolate(
            input, self.size, self.scale_factor, self.mode, self.align_corners,
            self.recompute_scale_factor,
        )  # fmt: skip

    def __setstate__(self, state: dict[str, Any]) -> None:
        state.setdefault("recompute_scale_factor", True)  # missing in old pickles
        super().__setstate__(state)

    def extra_repr(self) -> str:
        """Size or factor, and mode."""
        size = f"size={self.size}"
        if self.scale_factor is not None:
            size = f"scale_factor={self.scale_factor}"
        return f"{size}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """Resizes images by nearest-neighbour interpolation.

    Math: y[i] = x[⌊i / scale⌋]      ∂L/∂x[j] = Σ g[i] over ⌊i / scale⌋ = j
    Shape: (N, C, H, W) -> (N, C, H', W')

    Example:
        >>> import edutorch as torch
        >>> torch.nn.UpsamplingNearest2d(scale_factor=2)(torch.tensor([[[[1.0, 2.0]]]]))
        tensor([[[[1., 1., 2., 2.],
                  [1., 1., 2., 2.]]]])
    """

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """Resizes images by bilinear interpolation with aligned corners.

    Math: y[i] = Σ_t weight[i, t] · x[index[i, t]], one dimension after the other
          ∂L/∂x[j] = Σ weight[i, t] · g[i] over index[i, t] = j
    Shape: (N, C, H, W) -> (N, C, H', W')

    Example:
        >>> import edutorch as torch
        >>> torch.nn.UpsamplingBilinear2d((1, 3))(torch.tensor([[[[0.0, 2.0]]]]))
        tensor([[[[0., 1., 2.]]]])
    """

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)
