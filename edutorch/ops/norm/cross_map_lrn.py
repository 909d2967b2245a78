"""Local response normalisation across channels, with the windows of Torch 7."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import Op, apply1
from ...autograd.foreign_operands import accept_arrays
from ...backends import array_module
from ...tensor.tensor import Tensor, wrap
from ..matmul.matrix_products import matmul
from ..shape.views import reshape

__all__ = ["cross_map_lrn"]


class CrossMapLRN2d(Op):
    """Divides each value by a power of the energy of nearby channels.

    PyTorch keeps two habits of Torch 7: the first channel, once a neighbour, stays one
    of all channels after it; and the gradient looks at a window that is shifted
    against the forward's, so that it is not quite the derivative.

    Math: y = x · s^(−beta), s_c = k + alpha/size · Σ x_c'² over the neighbours of c
          ∂L/∂x = g · s^(−beta) − 2·alpha·beta/size · x · Σ g·y/s over a window
    Shape: (N, C, H, W) -> (N, C, H, W)
    """

    attributes = ("size", "alpha", "beta", "k")

    def __init__(self, size: int, alpha: float, beta: float, k: float) -> None:
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def name(self) -> str:
        """PyTorch's name of the node."""
        return "CrossMapLRN2dBackward"

    def forward(self, x: Any) -> Any:
        with accept_arrays():
            return x * self._energy(x) ** -self.beta

    def backward(self, g: Any) -> Any:
        (x,) = self.inputs
        s = self._energy(x)
        power = s**-self.beta
        near = self._sums(window(x.shape[1], self.size), g * x * power / s)
        return g * power - x * near * (2 * self.alpha * self.beta / self.size)

    def _energy(self, x: Any) -> Any:
        sums = self._sums(neighbours(x.shape[1], self.size), x * x)
        return sums * (self.alpha / self.size) + self.k

    def _sums(self, table: Any, x: Any) -> Any:
        """Sums over the channels selected by each row of a table."""
        known = x._data if isinstance(x, Tensor) else x
        table = array_module(known).asarray(table.astype(known.dtype))
        table = wrap(table, x._device) if isinstance(x, Tensor) else table
        n, c, h, w = x.shape
        return reshape(matmul(table, reshape(x, (n, c, h * w))), (n, c, h, w))


def neighbours(channels: int, size: int) -> Any:
    """A 0/1 matrix of the channels (columns) used for each channel (row) in forward.

    Example:
        >>> neighbours(4, 3)[2:]
        array([[1., 1., 1., 1.],
               [1., 0., 1., 1.]])
    """
    reach = int((size - 1) / 2 + 1)
    table = np.zeros((channels, channels))
    for c in range(channels):
        table[c, max(0, c - reach + 1) : c + reach] = 1
        if c >= reach:
            table[c, 0] = 1
    return table


def window(channels: int, size: int) -> Any:
    """A 0/1 matrix of the channels (columns) used for each channel (row) in backward.

    Example:
        >>> window(4, 3)[2:]
        array([[1., 1., 1., 0.],
               [0., 1., 1., 1.]])
    """
    before = int(size - (size - 1) / 2)
    table = np.zeros((channels, channels))
    for c in range(channels):
        first = c - before
        table[c, max(0, first) : max(0, first + size)] = 1
    return table


def cross_map_lrn(
    input: Tensor, size: int, alpha: float, beta: float, k: float
) -> Tensor:
    """The functional form of `nn.CrossMapLRN2d`.

    Math: y = x · s^(−beta), s_c = k + alpha/size · Σ x_c'² over the neighbours of c
          ∂L/∂x = g · s^(−beta) − 2·alpha·beta/size · x · Σ g·y/s over a window
    Shape: (N, C, H, W) -> (N, C, H, W)

    Raises:
        ValueError: for another number of dimensions.

    Reference: Krizhevsky, Sutskever and Hinton (2012), "ImageNet classification with
    deep convolutional neural networks", section 3.3.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.ops.norm.cross_map_lrn import cross_map_lrn
        >>> cross_map_lrn(torch.ones(1, 2, 1, 1), 3, 3.0, 1.0, 1.0).reshape(-1)
        tensor([0.3333, 0.3333])
    """
    if input.ndim != 4:
        raise ValueError(
            f"CrossMapLRN2d: Expected input to be 4D, got {input.ndim}D instead."
        )
    return apply1(CrossMapLRN2d(size, alpha, beta, k), input)
