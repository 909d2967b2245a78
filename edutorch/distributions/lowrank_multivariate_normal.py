"""The multivariate normal distribution with a low-rank covariance."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from ..linalg import cholesky, solve_triangular
from ..ops import broadcast_tensors, diag_embed
from ..tensor.size import Size
from ..tensor.tensor import Tensor
from . import constraints
from .location_scale import Located
from .multivariate_normal import half_log_det, mahalanobis
from .utils import _standard_normal, lazy_property

__all__ = ["LowRankMultivariateNormal"]


class LowRankMultivariateNormal(Located):
    """The multivariate normal with a covariance of low rank plus a diagonal.

    Determinant and inverse are those of a small matrix, the capacitance.

    Math: Σ = W Wᵀ + D, C = I + Wᵀ D⁻¹ W: |Σ| = |C| |D|, Σ⁻¹ = D⁻¹ - D⁻¹ W C⁻¹ Wᵀ D⁻¹

    Sampling: μ + W ε + √D δ of independent standard normal ε and δ.

    Args:
        loc: the mean μ, (*, n).
        cov_factor: W, (*, n, m).
        cov_diag: the diagonal of D, (*, n), positive.

    Raises:
        ValueError: for shapes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions.LowRankMultivariateNormal
        >>> d(torch.zeros(2), torch.ones(2, 1), torch.ones(2)).covariance_matrix
        tensor([[2., 1.],
                [1., 2.]])

    Reference: Woodbury, "Inverting modified matrices", 1950.
    """

    arg_constraints: ClassVar[Any] = {
        "loc": constraints.real_vector,
        "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }
    support = constraints.real_vector

    def __init__(
        self,
        loc: Tensor,
        cov_factor: Tensor,
        cov_diag: Tensor,
        validate_args: bool | None = None,
    ) -> None:
        _need_shapes(loc, cov_factor, cov_diag)
        try:
            wide, self.cov_factor, diagonal = broadcast_tensors(
                loc.unsqueeze(-1), cov_factor, cov_diag.unsqueeze(-1)
            )
        except RuntimeError as error:
            raise ValueError(
                f"Incompatible batch shapes: loc {loc.shape}, cov_factor "
                f"{cov_factor.shape}, cov_diag {cov_diag.shape}"
            ) from error
        self.loc, self.cov_diag = wide[..., 0], diagonal[..., 0]
        self._factor, self._diagonal = cov_factor, cov_diag  # not yet expanded
        self._capacitance = cholesky(_plus_one(self._weighted() @ cov_factor))
        shape = self.loc.shape
        super().__init__(shape[:-1], shape[-1:], validate_args=validate_args)

    def _expand_into(self, new: Any, shape: Size) -> None:
        super()._expand_into(new, shape)
        new._factor, new._diagonal = self._factor, self._diagonal
        new._capacitance = self._capacitance

    def _weighted(self) -> Tensor:
        """Wᵀ D⁻¹."""
        return self._factor.mT / self._diagonal.unsqueeze(-2)

    def _common(self) -> Tensor:
        """A with Aᵀ A = D⁻¹ W C⁻¹ Wᵀ D⁻¹."""
        return solve_triangular(self._capacitance, self._weighted(), upper=False)

    def _log_det(self) -> Tensor:
        """Ln |Σ|."""
        return 2 * half_log_det(self._capacitance) + self._diagonal.log().sum(-1)

    def _distance(self, x: Tensor) -> Tensor:
        """xᵀ Σ⁻¹ x."""
        diagonal_term = (x.pow(2) / self._diagonal).sum(-1)
        along = (self._weighted() @ x.unsqueeze(-1)).squeeze(-1)
        return diagonal_term - mahalanobis(self._capacitance, along)

    @property
    def _square(self) -> Size:
        return self._batch_shape + self._event_shape + self._event_shape

    @lazy_property
    def variance(self) -> Tensor:
        """The diagonal of the covariance."""
        found = self._factor.pow(2).sum(-1) + self._diagonal
        return found.expand(self._batch_shape + self._event_shape)

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The lower triangular root of the covariance."""
        root = self._diagonal.sqrt().unsqueeze(-1)
        scaled = self._factor / root
        return (root * cholesky(_plus_one(scaled @ scaled.mT))).expand(self._square)

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """The covariance Σ."""
        found = self._factor @ self._factor.mT + diag_embed(self._diagonal)
        return found.expand(self._square)

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance."""
        common = self._common()
        found = diag_embed(self._diagonal.reciprocal()) - common.mT @ common
        return found.expand(self._square)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape, loc = self._extended_shape(sample_shape), self.loc
        few = shape[:-1] + self.cov_factor.shape[-1:]
        factors = _standard_normal(few, loc.dtype, loc.device)
        own = _standard_normal(shape, loc.dtype, loc.device)
        common = (self._factor @ factors.unsqueeze(-1)).squeeze(-1)
        return loc + common + self._diagonal.sqrt() * own

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        constant = self._event_shape[0] * math.log(2 * math.pi)
        return -0.5 * (constant + self._log_det() + self._distance(value - self.loc))

    def entropy(self) -> Tensor:
        constant = self._event_shape[0] * (1.0 + math.log(2 * math.pi))
        found = 0.5 * (constant + self._log_det())
        return found.expand(self._batch_shape) if self._batch_shape else found


def _plus_one(matrix: Tensor) -> Tensor:
    """The matrix plus the identity."""
    return matrix + diag_embed(matrix.new_ones(matrix.shape[-1:]))


def _need_shapes(loc: Tensor, cov_factor: Tensor, cov_diag: Tensor) -> None:
    if loc.ndim < 1:
        raise ValueError("loc must be at least one-dimensional.")
    event = loc.shape[-1:]
    if cov_factor.ndim < 2:
        raise ValueError(
            "cov_factor must be at least two-dimensional, with optional leading batch "
            "dimensions"
        )
    if cov_factor.shape[-2:-1] != event:
        raise ValueError(
            f"cov_factor must be a batch of matrices with shape {event[0]} x m"
        )
    if cov_diag.shape[-1:] != event:
        raise ValueError(f"cov_diag must be a batch of vectors with shape {event}")
