"""Distance and similarity layers."""

from __future__ import annotations

from ...tensor.tensor import Tensor
from .. import functional as F
from .module import Module

__all__ = ["CosineSimilarity", "PairwiseDistance"]


class CosineSimilarity(Module):
    """The cosine similarity of two tensors along a dimension.

    Math: y = x₁ · x₂ / (max(‖x₁‖, eps) max(‖x₂‖, eps))
          ∂L/∂x₁ = g · (x₂/‖x₂‖ − y · x₁/‖x₁‖) / ‖x₁‖      ∂L/∂x₂ likewise
    Shape: (.., D, ..), (.., D, ..) -> (.., ..) without `dim`, broadcast

    Example:
        >>> import edutorch as torch
        >>> torch.nn.CosineSimilarity()(torch.ones(1, 2), torch.ones(1, 2))
        tensor([1.0000])
    """

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim, self.eps = dim, eps

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """The cosines."""
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    """The p-norm of the difference along the last dimension.

    Math: y = ‖x₁ - x₂ + eps‖_p
          ∂L/∂x₁ = −∂L/∂x₂ = g · sgn(d) · (|d| / y)^(p-1), d = x₁ - x₂ + eps
    Shape: (*, D), (*, D) -> (*), or (*, 1) with `keepdim`

    Example:
        >>> import edutorch as torch
        >>> torch.nn.PairwiseDistance()(torch.zeros(1, 2), torch.tensor([[3.0, 4.0]]))
        tensor([5.0000])
    """

    def __init__(
        self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
    ) -> None:
        super().__init__()
        self.norm, self.eps, self.keepdim = p, eps, keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """The distances."""
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)
