"""Distributions with a location and a scale."""

from __future__ import annotations

from typing import Any, ClassVar

from ..tensor.tensor import Tensor
from . import constraints
from .distribution import Distribution
from .utils import broadcast_all, shape_of

__all__ = ["Located", "LocationScale"]


class Located(Distribution):
    """Base class: symmetric distributions with their mode at the location.

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions.Normal(3.0, 1.0)
        >>> d.loc is d.mean is d.mode
        True
    """

    has_rsample = True
    loc: Tensor

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc


class LocationScale(Located):
    """Base class: univariate distributions with a location and a scale.

    Args:
        loc: the location.
        scale: the width, positive.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Laplace(0.0, 2.0).scale
        tensor(2.)
    """

    arg_constraints: ClassVar[Any] = {
        "loc": constraints.real,
        "scale": constraints.positive,
    }
    support = constraints.real

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(shape_of(loc, scale), validate_args=validate_args)
