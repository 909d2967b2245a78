"""The χ² distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from ..tensor.tensor import Tensor
from . import constraints
from .gamma import Gamma

__all__ = ["Chi2"]


class Chi2(Gamma):
    """The χ² distribution: the sum of squares of k standard normal variables.

    Math: χ²(k) = Γ(k / 2, 1 / 2)

    Sampling: as of `Gamma`.

    Args:
        df: the degrees of freedom k.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Chi2(3.0).mean
        tensor(3.)
    """

    arg_constraints: ClassVar[Any] = {"df": constraints.positive}

    def __init__(self, df: Any, validate_args: bool | None = None) -> None:
        super().__init__(0.5 * df, 0.5, validate_args=validate_args)

    @property
    def df(self) -> Tensor:
        """The degrees of freedom."""
        return self.concentration * 2
