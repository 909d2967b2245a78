"""The exponential of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import Op, apply1
from ...backends import array_module
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors
from ..matmul.array_products import ctranspose
from ..registration import public
from .checks import need_square
from .triangular_parts import concatenate

__all__ = ["matrix_exp"]

TERMS = 18  # of the series; for norms up to 1 the rest is below 1e-17


class MatrixExp(Op):
    """Exponential of matrices.

    Math: y = Σ xᵏ / k!, of x / 2ˢ, squared s times
          ∂L/∂x = the upper right block of exp [[xᵀ, g], [0, xᵀ]]
    Shape: (*, n, n) -> (*, n, n)

    Reference: Moler and Van Loan, 2003; Mathias, 1996
    """

    torch_name = "LinalgMatrixExp"
    complex32_kernel = "bmm"

    def check(self, x: Any) -> None:
        need_square("linalg.matrix_exp", x.float() if x._data.itemsize == 2 else x)

    def forward(self, x: Any) -> Any:
        kind = x.dtype  # every squaring doubles the error, so it begins small
        x = x.astype(np.complex128 if kind.kind == "c" else np.float64)
        squarings = _squarings(x)  # (*, 1, 1)
        x = x / 2.0**squarings
        one = array_module(x).eye(x.shape[-1], dtype=x.dtype)
        one = np.broadcast_to(one, x.shape)
        y = one
        for k in range(TERMS, 0, -1):  # 1 + x/1 (1 + x/2 (1 + ..))
            y = one + x @ y / k
        for step in range(int(squarings.max()) if squarings.size else 0):
            y = np.where(step < squarings, y @ y, y)
        return y.astype(kind, copy=False)

    def backward(self, g: Any) -> Any:
        n = g.shape[-1]
        xh = ctranspose(self.inputs[0])
        block_matrix = concatenate(
            [concatenate([xh, g], -1), concatenate([xh * 0, xh], -1)], -2
        )
        return exponential(block_matrix)[..., :n, n:]


def _squarings(x: Any) -> Any:
    """The number of squarings, which is that of halvings to a norm of at most 1."""
    norm = np.abs(x).sum(-2, keepdims=True)
    if norm.size:
        norm = norm.max(-1, keepdims=True)
    norm = np.where(np.isfinite(norm), norm, 1)
    return np.ceil(np.log2(np.maximum(norm, 1))).clip(max=1100)


def exponential(x: Any) -> Any:
    """The exponential of matrices, for formulas."""
    return apply1(MatrixExp(), x)


@public("matrix_exp")
def matrix_exp(input: Tensor) -> Tensor:
    """Exponential of square matrices.

    Math: y = Σ xᵏ / k!
          ∂L/∂x = the upper right block of exp [[xᵀ, g], [0, xᵀ]]
    Shape: (*, n, n) -> (*, n, n)
    Reference: Moler and Van Loan, 2003

    Raises:
        RuntimeError: if the input is not a square floating-point matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.matrix_exp(torch.tensor([[0.0, 1.0], [0.0, 0.0]]))
        tensor([[1., 1.],
                [0., 1.]])
    """
    need_tensors("linalg_matrix_exp", input=input)
    return apply1(MatrixExp(), input)
