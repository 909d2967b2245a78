"""Weight normalisation: separates the norm of a weight from its direction."""

from __future__ import annotations

from typing import Any

from ...autograd.dispatch import Op, apply1, apply2
from ...autograd.foreign_operands import accept_arrays
from ...tensor.tensor import Tensor
from ..dims import dim_of
from ..pointwise import sqrt
from ..reduce import sum
from ..reduce.norms import VectorNorm, vector_norm
from ..registration import composite

__all__ = ["norm_except_dim", "weight_norm"]


@composite
def norm_except_dim(v: Tensor, pow: int = 2, dim: int = 0) -> Tensor:
    """The norms of the slices along one dimension.

    Math: n_i = (Σ |v_i|^pow)^(1/pow), v_i the i-th slice
          ∂L/∂v_i = g_i · sgn(v_i) · (|v_i| / n_i)^(pow-1)
    Shape: (K, *) -> (K, 1, ...); with `dim` −1: () of the whole tensor

    Args:
        dim: the dimension that is kept, −1 for none.

    Raises:
        IndexError: for a dimension that does not exist.

    Example:
        >>> import edutorch as torch
        >>> torch.norm_except_dim(torch.tensor([[3.0, 4.0], [5.0, 12.0]]))
        tensor([[ 5.],
                [13.]])
    """
    if dim == -1:
        return vector_norm(v, pow)
    dim = dim_of(dim, v.ndim)
    others = tuple(d for d in range(v.ndim) if d != dim)
    if not others:
        return v.abs()
    return vector_norm(v, pow, others, keepdim=True)


class WeightNormInterface(Op):
    """Scales slices along the first or last dimension to given norms.

    Math: w = g · v / n, n = ‖v‖      ∂L/∂v = (G − v · s / n²) · g / n, s = Σ G · v
          ∂L/∂g = s / n, with G = ∂L/∂w
    Shape: (K, *), (K, 1, ...) -> (K, *)
    """

    attributes = ("dim",)

    def __init__(self, dim: int) -> None:
        self.dim = dim

    def _reduced_dims(self, v: Any) -> tuple[int, ...]:
        return tuple([d for d in range(v.ndim) if d != self.dim])

    def forward(self, v: Any, g: Any) -> Any:
        others = self._reduced_dims(v)
        with accept_arrays():
            length = apply1(VectorNorm(2.0, others, True), v) if others else abs(v)
        return v * (g / length)

    def backward(self, gw: Any) -> Any:
        v, g = self.inputs
        others = self._reduced_dims(v)
        square, s = v * v, gw * v
        if others:
            square, s = sum(square, others, True), sum(s, others, True)
        n = sqrt(square)
        return (gw - v * (s / square)) * (g / n), s / n


@composite
def weight_norm(v: Tensor, g: Tensor, dim: int = 0) -> Tensor:
    """The slices of `v` scaled to the norms `g`.

    Math: w = g · v / ‖v‖
    Shape: (K, *), (K, 1, ...) -> (K, *)
    Reference: Salimans and Kingma (2016), "Weight normalization".

    Example:
        >>> import edutorch as torch
        >>> from edutorch.ops.norm.weight import weight_norm
        >>> weight_norm(torch.tensor([[3.0, 4.0]]), torch.tensor([[10.0]]))
        tensor([[6., 8.]])
    """
    if dim in (0, v.ndim - 1):
        return apply2(WeightNormInterface(dim), v, g)
    return v * (g / norm_except_dim(v, 2, dim))
