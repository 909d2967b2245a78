"""Base class of distributions built on a categorical one."""

from __future__ import annotations

from typing import Any

from ..tensor.size import Size
from ..tensor.tensor import Tensor
from .categorical import Categorical
from .distribution import Distribution

__all__ = ["CategoricalBase"]


class CategoricalBase(Distribution):
    """Base class: one-hot vectors and counts of K classes.

    Args:
        probs: probabilities along the last dimension, or `logits`.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.OneHotCategorical(torch.tensor([1.0, 3.0])).probs
        tensor([0.2500, 0.7500])
    """

    arg_constraints = Categorical.arg_constraints

    def __init__(
        self, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self._categorical = Categorical(probs, logits)
        classes = self._categorical.param_shape[-1:]
        super().__init__(self._categorical.batch_shape, classes, validate_args)

    def _expand_into(self, new: Any, shape: Size) -> None:
        new._categorical = self._categorical.expand(shape)

    @property
    def probs(self) -> Tensor:
        """The probabilities of the classes."""
        return self._categorical.probs

    @property
    def logits(self) -> Tensor:
        """Their logarithms."""
        return self._categorical.logits

    @property
    def param_shape(self) -> Size:
        """The shape of the parameter that was given."""
        return self._categorical.param_shape
