"""The relaxed Bernoulli distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from ..ops import rand
from ..tensor.size import Size
from ..tensor.tensor import Tensor
from . import constraints
from .bernoulli import ProbsOrLogits
from .transformed_distribution import TransformedDistribution
from .transforms import SigmoidTransform
from .utils import broadcast_all, clamp_probs, shape_of

__all__ = ["LogitRelaxedBernoulli", "RelaxedBernoulli"]


class LogitRelaxedBernoulli(ProbsOrLogits):
    """The log-odds of the relaxed Bernoulli distribution.

    Math: x = (logits + ln u - ln(1 - u)) / t of uniform u

    Sampling: that formula.

    Args:
        temperature: t; the lower it is, the nearer are samples to 0 and 1.
        probs: the probability of 1, or `logits`: log(p / (1 - p)).

    Example:
        >>> import edutorch as torch
        >>> from edutorch.distributions.relaxed_bernoulli import LogitRelaxedBernoulli
        >>> d = LogitRelaxedBernoulli(torch.tensor(2.0), 0.5)
        >>> d.log_prob(torch.tensor(0.0)).exp()
        tensor(0.5000)

    Reference: Maddison, Mnih and Teh, "The concrete distribution", 2017.
    """

    support = constraints.real

    def __init__(
        self,
        temperature: Any,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        self.temperature = temperature
        self._set(probs, logits)
        super().__init__(shape_of(probs, logits), validate_args=validate_args)

    def _expand_into(self, new: Any, shape: Size) -> None:
        super()._expand_into(new, shape)
        new.temperature = self.temperature

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        p = clamp_probs(self.probs.expand(shape))
        u = clamp_probs(rand(shape, dtype=p.dtype, device=p.device))
        odds = u.log() - (-u).log1p() + p.log() - (-p).log1p()
        return odds / self.temperature

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        logits, value = broadcast_all(self.logits, value)
        apart = logits - value.mul(self.temperature)
        found: Tensor = self.temperature.log() + apart - 2 * apart.exp().log1p()
        return found


class Relaxed(TransformedDistribution):
    """Relaxations, made of a distribution of logarithms.

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions.RelaxedBernoulli(torch.tensor(0.5), 0.25)
        >>> d.probs, d.temperature
        (tensor(0.2500), tensor(0.5000))
    """

    has_rsample: Any = True

    @property
    def temperature(self) -> Any:
        """The temperature: the lower it is, the closer samples are to the corners."""
        return self.base_dist.temperature

    @property
    def logits(self) -> Tensor:
        """The log-odds, or logarithms of probabilities."""
        found: Tensor = self.base_dist.logits
        return found

    @property
    def probs(self) -> Tensor:
        """The probabilities."""
        found: Tensor = self.base_dist.probs
        return found


class RelaxedBernoulli(Relaxed):
    """The relaxed Bernoulli distribution: mostly near 0 or 1, with gradients.

    Math: y = σ((logits + ln u - ln(1 - u)) / t) of uniform u

    Sampling: that formula.

    Args:
        temperature: t; the lower it is, the nearer are samples to 0 and 1.
        probs: the probability of 1, or `logits`: log(p / (1 - p)).

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions.RelaxedBernoulli(torch.tensor(0.1), 0.5)
        >>> 0 <= d.rsample() <= 1
        tensor(True)

    Reference: Maddison, Mnih and Teh, "The concrete distribution", 2017; Jang, Gu and
        Poole, "Categorical reparameterization with Gumbel-softmax", 2017.
    """

    arg_constraints: ClassVar[Any] = ProbsOrLogits.arg_constraints
    support = constraints.unit_interval

    def __init__(
        self,
        temperature: Any,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        base = LogitRelaxedBernoulli(temperature, probs, logits)
        super().__init__(base, SigmoidTransform(), validate_args=validate_args)
