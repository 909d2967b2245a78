"""The exponential distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from ..ops import empty, exp, log, log1p, zeros_like
from ..tensor.tensor import Tensor
from . import constraints
from .exp_family import ExponentialFamily
from .utils import broadcast_all, shape_of

__all__ = ["Exponential"]


class Exponential(ExponentialFamily):
    """The exponential distribution: times between events at a constant rate.

    Math: p(x) = λ exp(-λ x)

    Args:
        rate: events per unit of time, λ.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Exponential(2.0).mean
        tensor(0.5000)
    """

    arg_constraints: ClassVar[Any] = {"rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(shape_of(rate), validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.rate.reciprocal()

    @property
    def mode(self) -> Tensor:
        return zeros_like(self.rate)

    @property
    def stddev(self) -> Tensor:
        return self.rate.reciprocal()

    @property
    def variance(self) -> Tensor:
        return self.rate.pow(-2)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        drawn = empty(shape, dtype=self.rate.dtype, device=self.rate.device)
        return drawn.exponential_() / self.rate

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        return self.rate.log() - self.rate * value

    def cdf(self, value: Tensor) -> Tensor:
        self._check_value(value)
        return 1 - exp(-self.rate * value)

    def icdf(self, value: Tensor) -> Tensor:
        return -log1p(-value) / self.rate

    def entropy(self) -> Tensor:
        return 1.0 - log(self.rate)

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return (-self.rate,)

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        (x,) = natural_params
        return -log(-x)
