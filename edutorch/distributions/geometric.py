"""The geometric distribution."""

from __future__ import annotations

from typing import Any

from .. import dtypes
from ..autograd.modes import no_grad
from ..nn.functional import binary_cross_entropy_with_logits
from ..ops import empty, zeros_like
from ..tensor.tensor import Tensor
from . import constraints
from .bernoulli import ProbsOrLogits
from .utils import broadcast_all, shape_of

__all__ = ["Geometric"]


class Geometric(ProbsOrLogits):
    """The geometric distribution: failures before the first success.

    Math: P(k) = (1 - p)ᵏ p

    Args:
        probs: the probability of success, or `logits`: log(p / (1 - p)).

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Geometric(0.25).mean
        tensor(3.)
    """

    support = constraints.nonnegative_integer

    def __init__(
        self, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self._set(probs, logits)
        super().__init__(shape_of(probs, logits), validate_args=validate_args)
        if self._validate_args and probs is not None and not (self.probs > 0).all():
            p = self.probs
            raise ValueError(
                f"Expected parameter probs ({type(p).__name__} of shape "
                f"{tuple(p.shape)}) of distribution {self!r} to be positive but found "
                f"invalid values:\n{p[p <= 0]}"
            )

    @property
    def mean(self) -> Tensor:
        return 1.0 / self.probs - 1.0

    @property
    def mode(self) -> Tensor:
        return zeros_like(self.probs)

    @property
    def variance(self) -> Tensor:
        return (1.0 / self.probs - 1.0) / self.probs

    def sample(self, sample_shape: Any = ()) -> Tensor:
        p = self.probs
        with no_grad():
            drawn = empty(
                self._extended_shape(sample_shape), dtype=p.dtype, device=p.device
            )
            u = drawn.uniform_(dtypes.finfo(p.dtype).tiny, 1)
            return (u.log() / (-p).log1p()).floor()

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        value, p = broadcast_all(value, self.probs)
        sure = p.masked_fill((p == 1) & (value == 0), 0)  # 0 · log 0 is 0
        return value * (-sure).log1p() + self.probs.log()

    def entropy(self) -> Tensor:
        surprise = binary_cross_entropy_with_logits(
            self.logits, self.probs, reduction="none"
        )
        return surprise / self.probs
