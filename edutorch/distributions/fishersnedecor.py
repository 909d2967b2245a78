"""The F distribution."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from .. import dtypes
from ..ops import lgamma, log, log1p
from ..tensor.size import Size
from ..tensor.tensor import Tensor
from . import constraints
from .distribution import Distribution
from .gamma import Gamma

__all__ = ["FisherSnedecor"]


class FisherSnedecor(Distribution):
    """The F distribution: the ratio of two estimates of a variance.

    Math: F = (χ²(m) / m) / (χ²(n) / n), F > 0

    Sampling: the ratio of two samples of `Gamma`.

    Args:
        df1: the degrees of freedom m above.
        df2: those below, n.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.FisherSnedecor(2.0, 4.0).mean
        tensor(2.)
    """

    arg_constraints: ClassVar[Any] = {
        "df1": constraints.positive,
        "df2": constraints.positive,
    }
    support = constraints.positive
    has_rsample = True
    df1: Tensor
    df2: Tensor

    def __init__(self, df1: Any, df2: Any, validate_args: bool | None = None) -> None:
        shape = self._set_broadcast(df1=df1, df2=df2)
        self._gamma1 = Gamma(self.df1 * 0.5, self.df1)
        self._gamma2 = Gamma(self.df2 * 0.5, self.df2)
        super().__init__(shape, validate_args=validate_args)

    def _expand_into(self, new: Any, shape: Size) -> None:
        super()._expand_into(new, shape)
        new._gamma1 = self._gamma1.expand(shape)
        new._gamma2 = self._gamma2.expand(shape)

    @property
    def mean(self) -> Tensor:
        n = self.df2.masked_fill(self.df2 <= 2, math.nan)
        return n / (n - 2)

    @property
    def mode(self) -> Tensor:
        found = (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2)
        return found.masked_fill(self.df1 <= 2, math.nan)

    @property
    def variance(self) -> Tensor:
        m, n = self.df1, self.df2.masked_fill(self.df2 <= 4, math.nan)
        return 2 * n.pow(2) * (m + n - 2) / (m * (n - 2).pow(2) * (n - 4))

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        above = self._gamma1.rsample(sample_shape)
        below = self._gamma2.rsample(sample_shape)
        tiny = dtypes.finfo(below.dtype).tiny
        return (above / below.clamp(min=tiny)).clamp(min=tiny)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        a, b, ratio = self.df1 * 0.5, self.df2 * 0.5, self.df1 / self.df2
        constant = lgamma(a + b) - lgamma(a) - lgamma(b)
        powers = a * ratio.log() + (a - 1) * log(value)
        return constant + powers - (a + b) * log1p(ratio * value)
