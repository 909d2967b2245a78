"""The Bernoulli distribution, and what it shares with others that have odds."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from ..autograd.modes import no_grad
from ..nn.functional import binary_cross_entropy_with_logits
from ..ops import arange, bernoulli
from ..tensor.size import Size
from ..tensor.tensor import Tensor
from . import constraints
from .distribution import Distribution
from .utils import (
    broadcast_all,
    lazy_property,
    logits_to_probs,
    probs_to_logits,
    shape_of,
)

__all__ = ["Bernoulli", "Odds"]


class Odds(Distribution):
    """Distributions with a parameter that is a probability, or its log-odds.

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

    def _expand_into(self, new: Any, shape: Size) -> None:
        new._given_probs = self._given_probs
        super()._expand_into(new, shape)


class Bernoulli(Odds):
    """1 with a given probability, 0 otherwise.

    Math: P(1) = p, P(0) = 1 - p, p = probs or σ(logits)

    Args:
        probs: the probability of 1, or `logits`: log(p / (1 - p)).

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Bernoulli(torch.tensor(0.25)).variance
        tensor(0.1875)
    """

    support = constraints.boolean
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
        self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self) -> Tensor:
        return binary_cross_entropy_with_logits(
            self.logits, self.probs, reduction="none"
        )

    def enumerate_support(self, expand: bool = True) -> Tensor:
        values = arange(2, dtype=self._param.dtype, device=self._param.device)
        return self._enumerated(values, expand)
