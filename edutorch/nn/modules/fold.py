"""Layers that convert between images and matrices of patches."""

from __future__ import annotations

from typing import Any

from ...tensor.tensor import Tensor
from .. import functional as F
from .module import Module

__all__ = ["Fold", "Unfold"]


class Unfold(Module):
    """Extracts the patches of an image as columns.

    Math: y[n, (c, k), p] = x[n, c, q], q = p·stride − padding + k·dilation
          ∂L/∂x = fold(g)
    Shape: (N, C, H, W) -> (N, C·kh·kw, L)

    Example:
        >>> import edutorch as torch
        >>> x = torch.arange(6.0).reshape(1, 1, 2, 3)
        >>> torch.nn.Unfold(2)(x)  # two windows, as columns
        tensor([[[0., 1.],
                 [1., 2.],
                 [3., 4.],
                 [4., 5.]]])
    """

    def __init__(
        self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
    ) -> None:
        super().__init__()
        self.kernel_size, self.dilation = kernel_size, dilation
        self.padding, self.stride = padding, stride

    def forward(self, input: Tensor) -> Tensor:
        """Gather the patches."""
        return F.unfold(
            input, self.kernel_size, self.dilation, self.padding, self.stride
        )

    def extra_repr(self) -> str:
        """The sizes."""
        return (
            f"kernel_size={self.kernel_size}, dilation={self.dilation}, "
            f"padding={self.padding}, stride={self.stride}"
        )


class Fold(Module):
    """The transpose of `Unfold`: sums columns back into an image.

    Math: y[n, c, q] += x[n, (c, k), p], q = p·stride − padding + k·dilation
          ∂L/∂x = unfold(g)
    Shape: (N, C·kh·kw, L) -> (N, C, H, W)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Fold((3, 3), 2)(torch.ones(1, 4, 4))[0, 0, 1]
        tensor([2., 4., 2.])
    """

    def __init__(
        self,
        output_size: Any,
        kernel_size: Any,
        dilation: Any = 1,
        padding: Any = 0,
        stride: Any = 1,
    ) -> None:
        super().__init__()
        self.output_size, self.kernel_size = output_size, kernel_size
        self.dilation, self.padding, self.stride = dilation, padding, stride

    def forward(self, input: Tensor) -> Tensor:
        """Sum the patches."""
        return F.fold(
            input, self.output_size, self.kernel_size, self.dilation, self.padding,
            self.stride,
        )  # fmt: skip

    def extra_repr(self) -> str:
        """The sizes."""
        return (
            f"output_size={self.output_size}, kernel_size={self.kernel_size}, "
            f"dilation={self.dilation}, padding={self.padding}, stride={self.stride}"
        )
