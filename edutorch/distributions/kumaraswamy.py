"""The Kumaraswamy distribution."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from ..ops import digamma, exp, full_like, lgamma, log
from ..tensor.tensor import Tensor
from . import constraints
from .transformed_distribution import TransformedDistribution
from .transforms import AffineTransform, PowerTransform
from .uniform import Uniform
from .utils import euler_constant

__all__ = ["Kumaraswamy"]


class Kumaraswamy(TransformedDistribution):
    """Much like the beta distribution, with closed forms.

    Math: F(x) = 1 - (1 - xᵃ)ᵇ, 0 <= x <= 1

    Sampling: x = (1 - u^(1/b))^(1/a) of uniform u.

    Args:
        concentration1: a, positive.
        concentration0: b, positive.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Kumaraswamy(1.0, 1.0).mean
        tensor(0.5000)

    Reference: Kumaraswamy, "A generalized probability density function for
        double-bounded random processes", 1980.
    """

    arg_constraints: ClassVar[Any] = {
        "concentration1": constraints.positive,
        "concentration0": constraints.positive,
    }
    support = constraints.unit_interval
    has_rsample: Any = True
    concentration1: Tensor
    concentration0: Tensor

    def __init__(
        self,
        concentration1: Any,
        concentration0: Any,
        validate_args: bool | None = None,
    ) -> None:
        self._set_broadcast(
            concentration1=concentration1, concentration0=concentration0
        )
        a, b = self.concentration1, self.concentration0
        base = Uniform(full_like(b, 0), full_like(b, 1), validate_args=validate_args)
        steps = [
            PowerTransform(exponent=b.reciprocal()),
            AffineTransform(loc=1.0, scale=-1.0),
            PowerTransform(exponent=a.reciprocal()),
        ]
        super().__init__(base, steps, validate_args=validate_args)

    def _moment(self, n: int) -> Tensor:
        """E[xⁿ]."""
        b, m = self.concentration0, 1 + n / self.concentration1
        return b * exp(lgamma(m) + lgamma(b) - lgamma(m + b))

    @property
    def mean(self) -> Tensor:
        return self._moment(1)

    @property
    def mode(self) -> Tensor:
        a, b = self.concentration1, self.concentration0
        found = b.reciprocal() * (-b).log1p() - (-b * a).log1p()
        return found.masked_fill((b < 1) | (a < 1), math.nan).exp()

    @property
    def variance(self) -> Tensor:
        return self._moment(2) - self.mean.pow(2)

    def entropy(self) -> Tensor:
        a, b = self.concentration1, self.concentration0
        harmonic = digamma(b + 1) + euler_constant
        shares = (1 - b.reciprocal()) + (1 - a.reciprocal()) * harmonic
        return shares - log(a) - log(b)
