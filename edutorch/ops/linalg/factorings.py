"""Factorings: Cholesky and QR."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.op import Op, apply, apply1
from ...backends import array_module
from ...tensor.tensor import Tensor
from ..attach import composite, into, public
from ..matmul.arrays import turned
from ..return_types import return_type
from ..shape.joining import cat
from .checks import need_matrix, need_square, not_positive
from .inverses import triangular
from .spectra import found
from .triangles import half_diagonal, lower

__all__ = ["cholesky", "cholesky_inverse", "cholesky_solve", "qr"]

qr_type = return_type("qr", "Q", "R")
linalg_qr_type = return_type("linalg_qr", "Q", "R")


class Cholesky(Op):
    """A positive definite matrix as the product of a triangle with itself.

    Math: x = y yᵀ, y lower      ∂L/∂x = the symmetric part of y⁻ᵀ Φ(yᵀ g) y⁻¹, where Φ
          takes the lower half and halves the diagonal
    Shape: (*, n, n) -> (*, n, n)

    Reference: Murray, 2016
    """

    torch_name = "LinalgCholeskyEx"
    saves = ()
    saves_output = True
    caller = "linalg.cholesky"

    def check(self, x: Any) -> None:
        need_square(self.caller, x)

    def forward(self, x: Any) -> Any:
        try:
            y = np.linalg.cholesky(x)
        except np.linalg.LinAlgError:
            raise not_positive(self.caller, x) from None
        if np.isnan(y).any():
            raise not_positive(self.caller, x)
        return y

    def backward(self, g: Any) -> Any:
        y = self.output
        inner = lower(half_diagonal(turned(y) @ g))
        yt = turned(y)
        # y⁻ᵀ inner y⁻¹, by two solutions of triangular equations
        left = triangular(yt, inner, upper=True)
        gx = turned(triangular(yt, turned(left), upper=True))
        return (gx + turned(gx)) / 2


class OldCholesky(Cholesky):
    """`Cholesky` under the name of the older function."""

    torch_name = "Cholesky"
    public = "cholesky"
    caller = "cholesky"


@public("cholesky")
def cholesky(
    input: Tensor, upper: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """A positive definite matrix as the product of a triangle with itself.

    Math: x = y yᵀ with y lower, or yᵀ y with y upper
          ∂L/∂x = the symmetric part of y⁻ᵀ Φ(yᵀ g) y⁻¹, where Φ takes the lower half
          and halves the diagonal
    Shape: (*, n, n) -> (*, n, n)

    Raises:
        LinAlgError: for a matrix that is not positive definite.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.cholesky(torch.tensor([[4.0, 2.0], [2.0, 2.0]]))
        tensor([[2., 0.],
                [1., 1.]])
    """
    result = apply1(OldCholesky(), input)
    if upper:
        result = turned(result)
    return result if out is None else into(out, result)


def cholesky_lower(
    A: Tensor, *, upper: bool = False, out: Tensor | None = None
) -> Tensor:
    """A positive definite matrix as the product of a triangle with itself.

    Math: x = y yᵀ with y lower, or yᵀ y with y upper
    Shape: (*, n, n) -> (*, n, n)

    Raises:
        LinAlgError: for a matrix that is not positive definite.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.cholesky(torch.tensor([[4.0, 2.0], [2.0, 2.0]]))
        tensor([[2., 0.],
                [1., 1.]])
    """
    result = apply1(Cholesky(), A)
    if upper:
        result = turned(result)
    return result if out is None else into(out, result)


@public("cholesky_solve")
@composite
def cholesky_solve(
    B: Tensor, L: Tensor, upper: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Solution of equations whose matrix is given by its Cholesky factor.

    Math: y with L Lᵀ y = B
    Shape: (*, n, k), (*, n, n) -> (*, n, k)

    Example:
        >>> import edutorch as torch
        >>> torch.cholesky_solve(torch.ones(1, 1), torch.tensor([[2.0]]))
        tensor([[0.2500]])
    """
    first, second = (turned(L), L) if upper else (L, turned(L))
    inner = triangular(first, B, upper=False)
    result: Tensor = triangular(second, inner, upper=True)
    return result if out is None else into(out, result)


@public("cholesky_inverse")
@composite
def cholesky_inverse(
    L: Tensor, upper: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Inverse of a matrix that is given by its Cholesky factor.

    Math: y = (L Lᵀ)⁻¹
    Shape: (*, n, n) -> (*, n, n)

    Example:
        >>> import edutorch as torch
        >>> torch.cholesky_inverse(torch.tensor([[2.0]]))
        tensor([[0.2500]])
    """
    need_square("cholesky_inverse", L)
    one = array_module(L._data).eye(L.shape[-1], dtype=L._data.dtype)
    result = cholesky_solve(L * 0 + one, L, upper)
    return result if out is None else into(out, result)


class Qr(Op):
    """Matrices as products of orthogonal and upper triangular ones.

    Math: x = q r      ∂L/∂x = (gq + q M) r⁻ᵀ, M the lower half of r grᵀ - gqᵀ q,
          completed to a symmetric matrix; for n >= m
    Shape: (*, n, m) -> (*, n, k), (*, k, m)

    Reference: Walter and Lehmann, 2012
    """

    torch_name = "LinalgQr"
    attributes = ("mode",)
    several = True
    saves_extra = True

    def __init__(self, mode: str) -> None:
        self.mode = mode

    def check(self, x: Any) -> None:
        need_matrix("linalg.qr", x)

    def forward(self, x: Any) -> Any:
        if self.mode == "r":
            return np.zeros((0,), x.dtype), np.linalg.qr(x, "r")
        self.saved = tuple(np.linalg.qr(x, self.mode))  # type: ignore[call-overload]
        return self.saved

    def backward(self, gq: Any, gr: Any) -> Any:
        x = self.inputs[0]
        if self.mode == "r":
            raise RuntimeError(
                "The derivative of linalg.qr depends on Q, which is not computed when "
                "mode='r'. Please use linalg.qr(A, mode='reduced') if you are going to "
                "require gradients"
            )
        if self.mode == "complete" and x.shape[-2] > x.shape[-1]:
            raise RuntimeError(
                "The QR decomposition is not differentiable when mode='complete' and "
                "nrows > ncols"
            )
        q, r = found(self)
        inner = r @ turned(gr) - turned(gq) @ q
        # The lower half, completed to a symmetric matrix.
        whole = lower(inner) + turned(lower(inner, -1))
        return turned(triangular(r, turned(gq + q @ whole), upper=True))


def _factors(x: Any, mode: str) -> Any:
    return apply(Qr(mode), x)


def _qr(x: Any, mode: str) -> Any:
    """Factors by the op; for gradients, those of wide matrices by their square part."""
    need_matrix("linalg.qr", x)
    n, m = x.shape[-2:]
    if n >= m or mode == "r" or not x.requires_grad:
        return _factors(x, mode)
    square, rest = x[..., :, :n], x[..., :, n:]
    q, r = _factors(square, "reduced")
    return q, cat([r, turned(q) @ rest], -1)


@public("qr")
def qr(input: Tensor, some: bool = True, *, out: Any = None) -> Any:
    """Matrices as products of orthogonal and upper triangular ones.

    Math: x = q r
          ∂L/∂x = (gq + q M) r⁻ᵀ, M the lower half of r grᵀ - gqᵀ q, completed to a
          symmetric matrix; for n >= m
    Shape: (*, n, m) -> (*, n, k), (*, k, m), k = min(n, m) (`some`) or n

    Raises:
        RuntimeError: for fewer than two dimensions, or integers.

    Example:
        >>> import edutorch as torch
        >>> Q, R = torch.qr(torch.tensor([[3.0], [4.0]]))
        >>> abs(R)
        tensor([[5.]])
    """
    result = qr_type(*_qr(input, "reduced" if some else "complete"))
    return result if out is None else into(out, result)


def linalg_qr(A: Tensor, mode: str = "reduced", *, out: Any = None) -> Any:
    """Matrices as products of orthogonal and upper triangular ones.

    Math: x = q r
          ∂L/∂x = (gq + q M) r⁻ᵀ, M the lower half of r grᵀ - gqᵀ q, completed to a
          symmetric matrix; for n >= m
    Shape: (*, n, m) -> (*, n, k), (*, k, m), k = min(n, m), or n for "complete"

    Args:
        mode: "reduced", "complete", or "r" (without q).

    Raises:
        RuntimeError: for another mode.

    Example:
        >>> import edutorch as torch
        >>> Q, R = torch.linalg.qr(torch.tensor([[3.0], [4.0]]))
        >>> abs(R)
        tensor([[5.]])
    """
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' "
            "(default), 'r', or 'complete'"
        )
    result = linalg_qr_type(*_qr(A, mode))
    return result if out is None else into(out, result)
