"""The half-normal distribution."""

from __future__ import annotations

import math
from typing import Any

from ..tensor.tensor import Tensor
from .half_distribution import HalfDistribution
from .normal import Normal

__all__ = ["HalfNormal"]


class HalfNormal(HalfDistribution):
    """The half-normal distribution: absolute values of a normal variable.

    Math: p(x) = √(2/π) / σ · exp(-x² / 2σ²), x >= 0

    Sampling: |x| of a sample of `Normal`.

    Args:
        scale: the deviation σ of the normal numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.HalfNormal(1.0).mean
        tensor(0.7979)
    """

    def __init__(self, scale: Any, validate_args: bool | None = None) -> None:
        super().__init__(Normal(0, scale, validate_args=False), validate_args)

    @property
    def mean(self) -> Tensor:
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def variance(self) -> Tensor:
        return self.scale.pow(2) * (1 - 2 / math.pi)
