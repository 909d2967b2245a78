"""The normal distribution."""

from __future__ import annotations

import math
from typing import Any

from ..autograd.modes import no_grad
from ..ops import erf, erfinv, log, normal
from ..tensor.tensor import Tensor
from .exp_family import ExponentialFamily
from .location_scale import LocationScale
from .utils import _standard_normal

__all__ = ["Normal"]


class Normal(LocationScale, ExponentialFamily):
    """The normal distribution.

    Math: p(x) = exp(-(x - μ)² / 2σ²) / (σ √(2π))

    Args:
        loc: the mean μ.
        scale: the standard deviation σ.

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions.Normal(0.0, 1.0)
        >>> d, d.log_prob(torch.tensor(0.0))
        (Normal(loc: 0.0, scale: 1.0), tensor(-0.9189))
    """

    _mean_carrier_measure = 0

    @property
    def stddev(self) -> Tensor:
        return self.scale

    @property
    def variance(self) -> Tensor:
        return self.scale.pow(2)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        with no_grad():
            drawn: Tensor = normal(self.loc.expand(shape), self.scale.expand(shape))
        return drawn

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        eps = _standard_normal(
            self._extended_shape(sample_shape), self.loc.dtype, self.loc.device
        )
        return self.loc + eps * self.scale

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        quadratic = -((value - self.loc) ** 2) / (2 * self.scale**2)
        return quadratic - self.scale.log() - math.log(math.sqrt(2 * math.pi))

    def cdf(self, value: Tensor) -> Tensor:
        self._check_value(value)
        z = (value - self.loc) * self.scale.reciprocal()
        return 0.5 * (1 + erf(z / math.sqrt(2)))

    def icdf(self, value: Tensor) -> Tensor:
        return self.loc + self.scale * erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self) -> Tensor:
        return 0.5 + 0.5 * math.log(2 * math.pi) + log(self.scale)

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        precision = self.scale.pow(2).reciprocal()
        return self.loc / self.scale.pow(2), -0.5 * precision

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        x, y = natural_params
        return -0.25 * x.pow(2) / y + 0.5 * log(-math.pi / y)
