"""A wrapper for programs written for several GPUs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .module import Module

__all__ = ["DataParallel"]


class DataParallel(Module):
    """Wraps a module; the whole batch goes through it as it is.

    PyTorch without GPUs does the same. With several it splits the batch, computes
    the parts at once, and gives the same results, layers with batch statistics apart.

    Math: y = module(x), and its gradients
    Shape: as the module has it

    Args:
        module: what is wrapped; its parameters are named `module.…`.
        device_ids, output_device, dim: accepted for compatibility.

    Example:
        >>> import edutorch as torch
        >>> net = torch.nn.DataParallel(torch.nn.Linear(2, 1))
        >>> net(torch.zeros(3, 2)).shape, list(net.state_dict())
        (torch.Size([3, 1]), ['module.weight', 'module.bias'])
    """

    def __init__(
        self,
        module: Module,
        device_ids: Sequence[Any] | None = None,
        output_device: Any = None,
        dim: int = 0,
    ) -> None:
        super().__init__()
        self.module = module
        self.dim = dim
        self.device_ids: list[Any] = []

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the module gives."""
        return self.module(*inputs, **kwargs)
