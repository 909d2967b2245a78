"""The Wishart distribution."""

from __future__ import annotations

import math
import warnings
from numbers import Number
from typing import Any

from .. import dtypes
from ..linalg import slogdet
from ..ops import (
    arange,
    broadcast_shapes,
    cholesky_solve,
    diag_embed,
    digamma,
    mvlgamma,
    randn,
    tensor,
    tril_indices,
)
from ..tensor.size import Size
from ..tensor.tensor import Tensor
from . import constraints
from .chi2 import Chi2
from .exp_family import ExponentialFamily
from .multivariate_normal import (
    ByMatrix,
    given_matrix,
    half_log_det,
    root_of,
)

__all__ = ["Wishart"]

LN_2 = math.log(2)


class Wishart(ByMatrix, ExponentialFamily):
    """The Wishart distribution: scatter matrices Σ xᵢ xᵢᵀ of ν normal vectors.

    Math: p(X) = |X|^((ν - n - 1)/2) exp(-tr(V⁻¹ X) / 2) / (2^(ν n/2) |V|^(ν/2) Γₙ(ν/2))

    Sampling: L A Aᵀ Lᵀ, L Lᵀ = V, A lower triangular of normal numbers, with roots of
    `Chi2` numbers on the diagonal (Bartlett, 1933).

    Args:
        df: the degrees of freedom ν, more than n - 1.
        covariance_matrix: V; or `precision_matrix`: its inverse; or `scale_tril`: L.

    Raises:
        AssertionError: unless exactly one matrix is given.
        ValueError: for too few degrees of freedom.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Wishart(3.0, torch.eye(2)).mean
        tensor([[3., 0.],
                [0., 3.]])

    Reference: Wishart, "The generalised product moment distribution in samples from a
        normal multivariate population", 1928.
    """

    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(
        self,
        df: Any,
        covariance_matrix: Tensor | None = None,
        precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        found = given_matrix(covariance_matrix, precision_matrix, scale_tril)
        if found is None:
            raise AssertionError(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril "
                "may be specified."
            )
        name, matrix = found
        if matrix.ndim < 2:
            raise ValueError(
                "scale_tril must be at least two-dimensional, with optional leading "
                "batch dimensions"
            )
        batch, event = matrix.shape[:-2], matrix.shape[-2:]
        if isinstance(df, Number):
            self.df = tensor(df, dtype=matrix.dtype, device=matrix.device)
        else:
            batch = Size(broadcast_shapes(batch, df.shape))
            self.df = df.expand(batch)
        self._need_freedom(df, event[-1])
        setattr(self, name, matrix.expand((*batch, -1, -1)))
        super().__init__(batch, event, validate_args=validate_args)
        self._root = root_of(name, matrix)
        self._chi2 = self._diagonal()

    def _need_freedom(self, df: Any, n: int) -> None:
        if (self.df <= n - 1).any():
            raise ValueError(
                f"Value of df={df} expected to be greater than ndim - 1 = {n - 1}."
            )
        if (self.df < n).any():
            warnings.warn(
                "Low df values detected. Singular samples are highly likely to occur "
                "for ndim - 1 < df < ndim.",
                stacklevel=3,
            )

    def _diagonal(self) -> Chi2:
        """The distribution of the squares on the diagonal of A."""
        root, n = self._root, self._event_shape[-1]
        less = arange(n, dtype=root.dtype, device=root.device)
        return Chi2(self.df.unsqueeze(-1) - less.expand((*self._batch_shape, n)))

    @property
    def arg_constraints(self) -> dict[str, Any]:
        """The constraints of the parameters."""
        return {
            "covariance_matrix": constraints.positive_definite,
            "precision_matrix": constraints.positive_definite,
            "scale_tril": constraints.lower_cholesky,
            "df": constraints.greater_than(self.event_shape[-1] - 1),
        }

    def _expand_into(self, new: Any, shape: Size) -> None:
        new._batch_shape, new._event_shape = shape, self._event_shape
        new._root = self._root.expand(shape + self._event_shape)
        self.df.expand(shape)  # an error names its shape, not the matrix's
        super()._expand_into(new, shape)
        new._chi2 = new._diagonal()

    @property
    def _square(self) -> Size:
        return self._batch_shape + self._event_shape

    def _beside_matrices(self, x: Tensor) -> Tensor:
        return x.view((*self._batch_shape, 1, 1))

    @property
    def mean(self) -> Tensor:
        return self._beside_matrices(self.df) * self.covariance_matrix

    @property
    def mode(self) -> Tensor:
        factor = self.df - self._event_shape[-1] - 1
        factor = factor.masked_fill(factor <= 0, math.nan)
        return self._beside_matrices(factor) * self.covariance_matrix

    @property
    def variance(self) -> Tensor:
        v = self.covariance_matrix
        d = v.diagonal(dim1=-2, dim2=-1)
        products = d.unsqueeze(-1) * d.unsqueeze(-2)
        return self._beside_matrices(self.df) * (v.pow(2) + products)

    def _bartlett(self, sample_shape: Any) -> Tensor:
        n = self._event_shape[-1]
        roots = self._chi2.rsample(sample_shape).sqrt()
        roots = roots.clamp(min=dtypes.finfo(roots.dtype).eps)
        a = diag_embed(roots)
        i, j = tril_indices(n, n, offset=-1)
        shape = (*sample_shape, *self._batch_shape, n * (n - 1) // 2)
        a[..., i, j] = randn(shape, dtype=a.dtype, device=a.device)
        root = self._root @ a
        return root @ root.mT

    def rsample(
        self, sample_shape: Any = (), max_try_correction: int | None = None
    ) -> Tensor:
        shape = Size(sample_shape)
        drawn = self._bartlett(shape)
        # As in PyTorch: first those that are positive definite are drawn anew, then
        # those that are not. Another rule would give other numbers from a seed.
        again = self._any_of_batch(self.support.check(drawn))
        if again.any():
            warnings.warn("Singular sample detected.", stacklevel=2)
            tries = 10 if max_try_correction is None else max_try_correction
            for _ in range(tries):
                anew = self._bartlett(again[again].shape)
                drawn[again] = anew
                singular = self._any_of_batch(~self.support.check(anew))
                again[again.clone()] = singular
                if not again.any():
                    break
        return drawn

    def _any_of_batch(self, found: Tensor) -> Tensor:
        dims = [-1 - i for i in range(len(self._batch_shape))]
        return found.amax(dims) if dims else found

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        nu, n = self.df, self._event_shape[-1]
        constant = nu * self._volume() + mvlgamma(nu / 2, n)
        density = (nu - n - 1) / 2 * slogdet(value).logabsdet
        solved = cholesky_solve(value, self._root)
        trace = solved.diagonal(dim1=-2, dim2=-1).sum(-1)
        return density - trace / 2 - constant

    def _volume(self) -> Tensor:
        """Ln |2 V| / 2."""
        return self._event_shape[-1] * LN_2 / 2 + half_log_det(self._root)

    def entropy(self) -> Tensor:
        nu, n = self.df, self._event_shape[-1]
        steps = arange(n, dtype=nu.dtype, device=nu.device).div(2)
        digammas = digamma((nu / 2).unsqueeze(-1) - steps).sum(-1)
        spread = (n + 1) * self._volume() + mvlgamma(nu / 2, n)
        return spread - (nu - n - 1) / 2 * digammas + nu * n / 2

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return -self.precision_matrix / 2, (self.df - self._event_shape[-1] - 1) / 2

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        x, y = natural_params
        n = self._event_shape[-1]
        half_nu = y + (n + 1) / 2
        volume = -slogdet(-2 * x).logabsdet + LN_2 * n
        return half_nu * volume + mvlgamma(half_nu, n)
