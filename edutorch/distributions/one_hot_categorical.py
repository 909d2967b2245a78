"""The categorical distribution of one-hot vectors."""

from __future__ import annotations

from typing import Any

from ..nn.functional import one_hot
from ..ops import eye
from ..tensor.tensor import Tensor
from . import constraints
from .categorical_based import CategoricalBase

__all__ = ["OneHotCategorical", "OneHotCategoricalStraightThrough"]


class OneHotCategorical(CategoricalBase):
    """The categorical distribution, with classes as one-hot vectors.

    Math: P(x) = pₖ where xₖ = 1

    Args:
        probs: probabilities along the last dimension, or `logits`.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.OneHotCategorical(torch.tensor([0.0, 1.0])).sample()
        tensor([0., 1.])
    """

    support = constraints.one_hot
    has_enumerate_support = True

    @property
    def mean(self) -> Tensor:
        return self.probs

    @property
    def mode(self) -> Tensor:
        return self._vectors(self.probs.argmax(dim=-1))

    @property
    def variance(self) -> Tensor:
        return self.probs * (1 - self.probs)

    def _vectors(self, classes: Tensor) -> Tensor:
        return one_hot(classes, self.event_shape[0]).to(self.probs)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        return self._vectors(self._categorical.sample(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self) -> Tensor:
        return self._categorical.entropy()

    def enumerate_support(self, expand: bool = True) -> Tensor:
        n = self.event_shape[0]
        values = eye(n, dtype=self.probs.dtype, device=self.probs.device)
        values = values.view((n,) + (1,) * len(self.batch_shape) + (n,))
        return values.expand((n, *self.batch_shape, n)) if expand else values


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """`OneHotCategorical` with straight-through gradients of the probabilities.

    Math: rsample: y = x + p - p.detach()      ∂L/∂p = g

    Example:
        >>> import edutorch as torch
        >>> made = torch.distributions.OneHotCategoricalStraightThrough
        >>> made(torch.tensor([0.0, 1.0])).rsample()
        tensor([0., 1.])

    Reference: Bengio et al., "Estimating or propagating gradients through stochastic
        neurons for conditional computation", 2013.
    """

    has_rsample = True

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        drawn = self.sample(sample_shape)
        return drawn + (self.probs - self.probs.detach())
