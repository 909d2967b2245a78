"""Decompositions: Cholesky and QR."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply, apply1, apply2
from ...autograd.foreign_operands import accept_arrays
from ...autograd.half_precision import is_half
from ...backends import array_module
from ...dtypes import of_numpy
from ...tensor.tensor import Tensor
from ...text_arguments import as_text
from ..argument_checks import need_flags, need_tensors
from ..argument_errors import argument_error
from ..matmul.array_products import ctranspose
from ..promotion import refuse_dtype
from ..registration import copyto, public
from ..return_types import return_type
from . import lapack
from .checks import (
    need_matrix,
    need_pair,
    need_square,
    not_positive_error,
    singular_error,
)
from .eigen import saved_or_recomputed
from .replaced import warn_replaced
from .triangular_parts import concatenate, half_diagonal, lower
from .triangular_solve import solve_with_triangle

__all__ = ["cholesky", "cholesky_inverse", "cholesky_solve", "qr"]

qr_type = return_type("qr", "Q", "R")
linalg_qr_type = return_type("linalg_qr", "Q", "R")


class Cholesky(Op):
    """Cholesky decomposition of positive definite matrices.

    Math: x = y yᵀ, y lower      ∂L/∂x = y⁻ᵀ Φ(yᵀ g) y⁻¹, where Φ halves the lower
          triangle and adds the conjugate of what is below the diagonal above it;
          x = yᵀ y with `upper`, where the half that is not read is the lower one
    Shape: (*, n, n) -> (*, n, n)
    Reference: Murray, 2016
    """

    torch_name = "LinalgCholeskyEx"
    attributes = ("upper",)
    saves = ()
    saves_output = True
    caller = "linalg.cholesky"
    integers = False

    def __init__(self, upper: bool = False) -> None:
        self.upper = upper

    def check(self, x: Any) -> None:
        """Check that matrices are square, and note their dtype."""
        need_square(self.caller, x, "cholesky_cpu", integers=self.integers)
        self.kind = x._data.dtype

    def forward(self, x: Any) -> Any:
        if not x.size:
            return x.copy()
        x = ctranspose(x) if self.upper else x
        try:
            y = np.linalg.cholesky(x)
        except np.linalg.LinAlgError:
            raise not_positive_error(self.caller, x) from None
        if np.isnan(y).any():
            raise not_positive_error(self.caller, x)
        return ctranspose(y) if self.upper else lapack.column_major(y)

    def backward(self, g: Any) -> Any:
        y = self.output
        if is_half(self.kind):  # of matrices without elements
            refuse_dtype("triangular_solve_cpu", of_numpy[self.kind])
        if self.upper:
            y, g = ctranspose(y), ctranspose(g)
        inner = lower(ctranspose(y) @ g) / 2
        inner = inner + ctranspose(lower(inner, -1))
        yt = ctranspose(y)
        # y⁻ᵀ inner y⁻¹, by two solutions of triangular equations
        left = solve_with_triangle(yt, inner, upper=True)
        return ctranspose(solve_with_triangle(yt, ctranspose(left), upper=True))


class OldCholesky(Cholesky):
    """`Cholesky` with the name of the older function."""

    torch_name = "Cholesky"
    public = "cholesky"
    caller = "cholesky"
    integers = True

    def check(self, x: Any) -> None:
        """Check that matrices are square, unless they have no elements."""
        if x._data.size:
            super().check(x)
        self.kind = x._data.dtype


@public("cholesky")
def cholesky(
    input: Tensor, upper: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Cholesky decomposition of positive definite matrices.

    Math: x = y yᵀ with y lower, or yᵀ y with y upper
          ∂L/∂x = the symmetric part of y⁻ᵀ Φ(yᵀ g) y⁻¹, where Φ takes the lower half
          and halves the diagonal
    Shape: (*, n, n) -> (*, n, n)
    Reference: Murray, 2016

    Raises:
        LinAlgError: for a matrix that is not positive definite.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.cholesky(torch.tensor([[4.0, 2.0], [2.0, 2.0]]))
        tensor([[2., 0.],
                [1., 1.]])
    """
    if _m.special_modes and cholesky in _m.modes.autocast:
        return _m.autocast(cholesky, input, upper, out=out)
    need_flags("cholesky", upper=upper)
    need_tensors("cholesky", input=input)
    warn_replaced("cholesky")
    result = apply1(OldCholesky(upper), input)
    return result if out is None else copyto(out, result, "cholesky", (input,))


def linalg_cholesky(
    input: Tensor, *, upper: bool = False, out: Tensor | None = None
) -> Tensor:
    """Cholesky decomposition of positive definite matrices.

    Math: x = y yᵀ with y lower, or yᵀ y with y upper
          ∂L/∂x = the symmetric part of y⁻ᵀ Φ(yᵀ g) y⁻¹, where Φ takes the lower half
          and halves the diagonal
    Shape: (*, n, n) -> (*, n, n)
    Reference: Murray, 2016

    Raises:
        LinAlgError: for a matrix that is not positive definite.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.cholesky(torch.tensor([[4.0, 2.0], [2.0, 2.0]]))
        tensor([[2., 0.],
                [1., 1.]])
    """
    if _m.special_modes and linalg_cholesky in _m.modes.autocast:
        return _m.autocast(linalg_cholesky, input, upper=upper, out=out)
    need_flags("linalg_cholesky", upper=upper)
    need_tensors("linalg_cholesky", input=input)
    result = apply1(Cholesky(upper), input)
    return result if out is None else copyto(out, result, "linalg_cholesky", (input,))


class CholeskySolve(Op):
    """The solution of linear equations, given the Cholesky factor of the matrix.

    Math: y with L Lᵀ y = b      ∂L/∂b = (L Lᵀ)⁻¹ g = gb
          ∂L/∂L = -(gb yᵀ + y gbᵀ) L; of U = Lᵀ the transpose
    Shape: (*, n, k), (*, n, n) -> (*, n, k)
    """

    attributes = ("upper",)
    saves = (1,)
    saves_output = True

    def __init__(self, upper: bool) -> None:
        self.upper = upper

    def forward(self, b: Any, low: Any) -> Any:
        low = ctranspose(low) if self.upper else low
        with accept_arrays():
            inner = solve_with_triangle(low, b, upper=False)
            return solve_with_triangle(ctranspose(low), inner, upper=True)

    def backward(self, g: Any) -> Any:
        factor = self.inputs[1]
        gb = apply2(CholeskySolve(self.upper), g, factor)
        half = gb @ ctranspose(self.output)
        return gb, cholesky_factor_gradient(half + ctranspose(half), factor, self.upper)


def cholesky_factor_gradient(gx: Any, factor: Any, upper: bool) -> Any:
    """The gradient of a Cholesky factor, given the matrix's, negated and symmetric."""
    return -(factor @ gx) if upper else -(gx @ factor)


@public("cholesky_solve")
def cholesky_solve(
    input: Tensor, input2: Tensor, upper: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """The solution of linear equations, given the Cholesky factor of the matrix.

    Math: y with L Lᵀ y = b, L `input2`; Uᵀ U y = b with `upper`
          ∂L/∂b = (L Lᵀ)⁻¹ g      ∂L/∂L = -(gb yᵀ + y gbᵀ) L
    Shape: (*, n, k), (*, n, n) -> (*, n, k)

    Raises:
        RuntimeError: for shapes and dtypes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> torch.cholesky_solve(torch.ones(1, 1), torch.tensor([[2.0]]))
        tensor([[0.2500]])
    """
    if _m.special_modes and cholesky_solve in _m.modes.autocast:
        return _m.autocast(cholesky_solve, input, input2, upper, out=out)
    need_flags("cholesky_solve", upper=upper)
    need_tensors("cholesky_solve", input=input, input2=input2)
    for name, x in (("b", input), ("u", input2)):
        if x.ndim < 2:
            raise RuntimeError(
                f"{name} should have at least 2 dimensions, but has {x.ndim} "
                "dimensions instead"
            )
    need_pair("cholesky_solve", input, input2)
    result = apply2(CholeskySolve(upper), input, input2)
    if out is None:
        return result
    return copyto(out, result, "cholesky_solve", (input, input2))


class CholeskyInverse(Op):
    """The inverse of a matrix, given its Cholesky factor.

    Math: y = (L Lᵀ)⁻¹      ∂L/∂L = -y (g + gᵀ) y L; of U = Lᵀ the transpose
    Shape: (*, n, n) -> (*, n, n)
    """

    attributes = ("upper",)
    saves_output = True

    def __init__(self, upper: bool) -> None:
        self.upper = upper

    def check(self, x: Any) -> None:
        name = "cholesky_inverse"
        need_square(name, x, "cholesky_inverse_out_cpu", integers=True)

    def forward(self, low: Any) -> Any:
        if not np.diagonal(low, 0, -2, -1).all():
            what = "inversion could not be completed because the input matrix is "
            only = np.where(np.eye(low.shape[-1], dtype=bool), low, 0)  # never pivoted
            raise singular_error("cholesky_inverse", only, what + "singular.")
        one = array_module(low).eye(low.shape[-1], dtype=low.dtype)
        return CholeskySolve(self.upper).forward(one, low)

    def backward(self, g: Any) -> Any:
        y = self.output
        gx = y @ (g + ctranspose(g)) @ y
        return cholesky_factor_gradient(gx, self.inputs[0], self.upper)


@public("cholesky_inverse")
def cholesky_inverse(
    input: Tensor, upper: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """The inverse of a matrix, given its Cholesky factor.

    Math: y = (L Lᵀ)⁻¹, or (Uᵀ U)⁻¹ with `upper`
          ∂L/∂L = -y (g + gᵀ) y L
    Shape: (*, n, n) -> (*, n, n)

    Raises:
        LinAlgError: for a factor with a zero on its diagonal.

    Example:
        >>> import edutorch as torch
        >>> torch.cholesky_inverse(torch.tensor([[2.0]]))
        tensor([[0.2500]])
    """
    if _m.special_modes and cholesky_inverse in _m.modes.autocast:
        return _m.autocast(cholesky_inverse, input, upper, out=out)
    need_flags("cholesky_inverse", upper=upper)
    need_tensors("cholesky_inverse", input=input)
    result = apply1(CholeskyInverse(upper), input)
    return result if out is None else copyto(out, result, "cholesky_inverse", (input,))


class Qr(Op):
    """QR decomposition: an orthogonal and an upper triangular factor.

    Math: x = q r      ∂L/∂x = (gq + q M) r⁻ᵀ, M the lower half of r grᵀ - gqᵀ q,
          completed to a symmetric matrix. Where n < m, the square part x₁ = q r₁
          decides q, and x₂ = q r₂ follows: ∂L/∂x₂ = q gr₂, and gq grows by x₂ gr₂ᵀ
    Shape: (*, n, m) -> (*, n, k), (*, k, m)
    Reference: Walter and Lehmann, 2012; Roberts and Roberts, 2020
    """

    torch_name = "LinalgQr"
    attributes = ("mode",)
    multiple_outputs = True
    saves_extra = True
    saves_results = (0, 1)
    complex32_kernel = "geqrf_cpu"

    def __init__(self, mode: Any) -> None:
        self.mode = mode

    def check(self, x: Any) -> None:
        need_matrix("linalg.qr", x, "geqrf_cpu")

    def forward(self, x: Any) -> Any:
        if self.mode == "r":
            r = lapack.column_major(np.linalg.qr(x, "r"))
            return np.zeros((0,), x.dtype), r
        factors = np.linalg.qr(x, self.mode)
        self.saved = tuple(map(lapack.column_major, factors))
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
        q, r = saved_or_recomputed(self)
        n = q.shape[-1]
        wide = x.shape[-1] > n
        if wide:
            outside = gr[..., n:]
            gq = gq + x[..., n:] @ ctranspose(outside)
            r, gr = r[..., :n], gr[..., :n]
        inner = r @ ctranspose(gr) - ctranspose(gq) @ q
        low = half_diagonal(lower(inner))
        symmetric = low + ctranspose(low)
        right = ctranspose(gq + q @ symmetric)
        gx = ctranspose(solve_with_triangle(r, right, upper=True))
        return concatenate([gx, q @ outside], -1) if wide else gx


@public("qr")
def qr(input: Tensor, some: bool = True, *, out: Any = None) -> Any:
    """QR decomposition: an orthogonal and an upper triangular factor.

    Math: x = q r
          ∂L/∂x = (gq + q M) r⁻ᵀ, M the lower half of r grᵀ - gqᵀ q, completed to a
          symmetric matrix; for n >= m
    Shape: (*, n, m) -> (*, n, k), (*, k, m), k = min(n, m) (`some`) or n
    Reference: Walter and Lehmann, 2012; Roberts and Roberts, 2020

    Raises:
        RuntimeError: for fewer than two dimensions, or integers.

    Example:
        >>> import warnings
        >>> import edutorch as torch
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     Q, R = torch.qr(torch.tensor([[3.0], [4.0]]))
        >>> abs(R)
        tensor([[5.]])
    """
    if _m.special_modes and qr in _m.modes.autocast:
        return _m.autocast(qr, input, some, out=out)
    need_flags("qr", some=some)
    need_tensors("qr", input=input)
    warn_replaced("qr")
    result = qr_type(*apply(Qr("reduced" if some else "complete"), input))
    return result if out is None else copyto(out, result, "qr", (input,))


def linalg_qr(A: Tensor, mode: str = "reduced", *, out: Any = None) -> Any:
    """QR decomposition: an orthogonal and an upper triangular factor.

    Math: x = q r
          ∂L/∂x = (gq + q M) r⁻ᵀ, M the lower half of r grᵀ - gqᵀ q, completed to a
          symmetric matrix; for n >= m
    Shape: (*, n, m) -> (*, n, k), (*, k, m), k = min(n, m), or n for "complete"
    Reference: Walter and Lehmann, 2012; Roberts and Roberts, 2020

    Args:
        mode: "reduced", "complete", or "r" (without q).

    Raises:
        RuntimeError: for an unknown mode.

    Example:
        >>> import edutorch as torch
        >>> Q, R = torch.linalg.qr(torch.tensor([[3.0], [4.0]]))
        >>> abs(R)
        tensor([[5.]])
    """
    if _m.special_modes and linalg_qr in _m.modes.autocast:
        return _m.autocast(linalg_qr, A, mode, out=out)
    need_tensors("linalg_qr", A=A)
    if type(mode) is not str or mode not in ("reduced", "complete", "r"):
        raise argument_error() or RuntimeError(
            f"qr received unrecognized mode '{as_text(mode)}' but expected one of "
            "'reduced' (default), 'r', or 'complete'"
        )
    result = linalg_qr_type(*apply(Qr(mode), A))
    return result if out is None else copyto(out, result, "linalg_qr", (A,))
