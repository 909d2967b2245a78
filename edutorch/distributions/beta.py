"""The beta distribution."""

from __future__ import annotations

from numbers import Number
from typing import Any, ClassVar

from ..ops import lgamma, stack, tensor
from ..tensor.size import Size
from ..tensor.tensor import Tensor
from . import constraints
from .dirichlet import Dirichlet
from .exp_family import ExponentialFamily
from .utils import broadcast_all

__all__ = ["Beta"]


class Beta(ExponentialFamily):
    """The beta distribution, on the interval from 0 to 1.

    Math: p(x) = Γ(a + b) / (Γ(a) Γ(b)) · xᵃ⁻¹ (1 - x)ᵇ⁻¹, 0 <= x <= 1

    Sampling: the first entry of a `Dirichlet` sample of a and b.

    Args:
        concentration1: a, positive.
        concentration0: b, positive.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Beta(1.0, 3.0).mean
        tensor(0.2500)
    """

    arg_constraints: ClassVar[Any] = {
        "concentration1": constraints.positive,
        "concentration0": constraints.positive,
    }
    support = constraints.unit_interval
    has_rsample = True

    def __init__(
        self,
        concentration1: Any,
        concentration0: Any,
        validate_args: bool | None = None,
    ) -> None:
        given = concentration1, concentration0
        if all(isinstance(c, Number) for c in given):
            both = tensor([float(c) for c in given])
        else:
            both = stack(broadcast_all(*given), -1)
        self._dirichlet = Dirichlet(both, validate_args=validate_args)
        super().__init__(self._dirichlet.batch_shape, validate_args=validate_args)

    def _expand_into(self, new: Any, shape: Size) -> None:
        new._dirichlet = self._dirichlet.expand(shape)

    @property
    def concentration1(self) -> Tensor:
        """The parameter a of the outcome 1."""
        return self._dirichlet.concentration[..., 0]

    @property
    def concentration0(self) -> Tensor:
        """The parameter b of the outcome 0."""
        return self._dirichlet.concentration[..., 1]

    @property
    def mean(self) -> Tensor:
        return self.concentration1 / (self.concentration1 + self.concentration0)

    @property
    def mode(self) -> Tensor:
        return self._dirichlet.mode[..., 0]

    @property
    def variance(self) -> Tensor:
        a, b = self.concentration1, self.concentration0
        return a * b / ((a + b).pow(2) * (a + b + 1))

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        return self._dirichlet.rsample(sample_shape).select(-1, 0)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        return self._dirichlet.log_prob(stack([value, 1.0 - value], -1))

    def entropy(self) -> Tensor:
        return self._dirichlet.entropy()

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return self.concentration1, self.concentration0

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        x, y = natural_params
        return lgamma(x) + lgamma(y) - lgamma(x + y)
