"""Max unpooling and fractional max pooling layers."""

from __future__ import annotations

from typing import Any

from ...tensor.tensor import Tensor
from .. import functional as F
from ..qualnames import RequalifyInit
from .module import Module
from .utils import ntuple

__all__ = [
    "FractionalMaxPool2d", "FractionalMaxPool3d", "MaxUnpool1d", "MaxUnpool2d",
    "MaxUnpool3d",
]  # fmt: skip


class _MaxUnpoolNd(RequalifyInit, Module):
    rank = 0

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        self.kernel_size = ntuple(kernel_size, self.rank)
        self.stride = ntuple(kernel_size if stride is None else stride, self.rank)
        self.padding = ntuple(padding, self.rank)

    def forward(
        self, input: Tensor, indices: Tensor, output_size: Any = None
    ) -> Tensor:
        """The values at the positions of the maxima, zeros elsewhere."""
        unpool = (F.max_unpool1d, F.max_unpool2d, F.max_unpool3d)[self.rank - 1]
        return unpool(
            input, indices, self.kernel_size, self.stride, self.padding, output_size
        )

    def extra_repr(self) -> str:
        """The sizes."""
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, "
            f"padding={self.padding}"
        )


class MaxUnpool1d(_MaxUnpoolNd):
    """Inverts `MaxPool1d`, given its indices; all other elements are 0.

    Math: y[n, c, index[p]] = x[n, c, p]      ∂L/∂x = g[index]
    Shape: (N, C, L') -> (N, C, L)
    Reference: Zeiler and Fergus, 2014.

    Example:
        >>> import edutorch as torch
        >>> pool = torch.nn.MaxPool1d(2, return_indices=True)
        >>> torch.nn.MaxUnpool1d(2)(*pool(torch.tensor([[1.0, 4.0, 3.0, 2.0]])))
        tensor([[0., 4., 3., 0.]])
    """

    rank = 1


class MaxUnpool2d(_MaxUnpoolNd):
    """Inverts `MaxPool2d`, given its indices; all other elements are 0.

    Math: y[n, c, index[p]] = x[n, c, p]      ∂L/∂x = g[index]
    Shape: (N, C, H', W') -> (N, C, H, W)
    Reference: Zeiler and Fergus, 2014.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([[[1.0, 2.0], [4.0, 3.0]]])
        >>> y, where = torch.nn.MaxPool2d(2, return_indices=True)(x)
        >>> torch.nn.MaxUnpool2d(2)(y, where)
        tensor([[[0., 0.],
                 [4., 0.]]])
    """

    rank = 2


class MaxUnpool3d(_MaxUnpoolNd):
    """Inverts `MaxPool3d`, given its indices; all other elements are 0.

    Math: y[n, c, index[p]] = x[n, c, p]      ∂L/∂x = g[index]
    Shape: (N, C, D', H', W') -> (N, C, D, H, W)
    Reference: Zeiler and Fergus, 2014.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.MaxUnpool3d(2)
        MaxUnpool3d(kernel_size=(2, 2, 2), stride=(2, 2, 2), padding=(0, 0, 0))
    """

    rank = 3


class _FractionalMaxPool(RequalifyInit, Module):
    """Max pooling with windows at random positions.

    Args:
        kernel_size: size of the window.
        output_size: the size of the output, or
        output_ratio: its ratio to the size of the input, between 0 and 1.
        return_indices: also return the position of each maximum.
    """

    rank = 0

    def __init__(
        self,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> None:
        super().__init__()
        n, name = self.rank, type(self).__name__
        self.kernel_size = ntuple(kernel_size, n)
        self.return_indices = return_indices
        self.register_buffer("_random_samples", _random_samples)
        self.output_size = None if output_size is None else ntuple(output_size, n)
        self.output_ratio = None if output_ratio is None else ntuple(output_ratio, n)
        if output_size is None and output_ratio is None:
            raise ValueError(
                f"{name} requires specifying either an output size, or a pooling ratio"
            )
        if output_size is not None and output_ratio is not None:
            raise ValueError(
                "only one of output_size and output_ratio may be specified"
            )
        if self.output_ratio and not all(0 < ratio < 1 for ratio in self.output_ratio):
            raise ValueError(
                f"output_ratio must be between 0 and 1 (got {output_ratio})"
            )

    def forward(self, input: Tensor) -> Any:
        """The largest value of each window."""
        pools = (F.fractional_max_pool2d, F.fractional_max_pool3d)
        return pools[self.rank - 2](
            input, self.kernel_size, self.output_size, self.output_ratio,
            self.return_indices, _random_samples=self._random_samples,
        )  # fmt: skip


class FractionalMaxPool2d(_FractionalMaxPool):
    """Max pooling of images with windows at random positions.

    Math: y[i] = max x[start_i : start_i + k], start_i at random
          ∂L/∂x = g at the maxima
    Shape: (N, C, H, W) -> (N, C, *output_size)
    Reference: Graham, 2014.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.FractionalMaxPool2d(2, 3)(torch.zeros(1, 1, 5, 5)).shape
        torch.Size([1, 1, 3, 3])
    """

    rank = 2


class FractionalMaxPool3d(_FractionalMaxPool):
    """Max pooling of volumes with windows at random positions.

    Math: y[i] = max x[start_i : start_i + k], start_i at random
          ∂L/∂x = g at the maxima
    Shape: (N, C, D, H, W) -> (N, C, *output_size)
    Reference: Graham, 2014.

    Example:
        >>> import edutorch as torch
        >>> pool = torch.nn.FractionalMaxPool3d(2, output_ratio=0.5)
        >>> pool(torch.zeros(1, 1, 4, 4, 4)).shape
        torch.Size([1, 1, 2, 2, 2])
    """

    rank = 3
