"""Pixel shuffle, pixel unshuffle and channel shuffle."""

from __future__ import annotations

from typing import Any

from ...autograd.dispatch import Op, apply1
from ...kernels.memory_format import match_memory_format
from ...tensor.tensor import Tensor
from ..int_arguments import int_of

__all__ = ["channel_shuffle", "pixel_shuffle", "pixel_unshuffle"]


class PixelShuffle(Op):
    """Rearranges groups of r² channels into r × r squares of pixels.

    Math: y[c, h·r + i, w·r + j] = x[c·r² + i·r + j, h, w]      ∂L/∂x = g moved back
    Shape: (*, C·r², H, W) -> (*, C, H·r, W·r)
    """

    attributes = ("r",)
    onnx = "DepthToSpace"
    saves = ()
    complex32_kernel = "pixel_shuffle"

    def __init__(self, r: int) -> None:
        self.r = r

    def check(self, x: Any) -> None:
        """Check that the channels are a multiple of r²."""
        _check_images("pixel_shuffle", "upscale_factor", x, self.r)
        if x.shape[-3] % self.r**2:
            raise RuntimeError(
                "pixel_shuffle expects its input's 'channel' dimension to be divisible "
                "by the square of upscale_factor, but input.size(-3)="
                f"{x.shape[-3]} is not divisible by {self.r**2}"
            )

    def forward(self, x: Any) -> Any:
        *leading, c, h, w = x.shape
        r, n = self.r, x.ndim - 3
        parts = x.reshape(*leading, c // r**2, r, r, h, w)
        order = (*range(n), n, n + 3, n + 1, n + 4, n + 2)
        y = parts.transpose(order).copy().reshape(*leading, c // r**2, h * r, w * r)
        return match_memory_format(y, x)

    def backward(self, g: Any) -> Any:
        return apply1(PixelUnshuffle(self.r), g)


class PixelUnshuffle(Op):
    """Rearranges r × r squares of pixels into r² channels.

    Math: y[c·r² + i·r + j, h, w] = x[c, h·r + i, w·r + j]      ∂L/∂x = g moved back
    Shape: (*, C, H·r, W·r) -> (*, C·r², H, W)
    """

    attributes = ("r",)
    onnx = "SpaceToDepth"
    saves = ()
    complex32_kernel = "pixel_unshuffle"

    def __init__(self, r: int) -> None:
        self.r = r

    def check(self, x: Any) -> None:
        """Check that both sizes are multiples of r."""
        _check_images("pixel_unshuffle", "downscale_factor", x, self.r)
        for dim, name in ((-2, "height"), (-1, "width")):
            if x.shape[dim] % self.r:
                raise RuntimeError(
                    f"pixel_unshuffle expects {name} to be divisible by "
                    f"downscale_factor, but input.size({dim})={x.shape[dim]} is not "
                    f"divisible by {self.r}"
                )

    def forward(self, x: Any) -> Any:
        *leading, c, h, w = x.shape
        r, n = self.r, x.ndim - 3
        parts = x.reshape(*leading, c, h // r, r, w // r, r)
        order = (*range(n), n, n + 2, n + 4, n + 1, n + 3)
        y = parts.transpose(order).copy().reshape(*leading, c * r * r, h // r, w // r)
        return match_memory_format(y, x)

    def backward(self, g: Any) -> Any:
        return apply1(PixelShuffle(self.r), g)


class ChannelShuffle(Op):
    """Interleaves groups of channels: the first of every group, then the second, ...

    Math: y[i·groups + j] = x[j·C/groups + i], channels i, j      ∂L/∂x = g moved back
    Shape: (N, C, *S) -> (N, C, *S)
    """

    attributes = ("groups",)
    saves = ()
    complex32_kernel = "channel_shuffle"

    def __init__(self, groups: int) -> None:
        self.groups = groups

    def check(self, x: Any) -> None:
        """Check that the groups divide the channels."""
        if x.ndim < 3:
            raise RuntimeError(
                "channel_shuffle expects input with > 2 dims, but got input with sizes "
                f"{list(x.shape)}"
            )
        if self.groups <= 0:
            raise RuntimeError(
                "Number of groups to divide channels in must be positive. Value of "
                f"groups:{self.groups}"
            )
        if x.shape[1] % self.groups:
            raise RuntimeError(
                "Number of channels must be divisible by groups. Got "
                f"{x.shape[1]} channels and {self.groups} groups."
            )

    def forward(self, x: Any) -> Any:
        n, c, *space = x.shape
        parts = x.reshape(n, self.groups, c // self.groups, *space)
        return match_memory_format(parts.swapaxes(1, 2).copy().reshape(x.shape), x)

    def backward(self, g: Any) -> Any:
        return apply1(ChannelShuffle(max(1, g.shape[1] // self.groups)), g)


def _check_images(function: str, factor: str, x: Any, r: int) -> None:
    if x.ndim < 3:
        raise RuntimeError(
            f"{function} expects input to have at least 3 dimensions, but got input "
            f"with {x.ndim} dimension(s)"
        )
    if r <= 0:
        raise RuntimeError(f"{function} expects a positive {factor}, but got {r}")


def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """Rearrange groups of r² channels into r × r squares of pixels.

    Math: y[c, h·r + i, w·r + j] = x[c·r² + i·r + j, h, w]      ∂L/∂x = g moved back
    Shape: (*, C·r², H, W) -> (*, C, H·r, W·r)

    Raises:
        RuntimeError: for channels that form no squares, or r < 1.

    Reference: Shi et al. (2016), "Real-time single image and video super-resolution
    using an efficient sub-pixel convolutional neural network".

    Example:
        >>> import edutorch as torch
        >>> torch.pixel_shuffle(torch.arange(4).reshape(4, 1, 1), 2)
        tensor([[[0, 1],
                 [2, 3]]])
    """
    op = PixelShuffle(int_of(upscale_factor, "upscale_factor", "pixel_shuffle"))
    return apply1(op, input)


def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """Rearrange r × r squares of pixels into r² channels, inverting `pixel_shuffle`.

    Math: y[c·r² + i·r + j, h, w] = x[c, h·r + i, w·r + j]      ∂L/∂x = g moved back
    Shape: (*, C, H·r, W·r) -> (*, C·r², H, W)

    Raises:
        RuntimeError: for sizes that are not multiples of r, or r < 1.

    Example:
        >>> import edutorch as torch
        >>> torch.pixel_unshuffle(torch.arange(4).reshape(1, 2, 2), 2).reshape(-1)
        tensor([0, 1, 2, 3])
    """
    op = PixelUnshuffle(int_of(downscale_factor, "downscale_factor", "pixel_unshuffle"))
    return apply1(op, input)


def channel_shuffle(input: Tensor, groups: int) -> Tensor:
    """Interleave groups of channels: the first of every group, then the second, ...

    Math: y[i·groups + j] = x[j·C/groups + i], channels i, j      ∂L/∂x = g moved back
    Shape: (N, C, *S) -> (N, C, *S)

    Raises:
        RuntimeError: for channels that form no groups, or too few dimensions.

    Reference: Zhang, Zhou, Lin and Sun (2018), "ShuffleNet: an extremely efficient
    convolutional neural network for mobile devices".

    Example:
        >>> import edutorch as torch
        >>> torch.channel_shuffle(torch.arange(4).reshape(1, 4, 1), 2).reshape(-1)
        tensor([0, 2, 1, 3])
    """
    return apply1(ChannelShuffle(int_of(groups, "groups", "channel_shuffle")), input)
