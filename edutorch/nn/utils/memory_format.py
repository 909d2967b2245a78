"""The memory format of convolution weights."""

from __future__ import annotations

from typing import Any

from ..modules.conv import Conv2d, Conv3d, ConvTranspose2d, ConvTranspose3d
from ..modules.module import Module

__all__ = [
    "convert_conv2d_weight_memory_format", "convert_conv3d_weight_memory_format",
]  # fmt: skip


def _convert(module: Module, kinds: Any, memory_format: Any) -> Module:
    for layer in module.modules():
        if isinstance(layer, kinds):
            weight = layer.weight.detach()
            layer.weight.data = weight.clone(memory_format=memory_format)
    return module


def convert_conv2d_weight_memory_format(module: Module, memory_format: Any) -> Module:
    """Convert the weights of all 2-D convolutions of a module to a memory format.

    Example:
        >>> import edutorch as torch
        >>> m = torch.nn.utils.convert_conv2d_weight_memory_format(
        ...     torch.nn.Conv2d(8, 4, 3), torch.channels_last)
        >>> m.weight.stride()
        (72, 1, 24, 8)
    """
    return _convert(module, (Conv2d, ConvTranspose2d), memory_format)


def convert_conv3d_weight_memory_format(module: Module, memory_format: Any) -> Module:
    """Convert the weights of all 3-D convolutions of a module to a memory format.

    Example:
        >>> import edutorch as torch
        >>> m = torch.nn.utils.convert_conv3d_weight_memory_format(
        ...     torch.nn.Conv3d(8, 4, 1), torch.channels_last_3d)
        >>> m.weight.is_contiguous(memory_format=torch.channels_last_3d)
        True
    """
    return _convert(module, (Conv3d, ConvTranspose3d), memory_format)
