"""Distances and likeness of vectors."""

from __future__ import annotations

from typing import Any

from ..tensor.tensor import Tensor
from .attach import composite
from .pointwise import clamp_min
from .reduce import sum
from .reduce.norms import vector_norm

__all__ = ["cosine_similarity", "pairwise_distance"]


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

    def unit(v: Any) -> Any:
        return v / clamp_min(vector_norm(v, 2, (dim,), keepdim=True), eps)

    return sum(unit(x1) * unit(x2), (dim,))
