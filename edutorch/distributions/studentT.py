# noqa: N999 (the name of PyTorch's module)
"""Student's t distribution."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from ..ops import digamma, full_like, lgamma, log1p, rsqrt, where
from ..tensor.size import Size
from ..tensor.tensor import Tensor
from . import constraints
from .chi2 import Chi2
from .distribution import Distribution
from .utils import _standard_normal

__all__ = ["StudentT"]


class StudentT(Distribution):
    """Student's t distribution.

    Math: p(x) = Γ((n + 1)/2) / (Γ(n/2) √(π n) s) · (1 + z²/n)^(-(n + 1)/2),
          z = (x - m) / s

    Sampling: a normal number over √(c / n), c a sample of `Chi2`.

    Args:
        df: the degrees of freedom n.
        loc: the centre m.
        scale: the width s.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.StudentT(4.0).variance
        tensor(2.)

    Reference: Student, "The probable error of a mean", 1908.
    """

    arg_constraints: ClassVar[Any] = {
        "df": constraints.positive,
        "loc": constraints.real,
        "scale": constraints.positive,
    }
    support = constraints.real
    has_rsample = True
    df: Tensor
    loc: Tensor
    scale: Tensor

    def __init__(
        self,
        df: Any,
        loc: Any = 0.0,
        scale: Any = 1.0,
        validate_args: bool | None = None,
    ) -> None:
        shape = self._set_broadcast(df=df, loc=loc, scale=scale)
        self._chi2 = Chi2(self.df)
        super().__init__(shape, validate_args=validate_args)

    def _expand_into(self, new: Any, shape: Size) -> None:
        super()._expand_into(new, shape)
        new._chi2 = self._chi2.expand(shape)

    @property
    def mean(self) -> Tensor:
        return self.loc.masked_fill(self.df <= 1, math.nan)

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        n, finite = self.df, self.df > 2
        safe = where(finite, n, full_like(n, 3))
        found = where(finite, self.scale.pow(2) * safe / (safe - 2), math.inf)
        return found.masked_fill(n <= 1, math.nan)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        n, shape = self.df, self._extended_shape(sample_shape)
        x = _standard_normal(shape, n.dtype, n.device)
        z = self._chi2.rsample(sample_shape)
        return self.loc + self.scale * (x * rsqrt(z / n))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        n, z = self.df, (value - self.loc) / self.scale
        width = self.scale.log() + 0.5 * n.log() + 0.5 * math.log(math.pi)
        constant = width + lgamma(0.5 * n) - lgamma(0.5 * (n + 1.0))
        return -0.5 * (n + 1.0) * log1p(z**2.0 / n) - constant

    def entropy(self) -> Tensor:
        a, b = 0.5 * self.df, 0.5 * (self.df + 1)
        log_beta = lgamma(a) + math.lgamma(0.5) - lgamma(b)
        tails = b * (digamma(b) - digamma(a))
        return self.scale.log() + tails + 0.5 * self.df.log() + log_beta
