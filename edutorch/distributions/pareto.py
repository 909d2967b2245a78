"""The Pareto distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from ..tensor.tensor import Tensor
from . import constraints
from .exponential import Exponential
from .transformed_distribution import TransformedDistribution
from .transforms import AffineTransform, ExpTransform

__all__ = ["Pareto"]


class Pareto(TransformedDistribution):
    """Sizes with a power law's tail: of cities, of fortunes.

    Math: p(x) = a mᵃ / xᵃ⁺¹, x >= m

    Sampling: m exp(x) of a sample of `Exponential` of rate a.

    Args:
        scale: the least size m.
        alpha: the power a.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Pareto(1.0, 3.0).mean
        tensor(1.5000)
    """

    arg_constraints: ClassVar[Any] = {
        "alpha": constraints.positive,
        "scale": constraints.positive,
    }
    scale: Tensor
    alpha: Tensor

    def __init__(
        self, scale: Any, alpha: Any, validate_args: bool | None = None
    ) -> None:
        self._set_broadcast(scale=scale, alpha=alpha)
        base = Exponential(self.alpha, validate_args=validate_args)
        steps = [ExpTransform(), AffineTransform(loc=0, scale=self.scale)]
        super().__init__(base, steps, validate_args=validate_args)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        """Sizes from the least one on."""
        return constraints.greater_than_eq(self.scale)

    @property
    def mean(self) -> Tensor:
        a = self.alpha.clamp(min=1)
        return a * self.scale / (a - 1)

    @property
    def mode(self) -> Tensor:
        return self.scale

    @property
    def variance(self) -> Tensor:
        a = self.alpha.clamp(min=2)
        return self.scale.pow(2) * a / ((a - 1).pow(2) * (a - 2))

    def entropy(self) -> Tensor:
        return (self.scale / self.alpha).log() + (1 + self.alpha.reciprocal())
