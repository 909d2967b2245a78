"""The relaxed one-hot distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from ..ops import full_like, rand
from ..tensor.size import Size
from ..tensor.tensor import Tensor
from . import constraints
from .categorical import Categorical
from .categorical_based import CategoricalBase
from .relaxed_bernoulli import Relaxed
from .transforms import ExpTransform
from .utils import broadcast_all, clamp_probs

__all__ = ["ExpRelaxedCategorical", "RelaxedOneHotCategorical"]


class ExpRelaxedCategorical(CategoricalBase):
    """The logarithms of the relaxed one-hot categorical distribution.

    Math: x = log_softmax((logits + G) / t), G = -ln(-ln u) of uniform u

    Sampling: that formula.

    Args:
        temperature: t; the lower it is, the nearer are samples to the corners.
        probs: probabilities along the last dimension, or `logits`.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.distributions.relaxed_categorical import ExpRelaxedCategorical
        >>> ExpRelaxedCategorical(torch.tensor(1.0), torch.ones(3)).event_shape
        torch.Size([3])

    Reference: Maddison, Mnih and Teh, "The concrete distribution", 2017.
    """

    support = constraints.real_vector
    has_rsample = True

    def __init__(
        self,
        temperature: Any,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        self.temperature = temperature
        super().__init__(probs, logits, validate_args)

    def _expand_into(self, new: Any, shape: Size) -> None:
        super()._expand_into(new, shape)
        new.temperature = self.temperature

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        logits, shape = self.logits, self._extended_shape(sample_shape)
        u = clamp_probs(rand(shape, dtype=logits.dtype, device=logits.device))
        scores = (logits - (-u.log()).log()) / self.temperature
        return scores - scores.logsumexp(dim=-1, keepdim=True)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        k, t = self.event_shape[0], self.temperature
        logits, value = broadcast_all(self.logits, value)
        scores = logits - value.mul(t)
        each = (scores - scores.logsumexp(dim=-1, keepdim=True)).sum(-1)
        constant: Tensor = full_like(t, float(k)).lgamma() + t.log() * (k - 1)
        return each + constant


class RelaxedOneHotCategorical(Relaxed):
    """The relaxed one-hot categorical distribution, with gradients.

    Math: y = softmax((logits + G) / t), G = -ln(-ln u) of uniform u

    Sampling: that formula.

    Args:
        temperature: t; the lower it is, the nearer are samples to the corners.
        probs: probabilities along the last dimension, or `logits`.

    Example:
        >>> import edutorch as torch
        >>> made = torch.distributions.RelaxedOneHotCategorical
        >>> made(torch.tensor(0.5), torch.ones(3)).rsample().shape
        torch.Size([3])

    Reference: Maddison, Mnih and Teh, "The concrete distribution", 2017; Jang, Gu and
        Poole, "Categorical reparameterization with Gumbel-softmax", 2017.
    """

    arg_constraints: ClassVar[Any] = Categorical.arg_constraints
    support = constraints.simplex

    def __init__(
        self,
        temperature: Any,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        base = ExpRelaxedCategorical(
            temperature, probs, logits, validate_args=validate_args
        )
        super().__init__(base, ExpTransform(), validate_args=validate_args)
