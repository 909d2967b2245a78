"""Layers that merge several dimensions into one, or split one into several."""

from __future__ import annotations

from typing import Any

from ...tensor.tensor import Tensor
from .module import Module

__all__ = ["Flatten", "Unflatten"]


class Flatten(Module):
    """Flattens a range of dimensions into one.

    Math: y = x, in row-major order      ∂L/∂x = g in the old shape
    Shape: (N, *) -> (N, product of *)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Flatten()(torch.zeros(2, 3, 4))
        tensor([[0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.],
                [0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.]])
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Tensor) -> Tensor:
        """Flatten."""
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        """The first and the last dimension that are flattened, for `repr`."""
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """Splits a dimension into several.

    Math: y = x, in row-major order      ∂L/∂x = g in the old shape
    Shape: (.., n, ..) -> (.., *unflattened_size, ..)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Unflatten(1, (2, 2))(torch.tensor([[1, 2, 3, 4]]))
        tensor([[[1, 2],
                 [3, 4]]])
    """

    def __init__(self, dim: int, unflattened_size: Any) -> None:
        super().__init__()
        _check_sizes(unflattened_size)
        self.dim, self.unflattened_size = dim, unflattened_size

    def forward(self, input: Tensor) -> Tensor:
        """Unflatten."""
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        """The sizes."""
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"


def _check_sizes(sizes: Any) -> None:
    if not isinstance(sizes, (tuple, list)):
        raise TypeError(
            "unflattened_size must be a tuple of ints, but found type "
            f"{type(sizes).__name__}"
        )
    for i, size in enumerate(sizes):
        if not isinstance(size, int):
            raise TypeError(
                "unflattened_size must be tuple of ints, but found element of type "
                f"{type(size).__name__} at pos {i}"
            )
