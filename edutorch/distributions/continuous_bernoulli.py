"""The continuous Bernoulli distribution."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from ..autograd.modes import no_grad
from ..nn.functional import binary_cross_entropy_with_logits
from ..ops import expm1, full_like, log, log1p, rand, where
from ..tensor.size import Size
from ..tensor.tensor import Tensor
from . import constraints
from .bernoulli import ProbsOrLogits
from .exp_family import ExponentialFamily
from .utils import broadcast_all, clamp_probs, lazy_property, logits_to_probs, shape_of

__all__ = ["ContinuousBernoulli"]


class ContinuousBernoulli(ProbsOrLogits, ExponentialFamily):
    """The continuous Bernoulli distribution, on the interval from 0 to 1.

    Math: p(x) = C λˣ (1 - λ)¹⁻ˣ, C = 2 artanh(1 - 2λ) / (1 - 2λ), 0 <= x <= 1

    Near λ = 1/2 the formulas are 0 / 0: between the limits their Taylor series serve.

    Sampling: the inverse of the cumulative distribution function at uniform numbers.

    Args:
        probs: λ, or `logits`: log(λ / (1 - λ)).
        lims: between which λ series are taken.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.ContinuousBernoulli(torch.tensor(0.5)).mean
        tensor(0.5000)

    Reference: Loaiza-Ganem and Cunningham, "The continuous Bernoulli: fixing a
        pervasive error in variational autoencoders", 2019.
    """

    arg_constraints: ClassVar[Any] = {
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    support = constraints.unit_interval
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(
        self,
        probs: Any = None,
        logits: Any = None,
        lims: tuple[float, float] = (0.499, 0.501),
        validate_args: bool | None = None,
    ) -> None:
        self._set(probs, logits)
        if probs is not None:
            allowed = self.arg_constraints["probs"].check(self.probs).all()
            if validate_args is not None and not allowed:
                raise ValueError("The parameter probs has invalid values")
            self.probs = clamp_probs(self.probs)
        self._lims = lims
        super().__init__(shape_of(probs, logits), validate_args=validate_args)

    def _expand_into(self, new: Any, shape: Size) -> None:
        super()._expand_into(new, shape)
        new._lims = self._lims

    @lazy_property
    def probs(self) -> Tensor:
        """λ, neither 0 nor 1."""
        return clamp_probs(logits_to_probs(self.logits, True))

    @staticmethod
    def _away(x: Tensor, low: float, high: float) -> Tensor:
        return (x <= low) | (x > high)

    def _formula(self) -> tuple[Tensor, Tensor]:
        """Where formulas hold, and λ with another value where they do not."""
        p, (low, high) = self.probs, self._lims
        holds = self._away(p, low, high)
        return holds, where(holds, p, full_like(p, low))

    def _cont_bern_log_norm(self) -> Tensor:
        """Ln C."""
        holds, p = self._formula()
        below, above = p <= 0.5, p >= 0.5
        log_denominator = where(
            below,
            log1p(-2.0 * p.masked_fill(~below, 0)),
            log(2.0 * p.masked_fill(~above, 1) - 1.0),
        )
        exact = log((log1p(-p) - log(p)).abs()) - log_denominator
        x = (self.probs - 0.5).pow(2)
        return where(holds, exact, math.log(2.0) + (4 / 3 + 104 / 45 * x) * x)

    @property
    def mean(self) -> Tensor:
        holds, p = self._formula()
        exact = p / (2.0 * p - 1.0) + 1.0 / (log1p(-p) - log(p))
        x = self.probs - 0.5
        return where(holds, exact, 0.5 + (1 / 3 + 16 / 45 * x.pow(2)) * x)

    @property
    def variance(self) -> Tensor:
        holds, p = self._formula()
        exact = p * (p - 1.0) / (1.0 - 2.0 * p).pow(2)
        exact = exact + 1.0 / (log1p(-p) - log(p)).pow(2)
        x = (self.probs - 0.5).pow(2)
        return where(holds, exact, 1 / 12 - (1 / 15 - 128 / 945 * x) * x)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        p, shape = self.probs, self._extended_shape(sample_shape)
        return self.icdf(rand(shape, dtype=p.dtype, device=p.device))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        logits, value = broadcast_all(self.logits, value)
        lost = binary_cross_entropy_with_logits(logits, value, reduction="none")
        return -lost + self._cont_bern_log_norm()

    def cdf(self, value: Tensor) -> Tensor:
        self._check_value(value)
        holds, p = self._formula()
        powers = p.pow(value) * (1.0 - p).pow(1.0 - value)
        inside = where(holds, (powers + p - 1.0) / (2.0 * p - 1.0), value)
        return inside.masked_fill(value <= 0, 0).masked_fill(value >= 1, 1)

    def icdf(self, value: Tensor) -> Tensor:
        holds, p = self._formula()
        rest = log1p(-p)
        exact = (log1p(-p + value * (2.0 * p - 1.0)) - rest) / (log(p) - rest)
        return where(holds, exact, value)

    def entropy(self) -> Tensor:
        zero, one = log1p(-self.probs), log(self.probs)
        return self.mean * (zero - one) - self._cont_bern_log_norm() - zero

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return (self.logits,)

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        (x,) = natural_params
        low, high = (end - 0.5 for end in self._lims)
        holds = self._away(x, low, high)
        cut = where(holds, x, full_like(x, low))
        exact = log(expm1(cut).abs()) - log(cut.abs())
        series = 0.5 * x + x.pow(2) / 24.0 - x.pow(4) / 2880.0
        return where(holds, exact, series)
