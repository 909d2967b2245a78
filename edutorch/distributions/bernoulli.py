"""The Bernoulli distribution, and its base class (`probs` or `logits`)."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from ..autograd.modes import no_grad
from ..nn.functional import binary_cross_entropy_with_logits
from ..ops import arange, bernoulli, exp, log1p, logit
from ..tensor.size import Size
from ..tensor.tensor import Tensor
from . import constraints
from .distribution import Distribution
from .exp_family import ExponentialFamily
from .utils import (
    broadcast_all,
    lazy_property,
    logits_to_probs,
    probs_to_logits,
    shape_of,
)

__all__ = ["Bernoulli", "ProbsOrLogits"]


class ProbsOrLogits(Distribution):
    """Base class: distributions with the parameter `probs` or `logits`.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Bernoulli(logits=torch.tensor(0.0)).probs
        tensor(0.5000)
    """

    arg_constraints: ClassVar[Any] = {
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    _binary = True

    @staticmethod
    def _one_of(probs: Any, logits: Any) -> None:
        if (probs is None) == (logits is None):
            raise ValueError(
                "Either `probs` or `logits` must be specified, but not both."
            )

    @lazy_property
    def logits(self) -> Tensor:
        """The log-odds."""
        return probs_to_logits(self.probs, self._binary)

    @lazy_property
    def probs(self) -> Tensor:
        """The probability."""
        return logits_to_probs(self.logits, self._binary)

    @property
    def _param(self) -> Tensor:
        """The parameter that was given."""
        own = self.__dict__
        found: Tensor = own["probs"] if self._given_probs else own["logits"]
        return found

    @property
    def param_shape(self) -> Size:
        """The shape of the parameter that was given."""
        return self._param.shape

    def _set(self, probs: Any, logits: Any) -> None:
        self._one_of(probs, logits)
        self._given_probs = probs is not None
        if probs is not None:
            (self.probs,) = broadcast_all(probs)
        else:
            (self.logits,) = broadcast_all(logits)

    def _new(self, *args: Any, **kwargs: Any) -> Tensor:
        return self._param.new(*args, **kwargs)

    def _expand_into(self, new: Any, shape: Size) -> None:
        new._given_probs = self._given_probs
        super()._expand_into(new, shape)


class CountOfTrials(ProbsOrLogits):
    """Base class: counts of successes in repeated trials.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Binomial(3, torch.tensor([0.2, 0.4])).total_count
        tensor([3., 3.])
    """

    total_count: Tensor

    def _set_trials(self, total_count: Any, probs: Any, logits: Any) -> Size:
        """Keep the parameters, of one shape and dtype; return the shape."""
        self._one_of(probs, logits)
        count, given = broadcast_all(total_count, logits if probs is None else probs)
        self._set(*((None, given) if probs is None else (given, None)))
        self.total_count = count.type_as(given)
        return given.shape


class Bernoulli(ProbsOrLogits, ExponentialFamily):
    """The Bernoulli distribution: 1 with a given probability, else 0.

    Math: P(1) = p, P(0) = 1 - p, p = probs or σ(logits)

    Args:
        probs: the probability of 1, or `logits`: log(p / (1 - p)).

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Bernoulli(torch.tensor(0.25)).variance
        tensor(0.1875)
    """

    support = constraints.boolean
    _mean_carrier_measure = 0
    has_enumerate_support = True

    def __init__(
        self, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self._set(probs, logits)
        super().__init__(shape_of(probs, logits), validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.probs

    @property
    def mode(self) -> Tensor:
        likely = (self.probs >= 0.5).to(self.probs)
        return likely.masked_fill(self.probs == 0.5, math.nan)

    @property
    def variance(self) -> Tensor:
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        with no_grad():
            return bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        logits, value = broadcast_all(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self) -> Tensor:
        return binary_cross_entropy_with_logits(
            self.logits, self.probs, reduction="none"
        )

    def enumerate_support(self, expand: bool = True) -> Tensor:
        values = arange(2, dtype=self._param.dtype, device=self._param.device)
        return self._enumerated(values, expand)

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return (logit(self.probs),)

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        (x,) = natural_params
        return log1p(exp(x))
