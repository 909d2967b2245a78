"""Dropout layers, which zero random elements or channels in training."""

from __future__ import annotations

from ...tensor.tensor import Tensor
from .. import functional as F
from .module import Module

__all__ = [
    "AlphaDropout", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d",
    "FeatureAlphaDropout",
]  # fmt: skip


class _DropoutNd(Module):
    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(
                f"dropout probability has to be between 0 and 1, but got {p}"
            )
        self.p, self.inplace = p, inplace

    def extra_repr(self) -> str:
        """The settings."""
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_DropoutNd):
    """Zeroes elements with probability p and scales the others by 1/(1 - p).

    Math: y = x · m / (1 - p), m random 0 or 1; in evaluation y = x
          ∂L/∂x = g · m / (1 - p)
    Shape: (*) -> (*)
    Reference: Srivastava et al., 2014.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Dropout(0.2).eval()(torch.ones(2))
        tensor([1., 1.])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Drop."""
        return F.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(_DropoutNd):
    """Zeroes entire channels of sequences.

    Math: y[n, c] = x[n, c] · m[n, c] / (1 - p), m random 0 or 1
          ∂L/∂x = g · m / (1 - p)
    Shape: (N, C, L) -> the same
    Reference: Tompson et al., 2015.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Dropout1d(1.0)(torch.ones(1, 1, 2))
        tensor([[[0., 0.]]])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Drop."""
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_DropoutNd):
    """Zeroes entire channels of images.

    Math: y[n, c] = x[n, c] · m[n, c] / (1 - p), m random 0 or 1
          ∂L/∂x = g · m / (1 - p)
    Shape: (N, C, H, W) -> the same
    Reference: Tompson et al., 2015.

    Example:
        >>> import edutorch as torch
        >>> layer = torch.nn.Dropout2d(1.0)
        >>> layer(torch.ones(1, 1, 1, 2)), layer.eval()(torch.ones(1, 1, 1, 2))
        (tensor([[[[0., 0.]]]]), tensor([[[[1., 1.]]]]))
    """

    def forward(self, input: Tensor) -> Tensor:
        """Drop."""
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_DropoutNd):
    """Zeroes entire channels of volumes.

    Math: y[n, c] = x[n, c] · m[n, c] / (1 - p), m random 0 or 1
          ∂L/∂x = g · m / (1 - p)
    Shape: (N, C, D, H, W) -> the same
    Reference: Tompson et al., 2015.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Dropout3d(1.0)(torch.ones(1, 1, 1, 1, 2))
        tensor([[[[[0., 0.]]]]])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Drop."""
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_DropoutNd):
    """Dropout that preserves mean and variance after SELU.

    Math: y = a · (x · m − 1.7581 · (1 - m)) + b, m random 0 or 1, a and b such that
          mean 0 and variance 1 are kept      ∂L/∂x = a · m · g
    Shape: (*) -> (*)
    Reference: Klambauer et al., 2017.

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> y = torch.nn.AlphaDropout(0.3)(torch.randn(10000))
        >>> y.mean().abs() < 0.1, (y.std() - 1).abs() < 0.1
        (tensor(True), tensor(True))
    """

    def forward(self, input: Tensor) -> Tensor:
        """Drop."""
        return F.alpha_dropout(input, self.p, self.training)


class FeatureAlphaDropout(_DropoutNd):
    """`AlphaDropout` of entire channels.

    Math: as `AlphaDropout`, one m for each sample and channel      ∂L/∂x = a · m · g
    Shape: (N, C, *) -> (N, C, *)
    Reference: Klambauer et al., 2017.

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> y = torch.nn.FeatureAlphaDropout(0.5)(torch.zeros(1, 6, 2))
        >>> (y[..., 0] == y[..., 1]).all()  # a channel as a whole
        tensor(True)
    """

    def forward(self, input: Tensor) -> Tensor:
        """Drop."""
        return F.feature_alpha_dropout(input, self.p, self.training)
