"""A few singular values of large matrices, by random projections."""

from __future__ import annotations

from typing import Any

from ... import dtypes
from ...layouts import strided
from ...tensor.tensor import Tensor
from ..argument_errors import parser_errors
from ..matmul.array_products import ctranspose
from ..matmul.matrix_products import matmul
from ..reduce.mean_var import mean
from ..registration import composite
from ..sampling import randn
from .cholesky_qr import linalg_qr
from .svd import svd

__all__ = ["pca_lowrank", "svd_lowrank"]


def _product(A: Any, M: Any, x: Any) -> Any:
    """(A - M) x without forming the difference; A may be sparse."""
    return matmul(A, x) if M is None else matmul(A, x) - matmul(M, x)


def _dtype_of_samples(A: Any) -> dtypes.dtype:
    """The dtype of the matrix; single precision for bfloat16 and integers."""
    kept = A.is_complex() or A.dtype in (dtypes.float16, dtypes.float32, dtypes.float64)
    return A.dtype if kept else dtypes.float32


def _basis(A: Any, M: Any, q: int, niter: int) -> Any:
    """Columns that approximately span the `q` largest directions of A - M.

    Reference: Halko, Martinsson and Tropp, 2011, algorithm 4.4
    """
    random = randn(A.shape[-1], q, dtype=_dtype_of_samples(A), device=A.device)
    columns = linalg_qr(_product(A, M, random)).Q
    for _ in range(niter):
        rows = linalg_qr(
            _product(ctranspose(A), M if M is None else ctranspose(M), columns)
        ).Q
        columns = linalg_qr(_product(A, M, rows)).Q
    return columns


@composite
@parser_errors
def svd_lowrank(
    A: Tensor, q: int | None = 6, niter: int | None = 2, M: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Approximations of the `q` largest singular values, with their vectors.

    Math: A - M ≈ U diag(s) Vᵀ; B = Qᵀ (A - M) with Q an orthogonal basis of
          (A Aᵀ)^niter A Ω, Ω random, is small enough for `svd`
          ∂L/∂A: that of `torch.linalg.svd` of B, and of the products and `qr` before it
    Shape: (*, n, m) -> (*, n, q), (*, q), (*, m, q)

    Args:
        q: a number slightly larger than the expected rank.
        niter: the number of power iterations, which improve the basis.
        M: subtracted from `A`; broadcast.

    Reference: Halko, Martinsson and Tropp, 2011

    Example:
        >>> import edutorch as torch
        >>> torch.svd_lowrank(torch.ones(9, 4), q=1)[1].round()
        tensor([6.])
    """
    n, m = A.shape[-2:]
    M = M if M is None else M.broadcast_to(A.shape)
    wide = n < m
    tall, shift = A, M
    if wide:
        tall, shift = ctranspose(A), None if M is None else ctranspose(M)
    Q = _basis(tall, shift, 6 if q is None else q, 2 if niter is None else niter)
    rows = ctranspose(
        _product(ctranspose(tall), None if shift is None else ctranspose(shift), Q)
    )
    u, s, vh = svd(rows, full_matrices=False)
    u, v = matmul(Q, u), ctranspose(vh)
    return (v, s, u) if wide else (u, s, v)


@composite
def pca_lowrank(
    A: Tensor, q: int | None = None, center: bool = True, niter: int = 2
) -> tuple[Tensor, Tensor, Tensor]:
    """Approximations of the `q` largest principal components of rows of observations.

    Math: A - mean ≈ U diag(s) Vᵀ; the columns of V are the principal directions,
          s² / (n - 1) the variances along them
          ∂L/∂A: as of `torch.svd_lowrank`, minus its mean over the rows
    Shape: (*, n, m) -> (*, n, q), (*, q), (*, m, q)

    Args:
        q: the number of components; min(6, n, m) if not given.
        center: whether to subtract the mean of each column.

    Raises:
        ValueError: for a `q` that is negative or too large, and a negative `niter`.

    Reference: Halko, Martinsson and Tropp, 2011

    Example:
        >>> import edutorch as torch
        >>> torch.pca_lowrank(torch.tensor([[1.0, 1.0], [3.0, 3.0]]), q=1)[1].round()
        tensor([2.])
    """
    n, m = A.shape[-2:]
    q = min(6, n, m) if q is None else q
    if not (q >= 0 and q <= min(n, m)):  # PyTorch's errors for numbers of other kinds
        raise ValueError(
            f"q(={q}) must be non-negative integer and not greater than min(m, n)="
            f"{min(n, m)}"
        )
    if niter < 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    if not center:
        return svd_lowrank(A, q, niter)
    if A.layout is strided:
        return svd_lowrank(A - mean(A, -2, keepdim=True), q, niter)
    means = A.sum(-2).to_dense() / n
    return svd_lowrank(A, q, niter, M=means)
