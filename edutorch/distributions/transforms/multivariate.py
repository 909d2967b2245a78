"""Transforms of vectors and matrices."""

from __future__ import annotations

import math
from typing import Any

from ... import dtypes
from ...linalg import cholesky
from ...nn.functional import logsigmoid, pad, softplus
from ...ops import arange, eye, tanh
from ...tensor.size import Size
from ...tensor.tensor import Tensor
from .. import constraints
from ..utils import tril_matrix_to_vec, vec_to_tril_matrix
from .base import Stateless, Transform
from .elementwise import inside_unit_interval

__all__ = [
    "CorrCholeskyTransform", "LowerCholeskyTransform", "PositiveDefiniteTransform",
    "ReshapeTransform", "SoftmaxTransform", "StickBreakingTransform",
]  # fmt: skip


def _need_dims(shape: Any, dims: int) -> None:
    if len(shape) < dims:
        raise ValueError("Too few dimensions on input")


def _ended(shape: Any, dims: int, *sizes: int) -> Any:
    """A shape with other sizes instead of its last ones."""
    return shape[:-dims] + type(shape)(sizes)


class ReshapeTransform(Transform):
    """Another shape of the last dimensions.

    Math: y = x.reshape(out_shape)      ln |dy/dx| = 0

    Args:
        in_shape: the shape of x.
        out_shape: the shape of y.

    Raises:
        ValueError: where the shapes have different numbers of elements.

    Example:
        >>> import edutorch as torch
        >>> t = torch.distributions.ReshapeTransform((4,), (2, 2))
        >>> t(torch.zeros(3, 4)).shape
        torch.Size([3, 2, 2])
    """

    bijective = True

    def __init__(self, in_shape: Any, out_shape: Any, cache_size: int = 0) -> None:
        self.in_shape, self.out_shape = Size(in_shape), Size(out_shape)
        if self.in_shape.numel() != self.out_shape.numel():
            raise ValueError("in_shape, out_shape have different numbers of elements")
        super().__init__(cache_size=cache_size)

    @constraints.dependent_property
    def domain(self) -> Any:
        """Tensors of the first shape."""
        return constraints.independent(constraints.real, len(self.in_shape))

    @constraints.dependent_property
    def codomain(self) -> Any:
        """Tensors of the second shape."""
        return constraints.independent(constraints.real, len(self.out_shape))

    def _copied(self, cache_size: int) -> Transform:
        return ReshapeTransform(self.in_shape, self.out_shape, cache_size=cache_size)

    def _call(self, x: Tensor) -> Tensor:
        return x.reshape(x.shape[: x.ndim - len(self.in_shape)] + self.out_shape)

    def _inverse(self, y: Tensor) -> Tensor:
        return y.reshape(y.shape[: y.ndim - len(self.out_shape)] + self.in_shape)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return x.new_zeros(x.shape[: x.ndim - len(self.in_shape)])

    def forward_shape(self, shape: Any) -> Any:
        return self._replaced(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape: Any) -> Any:
        return self._replaced(shape, self.out_shape, self.in_shape)

    @staticmethod
    def _replaced(shape: Any, old: Size, new: Size) -> Any:
        _need_dims(shape, len(old))
        cut = len(shape) - len(old)
        if tuple(shape[cut:]) != old:
            raise ValueError(f"Shape mismatch: expected {shape[cut:]} but got {old}")
        return shape[:cut] + new


class SoftmaxTransform(Stateless):
    """Vectors of any numbers to vectors of probabilities, many to one.

    Math: yᵢ = exp(xᵢ) / Σ exp(xₖ)

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.SoftmaxTransform()(torch.zeros(2))
        tensor([0.5000, 0.5000])
    """

    domain = constraints.real_vector
    codomain = constraints.simplex

    def _call(self, x: Tensor) -> Tensor:
        weights = (x - x.max(-1, True)[0]).exp()
        return weights / weights.sum(-1, True)

    def _inverse(self, y: Tensor) -> Tensor:
        return y.log()

    def forward_shape(self, shape: Any) -> Any:
        _need_dims(shape, 1)
        return shape

    inverse_shape = forward_shape


class StickBreakingTransform(Stateless):
    """Vectors of n numbers to n + 1 probabilities, one to one.

    A stick is broken n times; each number is the fraction of the rest broken off.

    Math: yᵢ = zᵢ Π (1 - zₖ) for k < i, zᵢ = σ(xᵢ - ln(n + 1 - i))

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.StickBreakingTransform()(torch.zeros(1))
        tensor([0.5000, 0.5000])
    """

    domain = constraints.real_vector
    codomain = constraints.simplex
    bijective = True

    @staticmethod
    def _centred(n: int, like: Tensor) -> Tensor:
        """Ln n ... ln 1: with it, zeros break the stick evenly."""
        return arange(n, 0, -1, dtype=like.dtype, device=like.device).log()

    def _call(self, x: Tensor) -> Tensor:
        z = inside_unit_interval((x - self._centred(x.shape[-1], x)).sigmoid())
        left = (1 - z).cumprod(-1)
        return pad(z, [0, 1], value=1) * pad(left, [1, 0], value=1)

    def _inverse(self, y: Tensor) -> Tensor:
        taken = y[..., :-1]
        left = (1 - taken.cumsum(-1)).clamp(min=dtypes.finfo(y.dtype).tiny)
        return taken.log() - left.log() + self._centred(taken.shape[-1], y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        x = x - self._centred(x.shape[-1], x)
        return (-x + logsigmoid(x) + y[..., :-1].log()).sum(-1)

    def forward_shape(self, shape: Any) -> Any:
        _need_dims(shape, 1)
        return _ended(shape, 1, shape[-1] + 1)

    def inverse_shape(self, shape: Any) -> Any:
        _need_dims(shape, 1)
        return _ended(shape, 1, shape[-1] - 1)


class CorrCholeskyTransform(Transform):
    """Vectors of n (n - 1) / 2 numbers to Cholesky factors of correlations.

    Each row below the diagonal is a signed stick breaking of its unit length.

    Math: yᵢₖ = rᵢₖ Π √(1 - rᵢₗ²) for l < k, r = tanh(x), rᵢᵢ = 1

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.CorrCholeskyTransform()(torch.zeros(1))
        tensor([[1., 0.],
                [0., 1.]])

    Reference: Lewandowski, Kurowicka and Joe, "Generating random correlation matrices
        based on vines and extended onion method", 2009.
    """

    domain = constraints.real_vector
    codomain = constraints.corr_cholesky
    bijective = True

    def _call(self, x: Tensor) -> Tensor:
        x = tanh(x)
        eps = dtypes.finfo(x.dtype).eps
        r = vec_to_tril_matrix(x.clamp(min=-1 + eps, max=1 - eps), diag=-1)
        left = (1 - r**2).sqrt().cumprod(-1)
        r = r + eye(r.shape[-1], dtype=r.dtype, device=r.device)
        return r * pad(left[..., :-1], [1, 0], value=1)

    def _inverse(self, y: Tensor) -> Tensor:
        left = pad((1 - (y * y).cumsum(-1))[..., :-1], [1, 0], value=1)
        lower = tril_matrix_to_vec(left, diag=-1)
        r = tril_matrix_to_vec(y, diag=-1) / lower.sqrt()
        return (r.log1p() - (-r).log1p()) / 2

    def log_abs_det_jacobian(
        self, x: Tensor, y: Tensor, intermediates: Any = None
    ) -> Tensor:
        left = 1 - (y * y).cumsum(-1)
        breaking = 0.5 * tril_matrix_to_vec(left, diag=-2).log().sum(-1)
        return breaking - 2 * (x + softplus(-2 * x) - math.log(2.0)).sum(-1)

    def forward_shape(self, shape: Any) -> Any:
        _need_dims(shape, 1)
        n = round((0.25 + 2 * shape[-1]) ** 0.5 + 0.5)
        if n * (n - 1) // 2 != shape[-1]:
            raise ValueError("Input is not a flattened lower-diagonal number")
        return _ended(shape, 1, n, n)

    def inverse_shape(self, shape: Any) -> Any:
        _need_dims(shape, 2)
        if shape[-2] != shape[-1]:
            raise ValueError("Input is not square")
        return _ended(shape, 2, shape[-1] * (shape[-1] - 1) // 2)


class LowerCholeskyTransform(Stateless):
    """Any matrices to lower triangular ones with positive diagonals.

    Math: yᵢₖ = xᵢₖ below the diagonal, yᵢᵢ = exp(xᵢᵢ)

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.LowerCholeskyTransform()(torch.zeros(2, 2))
        tensor([[1., 0.],
                [0., 1.]])
    """

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.lower_cholesky

    def _call(self, x: Tensor) -> Tensor:
        return x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()

    def _inverse(self, y: Tensor) -> Tensor:
        return y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()


class PositiveDefiniteTransform(Stateless):
    """Any matrices to positive definite ones.

    Math: y = L Lᵀ, L of `LowerCholeskyTransform`

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.PositiveDefiniteTransform()(torch.zeros(2, 2))
        tensor([[1., 0.],
                [0., 1.]])
    """

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.positive_definite

    def _call(self, x: Tensor) -> Tensor:
        root = LowerCholeskyTransform()(x)
        return root @ root.mT

    def _inverse(self, y: Tensor) -> Tensor:
        return LowerCholeskyTransform().inv(cholesky(y))
