"""The von Mises distribution."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from ..autograd.modes import no_grad
from ..ops import cos, empty, rand, where, zeros
from ..tensor.tensor import Tensor
from . import constraints
from .location_scale import Located
from .utils import lazy_property

__all__ = ["VonMises"]

# Modified Bessel functions of order 0 and 1: below 3.75 power series in (x / 3.75)²
# (for order 1 of I₁(x) / x), above of √x exp(-x) I(x) in 3.75 / x.
# Abramowitz and Stegun, 1964, 9.8.1 to 9.8.4.
BELOW = (
    (1.0, 3.5156229, 3.0899424, 1.2067492, 0.2659732, 0.0360768, 0.0045813),
    (0.5, 0.87890594, 0.51498869, 0.15084934, 0.02658733, 0.00301532, 0.00032411),
)
ABOVE = (
    (
        0.39894228, 0.01328592, 0.00225319, -0.00157565, 0.00916281, -0.02057706,
        0.02635537, -0.01647633, 0.00392377,
    ),
    (
        0.39894228, -0.03988024, -0.00362018, 0.00163801, -0.01031555, 0.02282967,
        -0.02895312, 0.01787654, -0.00420059,
    ),
)  # fmt: skip


def _polynomial(x: Tensor, coefficients: tuple[float, ...]) -> Tensor:
    """Σ cᵢ xⁱ (Horner, 1819)."""
    *rest, last = coefficients
    found: Any = last
    for c in reversed(rest):
        found = c + x * found
    return found


def _log_bessel(x: Tensor, order: int) -> Tensor:
    """Ln I(x) of order 0 or 1."""
    below = _polynomial((x / 3.75) ** 2, BELOW[order])
    if order == 1:
        below = x.abs() * below
    above = x - 0.5 * x.log() + _polynomial(3.75 / x, ABOVE[order]).log()
    return where(x < 3.75, below.log(), above)


class VonMises(Located):
    """The von Mises distribution: angles around a direction.

    Math: p(x) = exp(κ cos(x - μ)) / (2π I₀(κ)), -π <= x < π

    Sampling: rejection of wrapped Cauchy angles, in float64 (Best and Fisher, 1979).

    Args:
        loc: the direction μ, an angle.
        concentration: κ; angles are nearer to it, the larger it is.

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions.VonMises(torch.tensor(0.0), torch.tensor(1.0))
        >>> d.log_prob(torch.tensor(0.0)).exp()
        tensor(0.3417)

    Reference: Best and Fisher, "Efficient simulation of the von Mises distribution",
        1979.
    """

    arg_constraints: ClassVar[Any] = {
        "loc": constraints.real,
        "concentration": constraints.positive,
    }
    support = constraints.real
    has_rsample = False
    concentration: Tensor

    def __init__(
        self, loc: Any, concentration: Any, validate_args: bool | None = None
    ) -> None:
        shape = self._set_broadcast(loc=loc, concentration=concentration)
        super().__init__(shape, validate_args=validate_args)

    @lazy_property
    def variance(self) -> Tensor:
        """The circular variance 1 - E[cos(x - μ)], from 0 to 1."""
        c = self.concentration
        return 1 - (_log_bessel(c, 1) - _log_bessel(c, 0)).exp()

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        near = self.concentration * cos(value - self.loc)
        return near - math.log(2 * math.pi) - _log_bessel(self.concentration, 0)

    @lazy_property
    def _proposal(self) -> Tensor:
        """The parameter of the wrapped Cauchy distribution that is proposed."""
        k = self.concentration.double()
        tau = 1 + (1 + 4 * k**2).sqrt()
        rho = (tau - (2 * tau).sqrt()) / (2 * k)
        exact = (1 + rho**2) / (2 * rho)
        return where(k < 1e-5, 1 / k + k, exact)  # where rho loses its digits

    def sample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        with no_grad():
            centre = self.loc.double()
            angle = self._centred_angles(shape, centre) + math.pi + centre
            return (angle % (2 * math.pi) - math.pi).to(self.loc.dtype)

    def _centred_angles(self, shape: Any, like: Tensor) -> Tensor:
        """Angles around 0: all are drawn anew until each has been accepted once."""
        k, r = self.concentration.double(), self._proposal
        x = empty(shape, dtype=like.dtype, device=like.device)
        done = zeros(shape, dtype=bool, device=like.device)
        while not done.all():
            u1, u2, u3 = rand((3, *shape), dtype=like.dtype, device=like.device)
            z = cos(math.pi * u1)
            f = (1 + r * z) / (r + z)
            c = k * (r - f)
            accepted = (c * (2 - c) - u2 > 0) | ((c / u2).log() + 1 - c >= 0)
            x = where(accepted, (u3 - 0.5).sign() * f.acos(), x)
            done = done | accepted
        return x
