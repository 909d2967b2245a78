"""The Gumbel distribution."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from .. import dtypes
from ..ops import full_like, ones_like
from ..tensor.tensor import Tensor
from . import constraints
from .transformed_distribution import TransformedDistribution
from .transforms import AffineTransform, ExpTransform
from .uniform import Uniform
from .utils import euler_constant

__all__ = ["Gumbel"]


class Gumbel(TransformedDistribution):
    """The distribution of maxima, for example of yearly floods.

    Math: p(x) = exp(-z - exp(-z)) / s, z = (x - m) / s

    Sampling: x = m - s ln(-ln u) of uniform u.

    Args:
        loc: the mode m.
        scale: the width s.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Gumbel(0.0, 1.0).mean
        tensor(0.5772)
    """

    arg_constraints: ClassVar[Any] = {
        "loc": constraints.real,
        "scale": constraints.positive,
    }
    support = constraints.real
    loc: Tensor
    scale: Tensor

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self._set_broadcast(loc=loc, scale=scale)
        info = dtypes.finfo(self.loc.dtype)
        low, high = (full_like(self.loc, end) for end in (info.tiny, 1 - info.eps))
        base = Uniform(low, high, validate_args=validate_args)
        logarithm = ExpTransform().inv
        steps = [
            logarithm,
            AffineTransform(loc=0, scale=-ones_like(self.scale)),
            ExpTransform().inv,
            AffineTransform(loc=loc, scale=-self.scale),
        ]
        super().__init__(base, steps, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.loc + self.scale * euler_constant

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def stddev(self) -> Tensor:
        return math.pi / math.sqrt(6) * self.scale

    @property
    def variance(self) -> Tensor:
        return self.stddev.pow(2)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        z = (self.loc - value) / self.scale
        return z - z.exp() - self.scale.log()

    def entropy(self) -> Tensor:
        return self.scale.log() + (1 + euler_constant)
