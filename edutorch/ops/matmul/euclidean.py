"""Euclidean distances between rows, as one operation."""

from __future__ import annotations

from typing import Any

from ...autograd.batched_tensor import Batched
from ...autograd.dispatch import Op
from ...kernels import distances as kernels
from ...tensor.tensor import Tensor
from ..pointwise.ternary import where
from ..reduce.sums import sum
from ..shape.squeezing import unsqueeze

__all__: list[str] = []


class EuclideanDistances(Op):
    """The Euclidean distance of every row of one matrix to every row of another.

    Math: y[i, j] = √(Σ_k (a[i, k] − b[j, k])²)
          ∂L/∂a[i] = Σ_j g[i, j] / y[i, j] · (a[i] − b[j]), without terms where y is 0
          ∂L/∂b[j] = −Σ_i of the same
    Shape: (n, d), (m, d) -> (n, m)
    """

    public = "cdist"
    torch_name = "Cdist"
    saves_output = True

    def forward(self, a: Any, b: Any) -> Any:
        return kernels.distances(a, b)

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        if not isinstance(g, Tensor):
            return kernels.distances_backward(g, a, b, self.output)
        share = g / where(self.output == 0, float("inf"), self.output)
        gaps = unsqueeze(share, -1) * (unsqueeze(a, -2) - unsqueeze(b, -3))
        return sum(gaps, (-2,)), -sum(gaps, (-3,))


def are_rows(a: Tensor, b: Tensor, p: float) -> bool:
    """Whether `EuclideanDistances` applies: both operands are matrices and p is 2."""
    unbatched = not (isinstance(a, Batched) or isinstance(b, Batched))
    return unbatched and p == 2 and a.ndim == b.ndim == 2
