"""The Laplace distribution."""

from __future__ import annotations

from typing import Any

from .. import dtypes
from ..ops import empty, expm1, log, log1p
from ..tensor.tensor import Tensor
from .location_scale import LocationScale

__all__ = ["Laplace"]


class Laplace(LocationScale):
    """The Laplace distribution: exponential on both sides of its centre.

    Math: p(x) = exp(-|x - μ| / b) / 2b

    Args:
        loc: the mean μ.
        scale: the mean distance from it, b.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Laplace(0.0, 0.5).log_prob(torch.tensor(0.0)).exp()
        tensor(1.)
    """

    @property
    def variance(self) -> Tensor:
        return 2 * self.scale.pow(2)

    @property
    def stddev(self) -> Tensor:
        return (2**0.5) * self.scale

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        drawn = empty(shape, dtype=self.loc.dtype, device=self.loc.device)
        # From above -1: the logarithm below stays finite.
        u = drawn.uniform_(dtypes.finfo(self.loc.dtype).eps - 1, 1)
        return self.loc - self.scale * u.sign() * log1p(-u.abs())

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        return -log(2 * self.scale) - (value - self.loc).abs() / self.scale

    def cdf(self, value: Tensor) -> Tensor:
        self._check_value(value)
        d = value - self.loc
        return 0.5 - 0.5 * d.sign() * expm1(-d.abs() / self.scale)

    def icdf(self, value: Tensor) -> Tensor:
        d = value - 0.5
        return self.loc - self.scale * d.sign() * log1p(-2 * d.abs())

    def entropy(self) -> Tensor:
        return 1 + log(2 * self.scale)
