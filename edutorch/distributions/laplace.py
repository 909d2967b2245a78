"""The Laplace distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from .. import dtypes
from ..ops import empty, expm1, log, log1p
from ..tensor.tensor import Tensor
from . import constraints
from .distribution import Distribution
from .utils import broadcast_all, shape_of

__all__ = ["Laplace"]


class Laplace(Distribution):
    """Two exponential distributions, back to back.

    Math: p(x) = exp(-|x - μ| / b) / 2b

    Args:
        loc: the mean μ.
        scale: the mean distance from it, b.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Laplace(0.0, 0.5).log_prob(torch.tensor(0.0)).exp()
        tensor(1.)
    """

    arg_constraints: ClassVar[Any] = {
        "loc": constraints.real,
        "scale": constraints.positive,
    }
    support = constraints.real
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(shape_of(loc, scale), validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        return 2 * self.scale.pow(2)

    @property
    def stddev(self) -> Tensor:
        return (2**0.5) * self.scale

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        drawn = empty(shape, dtype=self.loc.dtype, device=self.loc.device)
        # From above -1: the logarithm below stays finite.
        u = drawn.uniform_(dtypes.finfo(self.loc.dtype).eps - 1, 1)
        return self.loc - self.scale * u.sign() * log1p(-u.abs())

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        return -log(2 * self.scale) - (value - self.loc).abs() / self.scale

    def cdf(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        d = value - self.loc
        return 0.5 - 0.5 * d.sign() * expm1(-d.abs() / self.scale)

    def icdf(self, value: Tensor) -> Tensor:
        d = value - 0.5
        return self.loc - self.scale * d.sign() * log1p(-2 * d.abs())

    def entropy(self) -> Tensor:
        return 1 + log(2 * self.scale)
