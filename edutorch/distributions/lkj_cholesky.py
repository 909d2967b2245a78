"""The LKJ distribution of correlations."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from .. import dtypes
from ..ops import arange, cat, diag_embed, lgamma, mvlgamma, randn, sqrt
from ..tensor.size import Size
from ..tensor.tensor import Tensor
from . import constraints
from .beta import Beta
from .distribution import Distribution

__all__ = ["LKJCholesky"]


class LKJCholesky(Distribution):
    """The LKJ distribution: Cholesky factors L of random correlation matrices.

    Math: p(L) ∝ Π Lᵢᵢ^(n - i + 2 (η - 1)) for i = 2 ... n

    Sampling: rows of random direction, whose lengths are roots of `Beta` numbers: the
    onion method (Lewandowski et al., 2009).

    Args:
        dim: the size n of the matrices.
        concentration: η; 1 makes all correlations equally likely, more is nearer to
            the identity.

    Raises:
        ValueError: for matrices smaller than 2 x 2.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.LKJCholesky(3, 0.5).sample().diagonal().shape
        torch.Size([3])

    Reference: Lewandowski, Kurowicka and Joe, "Generating random correlation matrices
        based on vines and extended onion method", 2009.
    """

    arg_constraints: ClassVar[Any] = {"concentration": constraints.positive}
    support = constraints.corr_cholesky
    concentration: Tensor

    def __init__(
        self, dim: int, concentration: Any = 1.0, validate_args: bool | None = None
    ) -> None:
        if dim < 2:
            raise ValueError(
                "Expected dim to be an integer greater than or equal to 2. Found "
                f"dim={dim}."
            )
        self.dim = dim
        batch = self._set_broadcast(concentration=concentration)
        c = self.concentration
        steps = arange(dim - 1, dtype=c.dtype, device=c.device)
        steps = cat([steps.new_zeros((1,)), steps])  # (dim)
        widths = (c + 0.5 * (dim - 2)).unsqueeze(-1) - 0.5 * steps
        self._beta = Beta(steps + 0.5, widths)
        super().__init__(batch, Size((dim, dim)), validate_args)

    def _expand_into(self, new: Any, shape: Size) -> None:
        super()._expand_into(new, shape)
        new.dim = self.dim
        new._beta = self._beta.expand((*shape, self.dim))

    def sample(self, sample_shape: Any = ()) -> Tensor:
        squares = self._beta.sample(sample_shape).unsqueeze(-1)
        shape = self._extended_shape(sample_shape)
        rows = randn(shape, dtype=squares.dtype, device=squares.device).tril(-1)
        directions = rows / rows.norm(dim=-1, keepdim=True)
        directions[..., 0, :].fill_(0.0)  # the first row has nothing below
        lower = sqrt(squares) * directions
        left = 1 - (lower**2).sum(-1)
        diagonal = left.clamp(min=dtypes.finfo(lower.dtype).tiny).sqrt()
        return lower + diag_embed(diagonal)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        c, n = self.concentration, self.dim
        diagonal = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        order = arange(2, n + 1, device=c.device)
        powers = 2 * (c - 1).unsqueeze(-1) + n - order
        a = c + 0.5 * (n - 1)
        constant = 0.5 * (n - 1) * math.log(math.pi) + mvlgamma(a - 0.5, n - 1)
        constant = constant - lgamma(a) * (n - 1)
        return (powers * diagonal.log()).sum(-1) - constant
