"""Weight normalisation: the length of a weight apart from its direction."""

from __future__ import annotations

from ...tensor.tensor import Tensor
from ..attach import composite
from ..reduce.norms import vector_norm

__all__ = ["norm_except_dim", "weight_norm"]


@composite
def norm_except_dim(v: Tensor, pow: int = 2, dim: int = 0) -> Tensor:
    """The norms of the slices along one dimension.

    Math: n_i = (Σ |v_i|^pow)^(1/pow), v_i the i-th slice
          ∂L/∂v_i = g_i · sgn(v_i) · (|v_i| / n_i)^(pow-1)
    Shape: (K, *) -> (K, 1, ...); with `dim` −1: () of the whole tensor

    Args:
        dim: the dimension that is kept, −1 for none.

    Example:
        >>> import edutorch as torch
        >>> torch.norm_except_dim(torch.tensor([[3.0, 4.0], [5.0, 12.0]]))
        tensor([[ 5.],
                [13.]])
    """
    if dim == -1:
        return vector_norm(v, pow)
    others = tuple(d for d in range(v.ndim) if d != dim)
    if not others:
        return v.abs()
    return vector_norm(v, pow, others, keepdim=True)


@composite
def weight_norm(v: Tensor, g: Tensor, dim: int = 0) -> Tensor:
    """Slices of `v` scaled to the norms `g`.

    Math: w = g · v / ‖v‖
    Shape: (K, *), (K, 1, ...) -> (K, *)
    Reference: Salimans and Kingma (2016), "Weight normalization".

    Example:
        >>> import edutorch as torch
        >>> from edutorch.ops.norm.weight import weight_norm
        >>> weight_norm(torch.tensor([[3.0, 4.0]]), torch.tensor([[10.0]]))
        tensor([[6., 8.]])
    """
    return v * (g / norm_except_dim(v, 2, dim))
