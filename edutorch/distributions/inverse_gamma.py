"""The inverse gamma distribution."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from ..ops import digamma, lgamma
from ..tensor.tensor import Tensor
from . import constraints
from .gamma import Gamma
from .transformed_distribution import TransformedDistribution
from .transforms import PowerTransform

__all__ = ["InverseGamma"]


class InverseGamma(TransformedDistribution):
    """Reciprocals of gamma numbers.

    Math: p(x) = βᵃ x⁻ᵃ⁻¹ exp(-β / x) / Γ(a), x > 0

    Sampling: 1 / x of a sample of `Gamma`.

    Args:
        concentration: the shape a.
        rate: β.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.InverseGamma(3.0, 4.0).mean
        tensor(2.)
    """

    arg_constraints: ClassVar[Any] = {
        "concentration": constraints.positive,
        "rate": constraints.positive,
    }
    support = constraints.positive
    has_rsample: Any = True

    def __init__(
        self, concentration: Any, rate: Any, validate_args: bool | None = None
    ) -> None:
        base = Gamma(concentration, rate, validate_args=validate_args)
        reciprocal = PowerTransform(-base.rate.new_ones(()))
        super().__init__(base, reciprocal, validate_args=validate_args)

    @property
    def concentration(self) -> Tensor:
        """The shape."""
        found: Tensor = self.base_dist.concentration
        return found

    @property
    def rate(self) -> Tensor:
        """The rate of the gamma numbers."""
        found: Tensor = self.base_dist.rate
        return found

    @property
    def mean(self) -> Tensor:
        found = self.rate / (self.concentration - 1)
        return found.masked_fill(~(self.concentration > 1), math.inf)

    @property
    def mode(self) -> Tensor:
        return self.rate / (self.concentration + 1)

    @property
    def variance(self) -> Tensor:
        a = self.concentration
        found = self.rate.square() / ((a - 1).square() * (a - 2))
        return found.masked_fill(~(a > 2), math.inf)

    def entropy(self) -> Tensor:
        a = self.concentration
        return a + self.rate.log() + lgamma(a) - (1 + a) * digamma(a)
