"""The categorical distribution."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from .. import dtypes
from ..ops import arange, broadcast_tensors, clamp, full, multinomial
from ..tensor.size import Size
from ..tensor.tensor import Tensor
from . import constraints
from .bernoulli import ProbsOrLogits

__all__ = ["Categorical"]


class Categorical(ProbsOrLogits):
    """The categorical distribution: the index of one of K classes.

    Math: P(k) = probs_k / Σ probs, or softmax(logits)_k

    Args:
        probs: probabilities along the last dimension, which need not add up to 1;
            or `logits`: their logarithms, up to a constant.

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions.Categorical(torch.tensor([1.0, 3.0]))
        >>> d.probs, d.log_prob(torch.tensor(1)).exp()
        (tensor([0.2500, 0.7500]), tensor(0.7500))
    """

    arg_constraints: ClassVar[Any] = {
        "probs": constraints.simplex,
        "logits": constraints.real_vector,
    }
    has_enumerate_support = True
    _binary = False

    def __init__(
        self, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self._one_of(probs, logits)
        name, given = ("probs", probs) if logits is None else ("logits", logits)
        if given.ndim < 1:
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        self._given_probs = logits is None
        if logits is None:
            self.probs = probs / probs.sum(-1, keepdim=True)
        else:
            self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)
        super().__init__(given.shape[:-1], validate_args=validate_args)

    @property
    def _num_events(self) -> int:
        return int(self._param.shape[-1])

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> Any:
        """The numbers of the classes."""
        return constraints.integer_interval(0, self._num_events - 1)

    @property
    def mean(self) -> Tensor:
        """Nan: classes have no mean."""
        p = self.probs
        return full(self._extended_shape(), math.nan, dtype=p.dtype, device=p.device)

    @property
    def mode(self) -> Tensor:
        return self.probs.argmax(dim=-1)

    @property
    def variance(self) -> Tensor:
        """Nan: classes have no variance."""
        return self.mean

    def sample(self, sample_shape: Any = ()) -> Tensor:
        rows = self.probs.reshape(-1, self._num_events)
        drawn = multinomial(rows, Size(sample_shape).numel(), True).T
        return drawn.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        index, log_p = broadcast_tensors(value.long().unsqueeze(-1), self.logits)
        return log_p.gather(-1, index[..., :1]).squeeze(-1)

    def entropy(self) -> Tensor:
        # A class that never comes: -inf · 0 is to be 0.
        finite = clamp(self.logits, min=dtypes.finfo(self.logits.dtype).min)
        return -(finite * self.probs).sum(-1)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        values = arange(self._num_events, device=self._param.device)
        return self._enumerated(values, expand)
