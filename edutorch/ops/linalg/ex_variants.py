"""Matrix functions that return an error code, and raise only on request."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...autograd.dispatch import apply
from ...tensor.tensor import Tensor
from ..argument_checks import need_flags, need_tensors
from ..matmul.array_products import ctranspose
from ..registration import copyto
from ..return_types import return_type
from . import lapack
from .checks import not_positive_error, not_solved_error, singular_error
from .cholesky_qr import Cholesky
from .inverse_solve import Inv, Solve, checked_form

__all__ = ["cholesky_ex", "inv_ex", "solve_ex"]

cholesky_ex_type = return_type("linalg_cholesky_ex", "L", "info")
inv_ex_type = return_type("linalg_inv_ex", "inverse", "info")
solve_ex_type = return_type("linalg_solve_ex", "result", "info")


class CholeskyEx(Cholesky):
    """`Cholesky`, with the order of the minor that is not positive definite."""

    torch_name = "LinalgCholeskyEx"
    multiple_outputs = True
    complex32_kernel = "cholesky_cpu"

    def forward(self, x: Any) -> Any:
        x = ctranspose(x) if self.upper else x
        y = np.empty(x.shape, x.dtype)
        info = np.zeros(x.shape[:-2], np.int32)
        for place in np.ndindex(info.shape):
            y[place], info[place] = lapack.cholesky(x[place])
        return ctranspose(y) if self.upper else lapack.column_major(y), info

    def backward(self, g: Any, _g_info: Any = None) -> Any:
        return super().backward(g)


def cholesky_ex(
    input: Tensor, *, upper: bool = False, check_errors: bool = False, out: Any = None
) -> Any:
    """Like `cholesky`, but failures are reported in `info` instead of raised.

    Math: x = y yᵀ with y lower, or yᵀ y with y upper      ∂L/∂x: as of `cholesky`
    Shape: (*, n, n) -> (*, n, n), (*): the order of the first minor that is not
        positive definite; 0 where all are

    Raises:
        LinAlgError: with `check_errors`, for a matrix that is not positive definite.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.cholesky_ex(torch.tensor([[1.0, 2.0], [2.0, 1.0]])).info
        tensor(2, dtype=torch.int32)
    """
    if _m.special_modes and cholesky_ex in _m.modes.autocast:
        return _m.autocast(
            cholesky_ex, input, upper=upper, check_errors=check_errors, out=out
        )
    need_flags("linalg_cholesky_ex", upper=upper, check_errors=check_errors)
    need_tensors("linalg_cholesky_ex", input=input)
    result = cholesky_ex_type(*apply(CholeskyEx(upper), input))
    if check_errors and result.info._data.any():
        raise not_positive_error("linalg.cholesky_ex", input._data)
    return (
        result if out is None else copyto(out, result, "linalg_cholesky_ex", (input,))
    )


class InvEx(Inv):
    """`Inv`, with the index of the first zero pivot of a singular matrix."""

    torch_name = "LinalgInvEx"
    multiple_outputs = True

    def forward(self, x: Any) -> Any:
        y, info = _solve_with_info(x, np.eye(x.shape[-1], dtype=x.dtype))
        return lapack.column_major(y), info

    def backward(self, g: Any, _g_info: Any = None) -> Any:
        return super().backward(g)


def _solve_with_info(a: Any, b: Any) -> tuple[Any, Any]:
    """Solutions of linear equations, and the first zero pivot of singular matrices."""
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    info = np.zeros(a.shape[:-2], np.int32)
    try:
        return np.linalg.solve(a, b), info
    except np.linalg.LinAlgError:
        y = np.empty((*batch, *b.shape[-2:]), b.dtype)
    for place in np.ndindex(info.shape):
        info[place] = lapack.lu_factors(a[place])[2]
    a = np.broadcast_to(a, batch + a.shape[-2:])
    b = np.broadcast_to(b, y.shape)
    for place in np.ndindex(batch):
        y[place] = lapack.solve(a[place], b[place])[0]
    return y, info


def inv_ex(A: Tensor, *, check_errors: bool = False, out: Any = None) -> Any:
    """Like `inv`, but singular matrices are reported in `info` instead of raised.

    Math: y = x⁻¹      ∂L/∂x = -yᵀ g yᵀ
    Shape: (*, n, n) -> (*, n, n), (*): the first zero of the triangular factor, counted
        from 1; 0 if there is an inverse

    Raises:
        LinAlgError: with `check_errors`, for a singular matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.inv_ex(torch.ones(2, 2)).info
        tensor(2, dtype=torch.int32)
    """
    if _m.special_modes and inv_ex in _m.modes.autocast:
        return _m.autocast(inv_ex, A, check_errors=check_errors, out=out)
    need_flags("linalg_inv_ex", check_errors=check_errors)
    need_tensors("linalg_inv_ex", A=A)
    result = inv_ex_type(*apply(InvEx(), A))
    if check_errors and result.info._data.any():
        what = "inversion could not be completed because the input matrix is singular."
        raise singular_error("linalg.inv_ex", A._data, what)
    return result if out is None else copyto(out, result, "linalg_inv_ex", (A,))


class SolveEx(Solve):
    """`Solve`, with the index of the first zero pivot of a singular matrix."""

    torch_name = "LinalgSolveEx"
    multiple_outputs = True
    complex32_kernel = "lu_cpu"

    def forward(self, a: Any, b: Any) -> Any:
        y, info = _solve_with_info(*self.as_columns(a, b))
        return self.restored(y), info

    def backward(self, g: Any, _g_info: Any = None) -> Any:
        return super().backward(g)


def solve_ex(
    A: Tensor, B: Tensor, *, left: bool = True, check_errors: bool = False,
    out: Any = None,
) -> Any:  # fmt: skip
    """Like `solve`, but singular matrices are reported in `info` instead of raised.

    Math: y with A y = B (`left`) or y A = B      ∂L/∂B = A⁻ᵀ g      ∂L/∂A = -(∂L/∂B) yᵀ
    Shape: (*, n, n), (*, n, k) or (*, n) -> as B, (*): the first zero of the
        triangular factor, counted from 1; 0 if there is a solution

    Raises:
        LinAlgError: with `check_errors`, for a singular matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.solve_ex(torch.ones(2, 2), torch.ones(2)).info
        tensor(2, dtype=torch.int32)
    """
    need_flags("linalg_solve_ex", left=left, check_errors=check_errors)
    need_tensors("linalg_solve_ex", A=A, B=B)
    y, info = apply(SolveEx(*checked_form(A, B, left)), A, B)
    if check_errors and info._data.any():
        raise not_solved_error("torch.linalg.solve_ex", A._data)
    result = solve_ex_type(y, info)
    return result if out is None else copyto(out, result, "linalg_solve_ex", (A, B))
