"""The generalised Pareto distribution."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from ..ops import (
    broadcast_to,
    exp,
    expm1,
    full_like,
    isclose,
    log,
    log1p,
    ones_like,
    rand,
    where,
    zeros_like,
)
from ..tensor.tensor import Tensor
from . import constraints
from .distribution import Distribution

__all__ = ["GeneralizedPareto"]


class GeneralizedPareto(Distribution):
    """The generalised Pareto distribution: excesses over a high threshold.

    Math: F(x) = 1 - (1 + ξ z)^(-1/ξ), z = (x - m) / s; ξ = 0: F(x) = 1 - exp(-z)

    Sampling: the inverse of the cumulative distribution function at uniform numbers.

    Args:
        loc: the threshold m.
        scale: s, positive.
        concentration: ξ; the larger it is, the heavier is the tail.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.GeneralizedPareto(0.0, 1.0, 0.0).mean
        tensor(1.)

    Reference: Pickands, "Statistical inference using extreme order statistics", 1975.
    """

    arg_constraints: ClassVar[Any] = {
        "loc": constraints.real,
        "scale": constraints.positive,
        "concentration": constraints.real,
    }
    has_rsample = True
    loc: Tensor
    scale: Tensor
    concentration: Tensor

    def __init__(
        self,
        loc: Any,
        scale: Any,
        concentration: Any,
        validate_args: bool | None = None,
    ) -> None:
        shape = self._set_broadcast(loc=loc, scale=scale, concentration=concentration)
        super().__init__(shape, validate_args=validate_args)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        """From the threshold on; to an end where ξ is negative."""
        shape = self.concentration
        end = where(shape < 0, self.loc - self.scale / shape, math.inf)
        return constraints.interval(self.loc, end)

    def _shape(self) -> tuple[Tensor, Tensor]:
        """Where ξ is 0, and ξ with another value there."""
        shape = self.concentration
        none = isclose(shape, zeros_like(shape))
        return none, where(none, ones_like(shape), shape)

    def _z(self, x: Tensor) -> Tensor:
        return (x - self.loc) / self.scale

    def _where_defined(self, limit: float, stand_in: float, moment: Any) -> Tensor:
        """A function of ξ below a limit, nan from there on."""
        shape = self.concentration
        defined = shape < limit
        safe = where(defined, shape, full_like(shape, stand_in))
        return where(defined, moment(safe), math.nan)

    @property
    def mean(self) -> Tensor:
        return self._where_defined(1, 0.5, lambda k: self.loc + self.scale / (1 - k))

    @property
    def variance(self) -> Tensor:
        return self._where_defined(
            0.5, 0.25, lambda k: self.scale**2 / ((1 - k) ** 2 * (1 - 2 * k))
        )

    @property
    def mode(self) -> Tensor:
        return self.loc

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        return self.icdf(rand(shape, dtype=self.loc.dtype, device=self.loc.device))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        z, (none, shape) = self._z(value), self._shape()
        power = 1 / shape + ones_like(z)
        falls = where(power == 0, power, power * log1p(shape * z))  # not 0 · ln 0
        return -self.scale.log() - where(none, z, falls)

    def log_survival_function(self, value: Tensor) -> Tensor:
        """ln(1 - F(x)).

        Math: y = -ln(1 + ξ z) / ξ, z = (x - m) / s

        Example:
            >>> import edutorch as torch
            >>> d = torch.distributions.GeneralizedPareto(0.0, 1.0, 0.0)
            >>> d.log_survival_function(torch.tensor(2.0))
            tensor(-2.)
        """
        self._check_value(value)
        z, (none, shape) = self._z(value), self._shape()
        return where(none, -z, -log1p(shape * z) / shape)

    def log_cdf(self, value: Tensor) -> Tensor:
        """Ln F(x).

        Math: y = ln(1 - exp(s)), s the logarithm of the survival function

        Example:
            >>> import edutorch as torch
            >>> d = torch.distributions.GeneralizedPareto(0.0, 1.0, 0.0)
            >>> d.log_cdf(torch.tensor(2.0)).exp()
            tensor(0.8647)
        """
        return log1p(-exp(self.log_survival_function(value)))

    def cdf(self, value: Tensor) -> Tensor:
        return exp(self.log_cdf(value))

    def icdf(self, value: Tensor) -> Tensor:
        left, (none, shape) = log1p(-value), self._shape()
        heavy = self.loc + self.scale / shape * expm1(-shape * left)
        return where(none, self.loc - self.scale * left, heavy)

    def entropy(self) -> Tensor:
        return broadcast_to(log(self.scale) + self.concentration + 1, self._batch_shape)
