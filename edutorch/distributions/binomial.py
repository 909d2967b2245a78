"""The binomial distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from ..autograd.modes import no_grad
from ..ops import arange, binomial, exp, lgamma, log1p
from ..tensor.tensor import Tensor
from . import constraints
from .bernoulli import CountOfTrials, ProbsOrLogits

__all__ = ["Binomial"]


class Binomial(CountOfTrials):
    """The binomial distribution: the number of successes in n trials.

    Math: P(k) = n! / (k! (n - k)!) · pᵏ (1 - p)ⁿ⁻ᵏ

    Args:
        total_count: the number of trials n.
        probs: the probability of success, or `logits`: log(p / (1 - p)).

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Binomial(4, torch.tensor(0.5)).mean
        tensor(2.)
    """

    arg_constraints: ClassVar[Any] = {
        "total_count": constraints.nonnegative_integer,
        **ProbsOrLogits.arg_constraints,
    }
    has_enumerate_support = True

    def __init__(
        self,
        total_count: Any = 1,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        shape = self._set_trials(total_count, probs, logits)
        super().__init__(shape, validate_args=validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> Any:
        """The numbers from 0 to n."""
        return constraints.integer_interval(0, self.total_count)

    @property
    def mean(self) -> Tensor:
        return self.total_count * self.probs

    @property
    def mode(self) -> Tensor:
        return ((self.total_count + 1) * self.probs).floor().clamp(max=self.total_count)

    @property
    def variance(self) -> Tensor:
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        n, logits = self.total_count, self.logits
        ways = lgamma(n + 1) - lgamma(value + 1) - lgamma(n - value + 1)
        # n log(1 - p) = -n log(1 + exp(logit)), written so that nothing overflows
        positive = (logits.clamp(min=0) + logits - logits.clamp(max=0)) / 2
        none = n * positive + n * log1p(exp(-logits.abs()))
        return value * logits + ways - none

    def _count(self, method: str) -> int:
        """The number of trials, where it is one."""
        count = int(self.total_count.max())
        if not self.total_count.min() == count:
            raise NotImplementedError(
                f"Inhomogeneous total count not supported by `{method}`."
            )
        return count

    def entropy(self) -> Tensor:
        self._count("entropy")
        log_p = self.log_prob(self.enumerate_support(False))
        return -(exp(log_p) * log_p).sum(0)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        count = self._count("enumerate_support")
        p = self._param
        return self._enumerated(
            arange(1 + count, dtype=p.dtype, device=p.device), expand
        )
