"""Transforms of single numbers."""

from __future__ import annotations

import math
from numbers import Number
from typing import Any

from ... import dtypes
from ...nn.functional import softplus
from ...ops import atanh, broadcast_shapes, full_like
from ...tensor.tensor import Tensor
from .. import constraints
from ..utils import broadcast_all, lazy_property
from .base import Stateless, Transform

__all__ = [
    "AbsTransform", "AffineTransform", "CumulativeDistributionTransform",
    "ExpTransform", "PowerTransform", "SigmoidTransform", "SoftplusTransform",
    "TanhTransform",
]  # fmt: skip


def inside_unit_interval(p: Tensor) -> Tensor:
    """Numbers that are neither 0 nor 1."""
    info = dtypes.finfo(p.dtype)
    return p.clamp(min=info.tiny, max=1.0 - info.eps)


class _Rising(Stateless):
    """Bijections that rise."""

    domain = constraints.real
    bijective = True
    sign = 1


class ExpTransform(_Rising):
    """The exponential.

    Math: y = exp(x)      ln |dy/dx| = x

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.ExpTransform()(torch.tensor(0.0))
        tensor(1.)
    """

    codomain = constraints.positive

    def _call(self, x: Tensor) -> Tensor:
        return x.exp()

    def _inverse(self, y: Tensor) -> Tensor:
        return y.log()

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return x


class SigmoidTransform(_Rising):
    """The logistic function, kept away from 0 and 1.

    Math: y = 1 / (1 + exp(-x))      ln |dy/dx| = ln y + ln(1 - y)

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.SigmoidTransform()(torch.tensor(0.0))
        tensor(0.5000)
    """

    codomain = constraints.unit_interval

    def _call(self, x: Tensor) -> Tensor:
        return inside_unit_interval(x.sigmoid())

    def _inverse(self, y: Tensor) -> Tensor:
        y = inside_unit_interval(y)
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return -softplus(-x) - softplus(x)


class SoftplusTransform(_Rising):
    """The soft positive part.

    Math: y = ln(1 + exp(x))      ln |dy/dx| = -ln(1 + exp(-x))

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.SoftplusTransform()(torch.tensor(0.0))
        tensor(0.6931)
    """

    codomain = constraints.positive

    def _call(self, x: Tensor) -> Tensor:
        return softplus(x)

    def _inverse(self, y: Tensor) -> Tensor:
        return (-y).expm1().neg().log() + y

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return -softplus(-x)


class TanhTransform(_Rising):
    """The hyperbolic tangent.

    Math: y = tanh(x)      ln |dy/dx| = 2 (ln 2 - x - ln(1 + exp(-2x)))

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.TanhTransform()(torch.tensor(0.0))
        tensor(0.)
    """

    codomain = constraints.interval(-1.0, 1.0)

    def _call(self, x: Tensor) -> Tensor:
        return x.tanh()

    def _inverse(self, y: Tensor) -> Tensor:
        return atanh(y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        # 1 - y² loses all digits where y is near 1; this does not.
        return 2.0 * (math.log(2.0) - x - softplus(-2.0 * x))


class AbsTransform(Stateless):
    """The absolute value; backwards the positive one of two numbers.

    Math: y = |x|

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.AbsTransform()(torch.tensor(-2.0))
        tensor(2.)
    """

    domain = constraints.real
    codomain = constraints.positive

    def _call(self, x: Tensor) -> Tensor:
        return x.abs()

    def _inverse(self, y: Tensor) -> Tensor:
        return y


class PowerTransform(Transform):
    """A power of positive numbers.

    Math: y = xᵃ      ln |dy/dx| = ln |a y / x|

    Args:
        exponent: a, a number or a tensor.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.PowerTransform(2.0)(torch.tensor(3.0))
        tensor(9.)
    """

    domain = constraints.positive
    codomain = constraints.positive
    bijective = True

    def __init__(self, exponent: Any, cache_size: int = 0) -> None:
        super().__init__(cache_size=cache_size)
        (self.exponent,) = broadcast_all(exponent)

    def _copied(self, cache_size: int) -> Transform:
        return PowerTransform(self.exponent, cache_size=cache_size)

    @lazy_property
    def sign(self) -> Tensor:
        """Whether the function rises (1) or falls (-1)."""
        return self.exponent.sign()

    def _equals(self, other: object) -> bool:
        return isinstance(other, PowerTransform) and _same(
            self.exponent, other.exponent
        )

    def _call(self, x: Tensor) -> Tensor:
        return x.pow(self.exponent)

    def _inverse(self, y: Tensor) -> Tensor:
        return y.pow(1 / self.exponent)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return (self.exponent * y / x).abs().log()

    def forward_shape(self, shape: Any) -> Any:
        return broadcast_shapes(shape, self.exponent.shape)

    inverse_shape = forward_shape


def _same(x: Any, y: Any) -> bool:
    """Whether two numbers or tensors are equal everywhere."""
    found = x == y
    return bool(found.all().item() if isinstance(found, Tensor) else found)


class AffineTransform(Transform):
    """Stretching and moving.

    Math: y = loc + scale · x      ln |dy/dx| = ln |scale|

    Args:
        loc: where 0 goes.
        scale: the factor, not 0.
        event_dim: how many of the last dimensions make up one event.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.AffineTransform(1.0, 2.0)(torch.tensor(3.0))
        tensor(7.)
    """

    bijective = True

    def __init__(
        self, loc: Any, scale: Any, event_dim: int = 0, cache_size: int = 0
    ) -> None:
        super().__init__(cache_size=cache_size)
        self.loc, self.scale, self._event_dim = loc, scale, event_dim

    @property
    def event_dim(self) -> int:
        return self._event_dim

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        """All numbers, or tensors of them."""
        n = self._event_dim
        return constraints.independent(constraints.real, n) if n else constraints.real

    codomain = domain

    def _copied(self, cache_size: int) -> Transform:
        return AffineTransform(
            self.loc, self.scale, self._event_dim, cache_size=cache_size
        )

    def _equals(self, other: object) -> bool:
        return (
            isinstance(other, AffineTransform)
            and _same(self.loc, other.loc)
            and _same(self.scale, other.scale)
        )

    @property
    def sign(self) -> Any:
        if isinstance(self.scale, Tensor):
            return self.scale.sign()
        return (self.scale > 0) - (self.scale < 0)

    def _call(self, x: Tensor) -> Tensor:
        y: Tensor = self.loc + self.scale * x
        return y

    def _inverse(self, y: Tensor) -> Tensor:
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        if isinstance(self.scale, Number):
            found = full_like(x, math.log(abs(self.scale)))  # type: ignore[arg-type]  # no complex scale
        else:
            found = self.scale.abs().log()
        n, shape = self._event_dim, x.shape
        if n:
            found = found.view((*found.shape[:-n], -1)).sum(-1)
            shape = shape[:-n]
        return found.expand(shape)

    def forward_shape(self, shape: Any) -> Any:
        parameters = (getattr(v, "shape", ()) for v in (self.loc, self.scale))
        return broadcast_shapes(shape, *parameters)

    inverse_shape = forward_shape


class CumulativeDistributionTransform(Transform):
    """The cumulative distribution function of a distribution of numbers.

    Math: y = F(x)      ln |dy/dx| = ln p(x)

    Args:
        distribution: it must have `cdf`, and `icdf` for the inverse.

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions
        >>> to_uniform = d.CumulativeDistributionTransform(d.Normal(0.0, 1.0))
        >>> to_uniform(torch.tensor(0.0))
        tensor(0.5000)
    """

    bijective = True
    codomain = constraints.unit_interval
    sign = 1

    def __init__(self, distribution: Any, cache_size: int = 0) -> None:
        super().__init__(cache_size=cache_size)
        self.distribution = distribution

    @property
    def domain(self) -> Any:
        """The support of the distribution."""
        return self.distribution.support

    def _copied(self, cache_size: int) -> Transform:
        return CumulativeDistributionTransform(self.distribution, cache_size=cache_size)

    def _call(self, x: Tensor) -> Tensor:
        y: Tensor = self.distribution.cdf(x)
        return y

    def _inverse(self, y: Tensor) -> Tensor:
        x: Tensor = self.distribution.icdf(y)
        return x

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        found: Tensor = self.distribution.log_prob(x)
        return found
