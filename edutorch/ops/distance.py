"""Distances and likeness of vectors."""

from __future__ import annotations

from typing import Any

from ..autograd.op import apply1
from ..tensor.tensor import Tensor
from .attach import composite
from .create.indices import triu_indices
from .index.along import index_select
from .pointwise import clamp_min
from .promotion import result_type
from .reduce import sum
from .reduce.norms import VectorNorm, vector_norm
from .refusals import need_tensors
from .shape.broadcasting import broadcast_tensors

__all__ = ["cosine_similarity", "pairwise_distance", "pdist"]


@composite
def pairwise_distance(
    x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Tensor:
    """The p-norm of the difference of corresponding vectors.

    Math: y = (Σ_d |a_d − b_d + eps|^p)^(1/p)
    Shape: (*, D), (*, D) -> (*), or (*, 1) with `keepdim`

    Args:
        x1: vectors.
        x2: vectors.
        p: which norm.
        eps: added to the differences, against a norm of 0.
        keepdim: keep the last dimension, with size 1.

    Example:
        >>> import edutorch as torch
        >>> a, b = torch.tensor([[3.0, 4.0]]), torch.zeros(1, 2)
        >>> torch.pairwise_distance(a, b)
        tensor([5.0000])
    """
    return vector_norm(x1 - x2 + eps, p, (-1,), keepdim)


@composite
def cosine_similarity(
    x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8
) -> Tensor:
    """Cosine of the angle between vectors.

    Math: y = a·b / (max(‖a‖, eps) max(‖b‖, eps))
    Shape: (*), (*) -> (*) without `dim`, broadcast

    Args:
        x1: vectors.
        x2: vectors.
        dim: the dimension of the vectors.
        eps: the least length, against division by 0.

    Raises:
        IndexError: if there is no such dimension.

    Example:
        >>> import edutorch as torch
        >>> a, b = torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0, 1.0]])
        >>> torch.cosine_similarity(a, b)
        tensor([0.7071])
    """
    need_tensors("cosine_similarity", x1=x1, x2=x2)
    if not eps >= 0:
        raise RuntimeError(f"eps must be non-negative, got: {eps:g}")
    x1, x2 = _as_fractions(x1, x2)
    x1, x2 = broadcast_tensors(x1, x2)  # `dim` counts the dimensions of both

    def unit(v: Any) -> Any:
        return v / clamp_min(vector_norm(v, 2, (dim,), keepdim=True), eps)

    return sum(unit(x1) * unit(x2), (dim,))


def _as_fractions(x1: Any, x2: Any) -> tuple[Any, Any]:
    """Both in their common dtype, which must be of floating-point numbers."""
    common = result_type(x1, x2)
    if not common.is_floating_point:
        raise RuntimeError(
            "expected common dtype to be floating point, yet common dtype is "
            f"{common.short}"
        )
    return x1.to(common), x2.to(common)


class Pdist(VectorNorm):
    """The p-norm of each difference of two rows.

    Math: y[k] = ‖d[k]‖_p      ∂L/∂d = g · sgn(d) · (|d| / y)^(p-1), 0 where y is 0
    """


@composite
def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """The p-norm distances between all pairs of rows.

    Math: y[(i, j)] = ‖x[i] − x[j]‖_p for all i < j
    Shape: (N, D) -> (N·(N − 1)/2)

    Args:
        input: rows.
        p: which norm: 0 counts differences, ∞ is the largest.

    Raises:
        RuntimeError: for another number of dimensions, integers, or p < 0.

    Example:
        >>> import edutorch as torch
        >>> torch.pdist(torch.tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 4.0]]))
        tensor([5., 4., 3.])
    """
    need_tensors("pdist", input=input)
    if input.ndim != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {input.ndim}D")
    if not input.is_floating_point():
        raise RuntimeError("pdist only supports floating-point dtypes")
    if not p >= 0:
        raise RuntimeError("pdist only supports non-negative p values")
    if input.dtype.itemsize == 2:
        raise NotImplementedError(
            f"\"pdist\" not implemented for '{input.dtype.short}'"
        )
    n = input.shape[0]
    first, second = triu_indices(n, n, 1, device=input.device).unbind()
    pairs = index_select(input, 0, first) - index_select(input, 0, second)
    return apply1(Pdist(p, (1,), keepdim=False), pairs)
