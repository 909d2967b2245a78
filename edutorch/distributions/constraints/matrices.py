"""Sets of matrices."""

from __future__ import annotations

from ... import dtypes
from ...linalg import cholesky_ex, eigvalsh, norm
from ...ops import full, isclose
from ...tensor.tensor import Tensor
from .base import Constraint

__all__: list[str] = []


class _Matrix(Constraint):
    """Sets of matrices."""

    event_dim = 2


class _LowerTriangular(_Matrix):
    """Lower triangular matrices."""

    def check(self, value: Tensor) -> Tensor:
        return (value.tril() == value).flatten(-2).all(-1)


class _LowerCholesky(_LowerTriangular):
    """Lower triangular matrices with positive diagonals."""

    def check(self, value: Tensor) -> Tensor:
        return super().check(value) & (value.diagonal(dim1=-2, dim2=-1) > 0).all(-1)


class _CorrCholesky(_LowerCholesky):
    """Those of them whose rows have length 1: roots of correlations."""

    def check(self, value: Tensor) -> Tensor:
        tolerance = dtypes.finfo(value.dtype).eps * value.shape[-1] * 10
        off = (norm(value.detach(), dim=-1) - 1).abs()
        return super().check(value) & (off <= tolerance).all(-1)


class _Square(_Matrix):
    """Square matrices."""

    def check(self, value: Tensor) -> Tensor:
        is_square = value.shape[-2] == value.shape[-1]
        return full(value.shape[:-2], is_square, device=value.device)


class _Symmetric(_Square):
    """Symmetric matrices."""

    def check(self, value: Tensor) -> Tensor:
        square = super().check(value)
        if not square.all():
            return square
        return isclose(value, value.mT, atol=1e-6).all(-2).all(-1)


class _PositiveSemidefinite(_Symmetric):
    """Symmetric matrices without negative eigenvalues."""

    def check(self, value: Tensor) -> Tensor:
        symmetric = super().check(value)
        return (eigvalsh(value) >= 0).all(-1) if symmetric.all() else symmetric


class _PositiveDefinite(_Symmetric):
    """Symmetric matrices with positive eigenvalues."""

    def check(self, value: Tensor) -> Tensor:
        symmetric = super().check(value)
        return cholesky_ex(value).info.eq(0) if symmetric.all() else symmetric
