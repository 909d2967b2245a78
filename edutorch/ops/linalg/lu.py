"""LU decomposition with pivoting."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import Op, apply
from ...autograd.foreign_operands import accept_arrays
from ...backends import array_module, host_array
from ...op_events import reported_as
from ...tensor.tensor import Tensor, wrap
from ..argument_checks import need_flags, need_one_device, need_tensors
from ..matmul.array_products import ctranspose
from ..registration import composite, copyto
from ..return_types import return_type
from . import lapack
from .checks import (
    failures,
    need_columns,
    need_matrix,
    need_precision,
    need_square,
)  # fmt: skip
from .inverse_solve import matrix_transpose
from .triangular_parts import column_major, concatenate, lower, upper
from .triangular_solve import solve_with_triangle

__all__ = ["lu", "lu_factor", "lu_factor_ex", "lu_solve", "lu_unpack"]

lu_type = return_type("linalg_lu", "P", "L", "U")
lu_factor_type = return_type("linalg_lu_factor", "LU", "pivots")
lu_factor_ex_type = return_type("linalg_lu_factor_ex", "LU", "pivots", "info")
lu_with_info_type = return_type("_lu_with_info", "LU", "pivots", "info")
lu_unpack_type = return_type("lu_unpack", "P", "L", "U")


class LuFactor(Op):
    """Triangular factors in one matrix, and the row swaps.

    Math: x = P L U, with L below the diagonal and U on and above it
          ∂L/∂x = P L⁻ᵀ (tril(Lᵀ gL, -1) + triu(gU Uᵀ)) U⁻ᵀ, gL and gU the halves of g
    Shape: (*, n, m) -> (*, n, m), (*, min(n, m)), (*)
    """

    torch_name = "LinalgLuFactorEx"
    multiple_outputs = True
    saves_extra = True
    saves_results = (0, 1)
    complex32_kernel = "lu_cpu"

    def check(self, x: Any) -> None:
        if x._data.ndim < 2:
            raise RuntimeError(
                "torch.lu_factor: Expected tensor with 2 or more dimensions. Got size: "
                f"{list(x.shape)} instead"
            )
        need_matrix("torch.linalg.lu_factor", x, "lu_cpu", integers=True)

    def forward(self, x: Any) -> Any:
        n, m = x.shape[-2:]
        factors = np.empty(x.shape, x.dtype)
        pivots = np.empty((*x.shape[:-2], min(n, m)), np.int32)
        info = np.zeros(x.shape[:-2], np.int32)
        for place in np.ndindex(x.shape[:-2]):
            factors[place], swaps, info[place] = lapack.lu_factors(x[place])
            pivots[place] = swaps + 1
        self.saved = pivots
        return lapack.column_major(factors), pivots, info

    def backward(self, g: Any, _g_pivots: Any, _g_info: Any) -> Any:
        x = self.inputs[0]
        factors = lu_factors(x)[0]
        low, high = split(factors)
        k = min(x.shape[-2:])
        gl, gu = lower(g[..., :, :k], -1), upper(g[..., :k, :])
        order = permutation(self.saved, x.shape[-2])
        return rows_permuted(lu_gradient(low, high, gl, gu), order)


def lu_factors(x: Any) -> Any:
    """The factors and pivots, and the index of the first zero pivot, for formulas."""
    return apply(LuFactor(), x)


def permutation(pivots: Any, n: int) -> Any:
    """The permutation that results from consecutive row swaps."""
    pivots = host_array(pivots)
    order = np.empty((*pivots.shape[:-1], n), np.int64)
    order[...] = np.arange(n)
    for i in range(pivots.shape[-1]):
        partner = pivots[..., i : i + 1].astype(np.int64) - 1
        other = np.take_along_axis(order, partner, -1)
        np.put_along_axis(order, partner, order[..., i : i + 1], -1)
        order[..., i : i + 1] = other
    return order


def rows_permuted(x: Any, order: Any) -> Any:
    """The rows of P x, where x = Pᵀ (L U) has its rows in `order`."""
    n = order.shape[-1]
    matrix = np.zeros((*order.shape, n), getattr(x, "_data", x).dtype)
    np.put_along_axis(matrix, order[..., None, :], 1, -2)  # column i: row order[i]
    matrix = array_module(getattr(x, "_data", x)).asarray(matrix)
    return matrix @ x if not isinstance(x, Tensor) else _constant(matrix, x) @ x


def _constant(array: Any, like: Tensor) -> Tensor:
    return wrap(array, like.device)


def split(factors: Any) -> tuple[Any, Any]:
    """Split one matrix into L (n, k) and U (k, m), for formulas."""
    n, m = factors.shape[-2:]
    k = min(n, m)
    xp = array_module(getattr(factors, "_data", factors))
    one = xp.eye(n, k, dtype=getattr(factors, "_data", factors).dtype)
    with accept_arrays():
        return lower(factors[..., :, :k], -1) + one, upper(factors[..., :k, :])


def lu_gradient(low: Any, high: Any, gl: Any, gu: Any) -> Any:
    """The gradient of L U without permutation.

    For square matrices L⁻ᵀ (tril(Lᵀ gl, -1) + triu(gu Uᵀ)) U⁻ᵀ; what exceeds the
    square depends on it by one of the factors alone.
    """
    n, m = low.shape[-2], high.shape[-1]
    k = min(n, m)
    low1, high1 = low[..., :k, :], high[..., :, :k]
    gl1, gu1 = gl[..., :k, :], gu[..., :, :k]
    extra_l = extra_u = None
    inner = lower(ctranspose(low1) @ gl1, -1) + upper(gu1 @ ctranspose(high1))
    if n > k:  # rows below: x₂ = L₂ U₁
        gl2 = gl[..., k:, :]
        extra_l = ctranspose(
            solve_with_triangle(high1, ctranspose(gl2), upper=True)
        )  # gl₂ U₁⁻ᵀ
        inner = inner - upper(ctranspose(low[..., k:, :]) @ gl2)
    if m > k:  # columns to the right: x₂ = L₁ U₂
        gu2 = gu[..., :, k:]
        extra_u = solve_with_triangle(ctranspose(low1), gu2, upper=True)  # L₁⁻ᵀ gu₂
        inner = inner - lower(gu2 @ ctranspose(high[..., :, k:]), -1)
    right = ctranspose(solve_with_triangle(high1, ctranspose(inner), upper=True))
    gx = solve_with_triangle(ctranspose(low1), right, upper=True)
    if extra_l is not None:
        gx = concatenate([gx, extra_l], -2)
    return gx if extra_u is None else concatenate([gx, extra_u], -1)


def lu_factor(A: Tensor, *, pivot: bool = True, out: Any = None) -> Any:
    """Triangular factors in one matrix, and the row swaps.

    Math: x = P L U, with L below the diagonal and U on and above it
          ∂L/∂x = P L⁻ᵀ (tril(Lᵀ gL, -1) + triu(gU Uᵀ)) U⁻ᵀ, gL and gU the halves of g
    Shape: (*, n, m) -> (*, n, m), (*, min(n, m))

    Raises:
        RuntimeError: for a singular matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.lu_factor(torch.tensor([[1.0, 2.0], [4.0, 4.0]])).LU
        tensor([[4.0000, 4.0000],
                [0.2500, 1.0000]])
    """
    need_flags("linalg_lu_factor", pivot=pivot)
    need_tensors("linalg_lu_factor", A=A)
    need_pivots("linalg.lu_factor", pivot, A)
    packed, pivots, info = lu_factors(A)
    refuse_zeros("torch.linalg.lu_factor", A, info)
    result = lu_factor_type(packed, pivots)
    return result if out is None else copyto(out, result, "linalg_lu_factor", (A,))


def lu_factor_ex(
    A: Tensor, *, pivot: bool = True, check_errors: bool = False, out: Any = None
) -> Any:
    """Like `lu_factor`, but singular matrices are reported in `info`.

    Math: x = P L U, with L below the diagonal and U on and above it
          ∂L/∂x: as of `lu_factor`
    Shape: (*, n, m) -> (*, n, m), (*, min(n, m)), (*): the first zero of U, counted
        from 1; 0 if there is none

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.lu_factor_ex(torch.ones(2, 2)).info
        tensor(2, dtype=torch.int32)
    """
    need_flags("linalg_lu_factor_ex", pivot=pivot, check_errors=check_errors)
    need_tensors("linalg_lu_factor_ex", A=A)
    need_pivots("linalg.lu_factor", pivot, A)
    result = lu_factor_ex_type(*lu_factors(A))
    if check_errors:
        refuse_zeros("torch.linalg.lu_factor_ex", A, result.info)
    return result if out is None else copyto(out, result, "linalg_lu_factor_ex", (A,))


def need_pivots(name: str, pivot: bool, A: Tensor) -> None:
    """Raise for factors without pivots, which only a GPU has.

    Raises:
        RuntimeError: unless the matrices have no elements, or are refused anyway.
    """
    if not pivot and A.ndim > 1 and A.numel() and A._data.dtype.char in "fdFD":
        raise RuntimeError(f"{name}: LU without pivoting is not implemented on the CPU")


def refuse_zeros(name: str, A: Tensor, info: Tensor) -> None:
    """Raise for factors with which equations cannot be solved."""
    if info._data.any():
        batch, place = next(failures(A._data, lapack.lu_factors))
        raise RuntimeError(
            f"{name}: {batch}U[{place},{place}] is zero and using it on lu_solve would "
            "result in a division by zero. If you still want to perform the "
            "factorization, consider calling linalg.lu(A, pivot) or "
            "linalg.lu_factor_ex(A, pivot)"
        )


@composite
@reported_as("linalg_lu")
def lu(A: Tensor, *, pivot: bool = True, out: Any = None) -> Any:
    """Factor matrices into a permutation and triangular factors.

    Math: x = P L U      ∂L/∂x = P L⁻ᵀ (tril(Lᵀ gL, -1) + triu(gU Uᵀ)) U⁻ᵀ
    Shape: (*, n, m) -> (*, n, n), (*, n, k), (*, k, m)

    Raises:
        RuntimeError: for fewer than two dimensions.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.lu(torch.tensor([[1.0, 2.0], [4.0, 4.0]])).U
        tensor([[4., 4.],
                [0., 1.]])
    """
    need_flags("linalg_lu", pivot=pivot)
    need_tensors("linalg_lu", A=A)
    need_pivots("linalg.lu_factor", pivot, A)
    if A.ndim < 2:
        raise RuntimeError(
            "linalg.lu: Expected tensor with 2 or more dimensions. Got size: "
            f"{list(A.shape)} instead"
        )
    swaps, L, U = lu_unpack(*lu_factors(A)[:2])
    result = lu_type(swaps if pivot else swaps.new_empty(0), L, U)
    return result if out is None else copyto(out, result, "linalg_lu", (A,))


def lu_unpack(
    LU_data: Tensor,
    LU_pivots: Tensor,
    unpack_data: bool = True,
    unpack_pivots: bool = True,
    *,
    out: Any = None,
) -> Any:
    """Unpack the permutation and triangular factors of `lu_factor`.

    Math: x = P L U, read from the factors      ∂L/∂LU = the halves of gL and gU
    Shape: (*, n, m), (*, k) -> (*, n, n), (*, n, k), (*, k, m)

    Raises:
        RuntimeError: for pivots of another type than int32.

    Example:
        >>> import edutorch as torch
        >>> A = torch.tensor([[1.0, 2.0], [4.0, 4.0]])
        >>> torch.lu_unpack(*torch.linalg.lu_factor(A)).P
        tensor([[0., 1.],
                [1., 0.]])
    """
    need_flags("lu_unpack", unpack_data=unpack_data, unpack_pivots=unpack_pivots)
    need_tensors("lu_unpack", LU_data=LU_data, LU_pivots=LU_pivots)
    need_one_device("lu_unpack", LU_data, LU_pivots=LU_pivots)
    if LU_data.ndim < 2:
        raise RuntimeError(
            "torch.lu_unpack: Expected tensor with 2 or more dimensions. Got size: "
            f"{list(LU_data.shape)} instead"
        )
    n = LU_data.shape[-2]
    none = LU_data.new_zeros(0)
    if LU_pivots._data.dtype != np.int32 and unpack_pivots:
        raise RuntimeError(
            "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of "
            "torch.int32 dtype.\nNote: this function is intended to be used with the "
            "output produced by torch.linalg.lu_factor"
        )
    matrix = low = high = none
    if unpack_pivots:
        order = permutation(LU_pivots._data, n)
        array = np.zeros((*order.shape, n), LU_data._data.dtype)
        np.put_along_axis(array, order[..., None, :], 1, -2)
        matrix = _constant(array, LU_data)
    if unpack_data:
        low, high = (part.contiguous() for part in split(LU_data))
    result = lu_unpack_type(matrix, low, high)
    if out is None:
        return result
    return copyto(out, result, "lu_unpack", (LU_data, LU_pivots))


@composite
def lu_solve(
    LU: Tensor, pivots: Tensor, B: Tensor, *, left: bool = True, adjoint: bool = False,
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Solution of linear equations, given the result of `lu_factor`.

    Math: y with A y = B (`left`) or y A = B; Aᵀ in place of A with `adjoint`
          ∂L/∂B = A⁻ᵀ g; for LU, those of two triangular solutions
    Shape: (*, n, n), (*, n), (*, n, k) -> (*, n, k)

    Raises:
        RuntimeError: for shapes and dtypes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> factors = torch.linalg.lu_factor(torch.tensor([[2.0, 0.0], [0.0, 4.0]]))
        >>> torch.linalg.lu_solve(*factors, torch.ones(2, 1))
        tensor([[0.5000],
                [0.2500]])
    """
    need_flags("linalg_lu_solve", left=left, adjoint=adjoint)
    need_tensors("linalg_lu_solve", LU=LU, pivots=pivots, B=B)
    _check_solve(LU, pivots, B, left)
    order, low, high = lu_unpack(LU, pivots)
    result: Tensor
    if not left:  # y A = B is Aᵀ yᵀ = Bᵀ
        flipped = lu_solve(LU, pivots, ctranspose(B), adjoint=not adjoint)
        result = ctranspose(flipped)
    elif adjoint:
        inner = solve_with_triangle(ctranspose(high), B, upper=False)
        result = order @ solve_with_triangle(
            ctranspose(low), inner, upper=True, unit=True
        )
        result = column_major(result)
    else:
        inner = solve_with_triangle(
            low, matrix_transpose(order) @ B, upper=False, unit=True
        )
        result = solve_with_triangle(high, inner, upper=True)
    if out is None:
        return result
    return copyto(out, result, "linalg_lu_solve", (LU, pivots, B))


def _check_solve(LU: Tensor, pivots: Tensor, B: Tensor, left: bool) -> None:
    """Raise for operands that `lu_solve` does not support."""
    name = "torch.linalg.lu_solve"
    need_precision(name, LU, "linalg.lu_solve_cpu")
    if LU.dtype is not B.dtype:
        raise RuntimeError(
            f"linalg.lu_solve: Expected LU and B to have the same dtype, but found LU "
            f"of type {LU.dtype.short} and B of type {B.dtype.short} instead"
        )
    if pivots._data.dtype != np.int32:
        raise RuntimeError(
            "linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32"
        )
    need_square(name, LU)
    need_columns("linalg.lu_solve", LU, B, left)
    if pivots.shape[-1:] != LU.shape[-1:]:
        raise RuntimeError(
            "linalg.lu_solve: Number of pivots per batch should be same as the "
            "dimension of the matrix"
        )
    if LU.shape[:-1] != pivots.shape:
        raise RuntimeError(
            "linalg.lu_solve: Expected LU.shape[:-1] and pivots.shape to be the same, "
            f"but got pivots with shape {list(pivots.shape)} instead"
        )
