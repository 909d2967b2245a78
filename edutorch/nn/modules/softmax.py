"""Softmax layers, which convert scores to probabilities."""

from __future__ import annotations

from ...tensor.tensor import Tensor
from .. import functional as F
from .module import Module

__all__ = ["LogSoftmax", "Softmax", "Softmax2d", "Softmin"]


class Softmax(Module):
    """Converts scores to probabilities along a dimension.

    Math: y_i = exp(x_i) / Σ_j exp(x_j) along dim      ∂L/∂x = y · (g - Σ_j g_j y_j)
    Shape: (*) -> (*)
    Reference: Bridle, 1990.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Softmax(dim=0)(torch.tensor([-1.0, 2.0]))
        tensor([0.0474, 0.9526])
    """

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.softmax(input, self.dim)

    def extra_repr(self) -> str:
        """The settings."""
        return f"dim={self.dim}"


class LogSoftmax(Module):
    """The logarithm of the softmax, computed without overflow.

    Math: y_i = x_i - log Σ_j exp(x_j) along dim      ∂L/∂x = g - exp(y) · Σ_j g_j
    Shape: (*) -> (*)
    Reference: Bridle, 1990.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LogSoftmax(dim=0)(torch.tensor([-1.0, 2.0]))
        tensor([-3.0486, -0.0486])
    """

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.log_softmax(input, self.dim)

    def extra_repr(self) -> str:
        """The settings."""
        return f"dim={self.dim}"


class Softmin(Module):
    """The softmax of the negated elements.

    Math: y_i = exp(-x_i) / Σ_j exp(-x_j) along dim      ∂L/∂x = −y · (g - Σ_j g_j y_j)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Softmin(dim=0)(torch.tensor([-1.0, 2.0]))
        tensor([0.9526, 0.0474])
    """

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        return F.softmin(input, self.dim)

    def extra_repr(self) -> str:
        """The settings."""
        return f"dim={self.dim}"


class Softmax2d(Module):
    """The softmax over the channels of each pixel.

    Math: y[n, c, h, w] = exp(x[n, c, h, w]) / Σ_c' exp(x[n, c', h, w])
          ∂L/∂x = y · (g - Σ_j g_j y_j)
    Shape: (N, C, H, W) -> the same
    Reference: Bridle, 1990.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Softmax2d()(torch.zeros(1, 2, 1, 1))[0, 0, 0, 0].item()
        0.5
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply it."""
        if input.ndim not in (3, 4):
            raise ValueError(
                f"Softmax2d: expected input to be 3D or 4D, got {input.ndim}D instead"
            )
        return F.softmax(input, -3)
