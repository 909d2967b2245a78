"""The Weibull distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from ..ops import exp, lgamma, log, ones_like
from ..tensor.size import Size
from ..tensor.tensor import Tensor
from . import constraints
from .exponential import Exponential
from .transformed_distribution import TransformedDistribution
from .transforms import AffineTransform, PowerTransform
from .utils import euler_constant

__all__ = ["Weibull"]


class Weibull(TransformedDistribution):
    """Lifetimes, when the risk of failure grows or falls by a power of the age.

    Math: p(x) = k / s · (x / s)ᵏ⁻¹ exp(-(x / s)ᵏ), x > 0

    Sampling: s x^(1/k) of a sample of `Exponential`.

    Args:
        scale: s, positive.
        concentration: k; above 1 the risk grows.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Weibull(2.0, 1.0).mean
        tensor(2.)
    """

    arg_constraints: ClassVar[Any] = {
        "scale": constraints.positive,
        "concentration": constraints.positive,
    }
    support = constraints.positive
    scale: Tensor
    concentration: Tensor

    def __init__(
        self, scale: Any, concentration: Any, validate_args: bool | None = None
    ) -> None:
        self._set_broadcast(scale=scale, concentration=concentration)
        self.concentration_reciprocal = self.concentration.reciprocal()
        base = Exponential(ones_like(self.scale), validate_args=validate_args)
        super().__init__(base, self._steps(), validate_args=validate_args)

    def _steps(self) -> list[Any]:
        return [
            PowerTransform(exponent=self.concentration_reciprocal),
            AffineTransform(loc=0, scale=self.scale),
        ]

    def _expand_into(self, new: Any, shape: Size) -> None:
        super()._expand_into(new, shape)
        new.concentration_reciprocal = new.concentration.reciprocal()
        new.transforms = new._steps()

    def _moment(self, n: int) -> Tensor:
        """E[(x / s)ⁿ]."""
        return exp(lgamma(1 + n * self.concentration_reciprocal))

    @property
    def mean(self) -> Tensor:
        return self.scale * self._moment(1)

    @property
    def mode(self) -> Tensor:
        k = self.concentration
        return self.scale * ((k - 1) / k) ** k.reciprocal()

    @property
    def variance(self) -> Tensor:
        squared = exp(2 * lgamma(1 + self.concentration_reciprocal))
        return self.scale.pow(2) * (self._moment(2) - squared)

    def entropy(self) -> Tensor:
        r = self.concentration_reciprocal
        return euler_constant * (1 - r) + log(self.scale * r) + 1
