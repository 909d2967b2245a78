"""The Cauchy distribution."""

from __future__ import annotations

import math
from typing import Any

from ..ops import atan, empty, full, tan
from ..tensor.tensor import Tensor
from .location_scale import LocationScale

__all__ = ["Cauchy"]


class Cauchy(LocationScale):
    """The Cauchy distribution, which has no mean.

    Math: p(x) = 1 / (π s (1 + ((x - m) / s)²))

    Sampling: the inverse of the cumulative distribution function at uniform numbers.

    Args:
        loc: the median m.
        scale: half the distance between the quartiles, s.

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions.Cauchy(0.0, 1.0)
        >>> d.mean, d.cdf(torch.tensor(1.0))
        (tensor(nan), tensor(0.7500))
    """

    def _everywhere(self, value: float) -> Tensor:
        shape = self._extended_shape()
        return full(shape, value, dtype=self.loc.dtype, device=self.loc.device)

    @property
    def mean(self) -> Tensor:
        return self._everywhere(math.nan)

    @property
    def variance(self) -> Tensor:
        return self._everywhere(math.inf)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        drawn = empty(shape, dtype=self.loc.dtype, device=self.loc.device).cauchy_()
        return self.loc + drawn * self.scale

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        z = (value - self.loc) / self.scale
        return -math.log(math.pi) - self.scale.log() - (z**2).log1p()

    def cdf(self, value: Tensor) -> Tensor:
        self._check_value(value)
        return atan((value - self.loc) / self.scale) / math.pi + 0.5

    def icdf(self, value: Tensor) -> Tensor:
        return tan(math.pi * (value - 0.5)) * self.scale + self.loc

    def entropy(self) -> Tensor:
        return math.log(4 * math.pi) + self.scale.log()
