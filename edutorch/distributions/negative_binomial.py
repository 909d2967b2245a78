"""The negative binomial distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from ..autograd.modes import no_grad
from ..nn.functional import logsigmoid
from ..ops import exp, lgamma, poisson, sigmoid
from ..tensor.tensor import Tensor
from . import constraints
from .bernoulli import CountOfTrials
from .gamma import Gamma
from .utils import lazy_property

__all__ = ["NegativeBinomial"]


class NegativeBinomial(CountOfTrials):
    """The negative binomial distribution: successes before the n-th failure.

    Math: P(k) = Γ(n + k) / (k! Γ(n)) · (1 - p)ⁿ pᵏ

    Sampling: of `Poisson` with a rate of `Gamma` (Greenwood and Yule, 1920).

    Args:
        total_count: the number of failures n, not negative; it may be a fraction.
        probs: the probability p of success, or `logits`: log(p / (1 - p)).

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.NegativeBinomial(2.0, torch.tensor(0.5)).mean
        tensor(2.)
    """

    arg_constraints: ClassVar[Any] = {
        "total_count": constraints.greater_than_eq(0),
        "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }
    support = constraints.nonnegative_integer

    def __init__(
        self,
        total_count: Any,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        shape = self._set_trials(total_count, probs, logits)
        super().__init__(shape, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.total_count * exp(self.logits)

    @property
    def mode(self) -> Tensor:
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self) -> Tensor:
        return self.mean / sigmoid(-self.logits)

    @lazy_property
    def _gamma(self) -> Gamma:
        """The distribution of rates."""
        # A count of 0 is allowed here, and gives samples of 0.
        return Gamma(self.total_count, exp(-self.logits), validate_args=False)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        with no_grad():
            drawn: Tensor = poisson(self._gamma.sample(sample_shape))
        return drawn

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        n, logits = self.total_count, self.logits
        powers = n * logsigmoid(-logits) + value * logsigmoid(logits)
        ways = lgamma(n + value) - lgamma(1.0 + value) - lgamma(n)
        return powers + ways.masked_fill(n + value == 0.0, 0.0)
