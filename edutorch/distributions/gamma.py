"""The gamma distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from .. import dtypes
from ..autograd.modes import no_grad
from ..ops import as_tensor, digamma, lgamma, log, xlogy
from ..ops.pointwise.special_probability import gammainc
from ..ops.sampling.gamma import _standard_gamma
from ..tensor.size import Size
from ..tensor.tensor import Tensor
from . import constraints
from .exp_family import ExponentialFamily

__all__ = ["Gamma"]


class Gamma(ExponentialFamily):
    """The gamma distribution: times until the a-th event at a constant rate.

    Math: p(x) = βᵃ xᵃ⁻¹ exp(-β x) / Γ(a), x > 0

    Sampling: squeezed rejection (Marsaglia and Tsang, 2000); gradients of the shape by
    implicit reparameterisation (Figurnov et al., 2018).

    Args:
        concentration: the shape a.
        rate: events per unit of time, β.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Gamma(2.0, 4.0).mean
        tensor(0.5000)
    """

    arg_constraints: ClassVar[Any] = {
        "concentration": constraints.positive,
        "rate": constraints.positive,
    }
    support = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure = 0
    concentration: Tensor
    rate: Tensor

    def __init__(
        self, concentration: Any, rate: Any, validate_args: bool | None = None
    ) -> None:
        shape = self._set_broadcast(concentration=concentration, rate=rate)
        super().__init__(shape, validate_args=validate_args)

    def _expand_into(self, new: Any, shape: Size) -> None:
        new.concentration = self.concentration.expand(shape)
        new.rate = self.rate.expand(shape)

    @property
    def mean(self) -> Tensor:
        return self.concentration / self.rate

    @property
    def mode(self) -> Tensor:
        return ((self.concentration - 1) / self.rate).clamp(min=0)

    @property
    def variance(self) -> Tensor:
        return self.concentration / self.rate.pow(2)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        drawn = _standard_gamma(self.concentration.expand(shape))
        drawn = drawn / self.rate.expand(shape)
        with no_grad():  # gradients go through as if nothing had been clamped
            drawn.detach().clamp_(min=dtypes.finfo(drawn.dtype).tiny)
        return drawn

    def log_prob(self, value: Tensor) -> Tensor:
        value = as_tensor(value, dtype=self.rate.dtype, device=self.rate.device)
        self._check_value(value)
        a, rate = self.concentration, self.rate
        return xlogy(a, rate) + xlogy(a - 1, value) - rate * value - lgamma(a)

    def cdf(self, value: Tensor) -> Tensor:
        self._check_value(value)
        return gammainc(self.concentration, self.rate * value)

    def entropy(self) -> Tensor:
        a = self.concentration
        return a - log(self.rate) + lgamma(a) + (1.0 - a) * digamma(a)

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return self.concentration - 1, -self.rate

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        x, y = natural_params
        return lgamma(x + 1) + (x + 1) * log(-y.reciprocal())
