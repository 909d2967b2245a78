"""The multinomial distribution."""

from __future__ import annotations

import math
from typing import Any

from ..ops import exp, lgamma, ones_like, tensor, zeros
from ..tensor.size import Size
from ..tensor.tensor import Tensor
from . import constraints
from .binomial import Binomial
from .categorical_based import CategoricalBase
from .utils import broadcast_all

__all__ = ["Multinomial"]


class Multinomial(CategoricalBase):
    """The multinomial distribution: counts of K classes in n draws.

    Math: P(x) = n! / Π xₖ! · Π pₖ^xₖ

    Args:
        total_count: the number of draws n.
        probs: probabilities along the last dimension, or `logits`.

    Raises:
        NotImplementedError: for a number of draws that is not an int.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Multinomial(8, torch.tensor([1.0, 3.0])).mean
        tensor([2., 6.])
    """

    def __init__(
        self,
        total_count: int = 1,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        super().__init__(probs, logits, validate_args)

    def _expand_into(self, new: Any, shape: Size) -> None:
        super()._expand_into(new, shape)
        new.total_count = self.total_count

    @constraints.dependent_property(is_discrete=True, event_dim=1)
    def support(self) -> Any:
        """Counts that add up to n."""
        return constraints.multinomial(self.total_count)

    @property
    def mean(self) -> Tensor:
        return self.probs * self.total_count

    @property
    def variance(self) -> Tensor:
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        shape = (self.total_count, *Size(sample_shape))
        draws = self._categorical.sample(shape)
        draws = draws.movedim(0, -1)
        counts = zeros(
            self._extended_shape(sample_shape), dtype=draws.dtype, device=draws.device
        )
        counts.scatter_add_(-1, draws, ones_like(draws))
        return counts.type_as(self.probs)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        logits, value = broadcast_all(self.logits, value)
        # A class that never comes and has not come: -inf · 0 is to be 0.
        logits = logits.masked_fill((value == 0) & (logits == -math.inf), 0)
        ways = lgamma(value.sum(-1) + 1) - lgamma(value + 1).sum(-1)
        return ways + (logits * value).sum(-1)

    def entropy(self) -> Tensor:
        n = tensor(self.total_count)
        single = Binomial(self.total_count, self.probs)
        counts = single.enumerate_support(expand=False)[1:]
        weighted = exp(single.log_prob(counts)) * lgamma(counts + 1)
        draws = n * self._categorical.entropy() - lgamma(n + 1)
        return draws + weighted.sum([0, -1])
