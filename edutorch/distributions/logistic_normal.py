"""The logistic-normal distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from ..tensor.tensor import Tensor
from . import constraints
from .normal import Normal
from .transformed_distribution import TransformedDistribution
from .transforms import StickBreakingTransform

__all__ = ["LogisticNormal"]


class LogisticNormal(TransformedDistribution):
    """Vectors of K probabilities, made of K - 1 normal numbers.

    Math: y = StickBreaking(x), x ~ N(μ, σ²)

    Sampling: a sample of `Normal`, transformed.

    Args:
        loc: the means μ, along the last dimension.
        scale: the standard deviations σ.

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions.LogisticNormal(torch.zeros(2), torch.ones(2))
        >>> d.event_shape
        torch.Size([3])

    Reference: Aitchison and Shen, "Logistic-normal distributions", 1980.
    """

    arg_constraints: ClassVar[Any] = {
        "loc": constraints.real,
        "scale": constraints.positive,
    }
    support = constraints.simplex
    has_rsample: Any = True

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        base = Normal(loc, scale, validate_args=validate_args)
        if not base.batch_shape:
            base = base.expand([1])
        super().__init__(base, StickBreakingTransform(), validate_args=validate_args)

    @property
    def loc(self) -> Tensor:
        """The means of the normal numbers."""
        found: Tensor = self.base_dist.base_dist.loc
        return found

    @property
    def scale(self) -> Tensor:
        """The standard deviations of the normal numbers."""
        found: Tensor = self.base_dist.base_dist.scale
        return found
