"""Base class of half distributions: absolute values of symmetric ones."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from ..ops import where, zeros_like
from ..tensor.tensor import Tensor
from . import constraints
from .distribution import Distribution
from .transformed_distribution import TransformedDistribution
from .transforms import AbsTransform

__all__ = ["HalfDistribution"]


class HalfDistribution(TransformedDistribution):
    """The absolute values of samples of a distribution symmetric around 0.

    Math: p(x) = 2 p₀(x), F(x) = 2 F₀(x) - 1, x >= 0

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.HalfNormal(1.0).cdf(torch.tensor(0.0))
        tensor(0.)
    """

    arg_constraints: ClassVar[Any] = {"scale": constraints.positive}
    support = constraints.nonnegative
    has_rsample: Any = True

    def __init__(self, base: Distribution, validate_args: bool | None) -> None:
        super().__init__(base, AbsTransform(), validate_args=validate_args)

    @property
    def scale(self) -> Tensor:
        """The width."""
        found: Tensor = self.base_dist.scale
        return found

    @property
    def mode(self) -> Tensor:
        return zeros_like(self.scale)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        found: Tensor = self.base_dist.log_prob(value) + math.log(2)
        return where(value >= 0, found, -math.inf)

    def cdf(self, value: Tensor) -> Tensor:
        self._check_value(value)
        found: Tensor = 2 * self.base_dist.cdf(value) - 1
        return found

    def icdf(self, value: Tensor) -> Tensor:
        found: Tensor = self.base_dist.icdf((value + 1) / 2)
        return found

    def entropy(self) -> Tensor:
        found: Tensor = self.base_dist.entropy() - math.log(2)
        return found
