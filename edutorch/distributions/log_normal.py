"""The log-normal distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from ..tensor.tensor import Tensor
from . import constraints
from .normal import Normal
from .transformed_distribution import TransformedDistribution
from .transforms import ExpTransform

__all__ = ["LogNormal"]


class LogNormal(TransformedDistribution):
    """Numbers whose logarithms are normally distributed.

    Math: p(x) = exp(-(ln x - μ)² / 2σ²) / (x σ √(2π)), x > 0

    Sampling: exp(x) of a sample of `Normal`.

    Args:
        loc: the mean μ of the logarithm.
        scale: its standard deviation σ.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.LogNormal(0.0, 1.0).mean
        tensor(1.6487)
    """

    arg_constraints: ClassVar[Any] = {
        "loc": constraints.real,
        "scale": constraints.positive,
    }
    support = constraints.positive
    has_rsample: Any = True

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        base = Normal(loc, scale, validate_args=validate_args)
        super().__init__(base, ExpTransform(), validate_args=validate_args)

    @property
    def loc(self) -> Tensor:
        """The mean of the logarithm."""
        found: Tensor = self.base_dist.loc
        return found

    @property
    def scale(self) -> Tensor:
        """The standard deviation of the logarithm."""
        found: Tensor = self.base_dist.scale
        return found

    @property
    def mean(self) -> Tensor:
        return (self.loc + self.scale.pow(2) / 2).exp()

    @property
    def mode(self) -> Tensor:
        return (self.loc - self.scale.square()).exp()

    @property
    def variance(self) -> Tensor:
        squared = self.scale.pow(2)
        return squared.expm1() * (2 * self.loc + squared).exp()

    def entropy(self) -> Tensor:
        found: Tensor = self.base_dist.entropy() + self.loc
        return found
