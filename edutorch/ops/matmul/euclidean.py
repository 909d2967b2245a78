"""Euclidean distances between rows, as one operation."""

from __future__ import annotations

from typing import Any

from ...autograd.dispatch import Op
from ...kernels import distances as kernels
from ...tensor.tensor import Tensor
from ..reduce.norms import VectorNorm
from ..reduce.sums import sum
from ..shape.squeezing import unsqueeze

__all__: list[str] = []


class Distances(Op):
    """The p-norm distance of every row of one matrix to every row of another.

    Math: y[i, j] = ‖a[i] − b[j]‖ₚ
          ∂L/∂a[i] = Σ_j g[i, j] · sgn(d) · (|d| / y)^(p-1), d = a[i] - b[j]
          ∂L/∂b[j] = −Σ_i of the same
    Shape: (*, n, d), (*, m, d) -> (*, n, m)
    """

    public = "cdist"
    torch_name = "Cdist"
    attributes = ("p",)
    saves_output = True

    def __init__(self, p: float) -> None:
        self.p = p

    def forward(self, a: Any, b: Any) -> Any:
        if self.p == 2 and a.ndim == b.ndim == 2:
            return kernels.distances(a, b)
        between = a[..., :, None, :] - b[..., None, :, :]
        return self.norm(between).forward(between)

    def norm(self, between: Any) -> VectorNorm:
        """The op for the norms of differences."""
        return VectorNorm(self.p, (between.ndim - 1,), keepdim=False)

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        if self.p == 2 and a.ndim == b.ndim == 2 and not isinstance(g, Tensor):
            return kernels.distances_backward(g, a, b, self.output)
        if self.p == 0:  # unlike the norm, it has gradients (zeros)
            return a * 0, b * 0
        between = unsqueeze(a, -2) - unsqueeze(b, -3)  # (*, n, m, d)
        share = self.norm(between).gradient(g, between, self.output)
        return sum(share, (-2,)), -sum(share, (-3,))


class EuclideanDistances(Distances):
    """The distances with the name that PyTorch gives those from products of matrices.

    Math: y[i, j] = ‖a[i] − b[j]‖      ∂L/∂a, ∂L/∂b: as of `Distances`
    """

    public = "cdist"
    torch_name = "EuclideanDist"

    def __init__(self) -> None:
        super().__init__(2.0)
