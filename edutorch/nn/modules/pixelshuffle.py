"""Layers that rearrange channels: into pixels and back, and in groups."""

from __future__ import annotations

from ...tensor.tensor import Tensor
from .. import functional as F
from .module import Module

__all__ = ["ChannelShuffle", "PixelShuffle", "PixelUnshuffle"]


class PixelShuffle(Module):
    """Rearranges groups of r² channels into r × r squares of pixels.

    Math: y[c, h·r + i, w·r + j] = x[c·r² + i·r + j, h, w]      ∂L/∂x = g moved back
    Shape: (*, C·r², H, W) -> (*, C, H·r, W·r)
    Reference: Shi et al., 2016.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.PixelShuffle(2)(torch.tensor([1, 2, 3, 4]).reshape(1, 4, 1, 1))
        tensor([[[[1, 2],
                  [3, 4]]]])
    """

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        """Channels to pixels."""
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self) -> str:
        """The factor."""
        return f"upscale_factor={self.upscale_factor}"


class PixelUnshuffle(Module):
    """Rearranges r × r squares of pixels into r² channels.

    Math: y[c·r² + i·r + j, h, w] = x[c, h·r + i, w·r + j]      ∂L/∂x = g moved back
    Shape: (*, C, H·r, W·r) -> (*, C·r², H, W)
    Reference: Shi et al., 2016.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.PixelUnshuffle(2)(torch.tensor([[[1, 2], [3, 4]]])).flatten(1)
        tensor([[1],
                [2],
                [3],
                [4]])
    """

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        """Pixels to channels."""
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self) -> str:
        """The factor."""
        return f"downscale_factor={self.downscale_factor}"


class ChannelShuffle(Module):
    """Interleaves groups of channels: the first of every group, then the second, ...

    Math: y[i·groups + j] = x[j·C/groups + i], channels i, j      ∂L/∂x = g moved back
    Shape: (N, C, *S) -> (N, C, *S)
    Reference: Zhang, Zhou, Lin and Sun, 2018.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.ChannelShuffle(2)(torch.arange(4).reshape(1, 4, 1)).reshape(-1)
        tensor([0, 2, 1, 3])
    """

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        """The channels in another order."""
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self) -> str:
        """The number of groups."""
        return f"groups={self.groups}"
