"""The Poisson distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from ..autograd.modes import no_grad
from ..ops import exp, log, poisson
from ..tensor.tensor import Tensor
from . import constraints
from .exp_family import ExponentialFamily
from .utils import broadcast_all, shape_of

__all__ = ["Poisson"]


class Poisson(ExponentialFamily):
    """The Poisson distribution: the number of events where λ are expected.

    Math: p(k) = λᵏ exp(-λ) / k!

    Args:
        rate: the mean λ.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Poisson(1.0).log_prob(torch.tensor(0.0))
        tensor(-1.)
    """

    arg_constraints: ClassVar[Any] = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(shape_of(rate), validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.rate

    @property
    def mode(self) -> Tensor:
        return self.rate.floor()

    @property
    def variance(self) -> Tensor:
        return self.rate

    def sample(self, sample_shape: Any = ()) -> Tensor:
        with no_grad():
            drawn: Tensor = poisson(
                self.rate.expand(self._extended_shape(sample_shape))
            )
        return drawn

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        rate, value = broadcast_all(self.rate, value)
        return value.xlogy(rate) - rate - (value + 1).lgamma()

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return (log(self.rate),)

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        (x,) = natural_params
        return exp(x)
