"""The half-Cauchy distribution."""

from __future__ import annotations

import math
from typing import Any

from ..ops import as_tensor, full
from ..tensor.tensor import Tensor
from .cauchy import Cauchy
from .half_distribution import HalfDistribution

__all__ = ["HalfCauchy"]


class HalfCauchy(HalfDistribution):
    """The half-Cauchy distribution: absolute values of a Cauchy variable.

    Math: p(x) = 2 / (π s (1 + (x / s)²)), x >= 0

    Sampling: |x| of a sample of `Cauchy`.

    Args:
        scale: the median s.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.HalfCauchy(1.0).cdf(torch.tensor(1.0))
        tensor(0.5000)
    """

    def __init__(self, scale: Any, validate_args: bool | None = None) -> None:
        super().__init__(Cauchy(0, scale, validate_args=False), validate_args)

    @property
    def mean(self) -> Tensor:
        scale, shape = self.scale, self._extended_shape()
        return full(shape, math.inf, dtype=scale.dtype, device=scale.device)

    @property
    def variance(self) -> Tensor:
        found: Tensor = self.base_dist.variance
        return found

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        dtype, device = self.scale.dtype, self.scale.device
        return super().log_prob(as_tensor(value, dtype=dtype, device=device))
