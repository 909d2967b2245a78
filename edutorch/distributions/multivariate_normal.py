"""The multivariate normal distribution."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from ..linalg import cholesky, solve_triangular
from ..ops import broadcast_shapes, cholesky_inverse, eye
from ..tensor.size import Size
from ..tensor.tensor import Tensor
from . import constraints
from .distribution import Distribution
from .location_scale import Located
from .utils import _standard_normal, lazy_property

__all__ = [
    "ByMatrix", "MultivariateNormal", "given_matrix", "half_log_det", "mahalanobis",
    "root_of",
]  # fmt: skip

MATRICES = ("covariance_matrix", "precision_matrix", "scale_tril")


def mahalanobis(scale_tril: Tensor, x: Tensor) -> Tensor:
    """Squared lengths of vectors in units of standard deviations: |L⁻¹ x|².

    Shape: (*, n, n), (*, n) -> (*), broadcast
    """
    z = solve_triangular(scale_tril, x.unsqueeze(-1), upper=False)
    return z.squeeze(-1).pow(2).sum(-1)


def half_log_det(scale_tril: Tensor) -> Tensor:
    """Half the logarithm of the covariance's determinant."""
    return scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)


def _inverse_root(precision: Tensor) -> Tensor:
    """The lower triangular L with L Lᵀ = precision⁻¹."""
    flipped = cholesky(precision.flip(-2, -1))
    upper = flipped.flip(-2, -1).mT  # its inverse is the root, triangular too
    one = eye(precision.shape[-1], dtype=precision.dtype, device=precision.device)
    return solve_triangular(upper, one, upper=False)


def given_matrix(*every: Tensor | None) -> tuple[str, Tensor] | None:
    """Which of three matrices is given, and the matrix; None unless it is one."""
    given = [(k, v) for k, v in zip(MATRICES, every, strict=True) if v is not None]
    return given[0] if len(given) == 1 else None


class ByMatrix(Distribution):
    """Base class: distributions with a covariance, precision or Cholesky factor.

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions.Wishart(3.0, scale_tril=2 * torch.eye(2))
        >>> d.covariance_matrix
        tensor([[4., 0.],
                [0., 4.]])
    """

    _root: Tensor

    @property
    def _square(self) -> Size:
        """The shape of all matrices."""
        raise NotImplementedError

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The lower triangular root of the covariance."""
        return self._root.expand(self._square)

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """The covariance."""
        return (self._root @ self._root.mT).expand(self._square)

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance."""
        return cholesky_inverse(self._root).expand(self._square)


class MultivariateNormal(ByMatrix, Located):
    """The multivariate normal distribution.

    Math: x = μ + L ε, with L Lᵀ = Σ and ε of independent standard normal numbers

    Args:
        loc: the mean μ, at least one-dimensional.
        covariance_matrix: Σ; or `precision_matrix`: its inverse; or `scale_tril`: L.

    Raises:
        ValueError: unless exactly one matrix is given.

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions.MultivariateNormal(torch.zeros(2), torch.eye(2))
        >>> d.log_prob(torch.zeros(2))
        tensor(-1.8379)
    """

    arg_constraints: ClassVar[Any] = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    support = constraints.real_vector

    def __init__(
        self,
        loc: Tensor,
        covariance_matrix: Tensor | None = None,
        precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        if loc.ndim < 1:
            raise ValueError("loc must be at least one-dimensional.")
        found = given_matrix(covariance_matrix, precision_matrix, scale_tril)
        if found is None:
            raise ValueError(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril "
                "may be specified."
            )
        name, matrix = found
        if matrix.ndim < 2:
            subject = "scale_tril matrix" if name == "scale_tril" else name
            raise ValueError(
                f"{subject} must be at least two-dimensional, with optional leading "
                "batch dimensions"
            )
        batch = Size(broadcast_shapes(matrix.shape[:-2], loc.shape[:-1]))
        setattr(self, name, matrix.expand((*batch, -1, -1)))
        self.loc = loc.expand((*batch, -1))
        super().__init__(batch, self.loc.shape[-1:], validate_args=validate_args)
        self._root = root_of(name, matrix)

    def _expand_into(self, new: Any, shape: Size) -> None:
        super()._expand_into(new, shape)
        new._root = self._root

    @property
    def _square(self) -> Size:
        return self._batch_shape + self._event_shape + self._event_shape

    @property
    def variance(self) -> Tensor:
        shape = self._batch_shape + self._event_shape
        return self._root.pow(2).sum(-1).expand(shape)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        eps = _standard_normal(
            self._extended_shape(sample_shape), self.loc.dtype, self.loc.device
        )
        return self.loc + (self._root @ eps.unsqueeze(-1)).squeeze(-1)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        n = self._event_shape[0]
        squared = mahalanobis(self._root, value - self.loc)
        return -0.5 * (n * math.log(2 * math.pi) + squared) - half_log_det(self._root)

    def entropy(self) -> Tensor:
        n = self._event_shape[0]
        found = 0.5 * n * (1.0 + math.log(2 * math.pi)) + half_log_det(self._root)
        return found.expand(self._batch_shape) if self._batch_shape else found


def root_of(name: str, matrix: Tensor) -> Tensor:
    """The lower triangular root of the covariance, not yet expanded."""
    if name == "scale_tril":
        return matrix
    return cholesky(matrix) if name == "covariance_matrix" else _inverse_root(matrix)
