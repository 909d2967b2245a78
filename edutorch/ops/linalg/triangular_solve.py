"""Linear equations with triangular matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply, apply2
from ...autograd.foreign_operands import accept_arrays
from ...backends import array_module
from ...tensor.tensor import Tensor
from ..argument_checks import need_flags, need_tensors, type_error
from ..matmul.array_products import ctranspose
from ..pointwise.ternary import where
from ..registration import copyto, public
from ..return_types import return_type
from . import lapack
from .checks import need_fit, need_pair, need_square
from .inverse_solve import matrix_transpose
from .replaced import warn_replaced

__all__ = ["solve_triangular", "triangular_solve"]

triangular_type = return_type("triangular_solve", "solution", "cloned_coefficient")


class SolveTriangular(Op):
    """Solution of equations with a triangular matrix.

    Math: y with a y = b (`left`) or y a = b      ∂L/∂b = a⁻ᵀ g or g a⁻ᵀ
          ∂L/∂a = the triangle of -(∂L/∂b) yᵀ or -yᵀ (∂L/∂b)
    Shape: (*, n, n), (*, n, k) -> (*, n, k)
    """

    torch_name = "LinalgSolveTriangular"
    attributes = ("upper", "unit", "left")
    saves = (0,)
    saves_output = True
    complex32_kernel = "triangular_solve_cpu"

    def __init__(self, upper: bool, unit: bool, left: bool = True) -> None:
        self.upper, self.unit, self.left = upper, unit, left

    def check(self, a: Any, b: Any) -> None:
        need_square("linalg.solve_triangular", a, "triangular_solve_cpu", integers=True)

    def forward(self, a: Any, b: Any) -> Any:
        with accept_arrays():
            a = self.triangle(a)
        if self.unit:
            n = a.shape[-1]
            diagonal = array_module(a).eye(n, dtype=bool)
            a = np.where(diagonal, a.dtype.type(1), a)
        if self.left:
            return lapack.column_major(self.solve(a, b, self.upper))
        y = self.solve(matrix_transpose(a), matrix_transpose(b), not self.upper)
        return lapack.column_major(matrix_transpose(y))

    def solve(self, a: Any, b: Any, upper: bool) -> Any:
        """Solve a y = b; zeros on the diagonal give inf and nan."""
        try:
            return np.linalg.solve(a, b)
        except np.linalg.LinAlgError:
            return self.substitute(a, b, upper)

    def substitute(self, a: Any, b: Any, upper: bool) -> Any:
        """Solve by substitution; zeros on the diagonal give inf and nan."""
        n = a.shape[-1]
        shape = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        y = np.broadcast_to(b, (*shape, *b.shape[-2:])).copy()
        with np.errstate(all="ignore"):
            for i in reversed(range(n)) if upper else range(n):
                row = slice(i, i + 1)
                y[..., row, :] /= a[..., row, row]
                rest = slice(i) if upper else slice(i + 1, n)
                y[..., rest, :] -= a[..., rest, row] * y[..., row, :]
        return y

    def triangle(self, x: Any) -> Any:
        """The triangle of an array or tensor that is read."""
        n = x.shape[-1]
        xp = array_module(getattr(x, "_data", x))
        mask = xp.tri(n, k=-1 if self.unit else 0, dtype=bool)
        return where(mask.T if self.upper else mask, x, 0)

    def backward(self, g: Any) -> Any:
        return self.gradients(g, self.inputs[0], self.output, self.needs[0])

    def gradients(self, g: Any, a: Any, y: Any, of_matrix: bool) -> Any:
        """∂L/∂a, if it is needed, and ∂L/∂b."""
        op = SolveTriangular(not self.upper, self.unit, self.left)
        gb = apply2(op, ctranspose(a), g)
        if not of_matrix:
            return None, gb
        yt = ctranspose(y)
        return -self.triangle(gb @ yt if self.left else yt @ gb), gb


def solve_with_triangle(a: Any, b: Any, upper: bool, unit: bool = False) -> Any:
    """Solve a y = b with a triangular matrix, for formulas."""
    return apply2(SolveTriangular(upper, unit), a, b)


class TriangularSolve(Op):
    """Solution of equations with a triangular matrix, and a copy of the matrix.

    Math: y with a y = b; aᵀ y = b with `transpose`
          ∂L/∂b = a⁻ᵀ g      ∂L/∂a = the triangle of -(∂L/∂b) yᵀ, plus that of the copy
    Shape: (*, n, k), (*, n, n) -> (*, n, k), (*, n, n)
    """

    attributes = ("upper", "transpose", "unit")
    multiple_outputs = True
    saves = (1,)
    saves_output = True
    complex32_kernel = "triangular_solve_cpu"

    def __init__(self, upper: bool, transpose: bool, unit: bool) -> None:
        self.upper, self.transpose, self.unit = upper, transpose, unit

    def check(self, b: Any, a: Any) -> None:
        self.solver.check(a, b)

    @property
    def solver(self) -> SolveTriangular:
        """The op for the solution."""
        return SolveTriangular(self.upper != self.transpose, self.unit)

    def forward(self, b: Any, a: Any) -> Any:
        y = self.solver.forward(matrix_transpose(a) if self.transpose else a, b)
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        return y, lapack.column_major(np.broadcast_to(a, batch + a.shape[-2:]))

    def backward(self, g: Any, g_copy: Any) -> Any:
        a, y = self.inputs[-1], self.output
        turned = matrix_transpose(a) if self.transpose else a
        ga, gb = self.solver.gradients(g, turned, y, self.needs[1])
        if ga is None:
            return gb, None
        return gb, (matrix_transpose(ga) if self.transpose else ga) + g_copy


def solve_triangular(
    input: Tensor,
    B: Tensor,
    *,
    upper: bool,
    left: bool = True,
    unitriangular: bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Solution of equations with a triangular matrix; its other triangle is not read.

    Math: y with A y = B (`left`) or y A = B, A `input`
          ∂L/∂B = A⁻ᵀ g      ∂L/∂A = the triangle of -(∂L/∂B) yᵀ
    Shape: (*, n, n), (*, n, k) -> (*, n, k)

    Args:
        upper: whether the upper triangle is read.
        unitriangular: take the diagonal to be 1.

    Raises:
        RuntimeError: for sizes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> A = torch.tensor([[2.0, 9.0], [0.0, 4.0]])
        >>> torch.linalg.solve_triangular(A, torch.ones(2, 1), upper=True)
        tensor([[-0.6250],
                [ 0.2500]])
    """
    need_flags("linalg_solve_triangular", upper=upper, left=left)
    if unitriangular is not False and unitriangular is not True:
        raise type_error(
            "bool", "unitriangular", unitriangular, "linalg_solve_triangular"
        )
    need_tensors("linalg_solve_triangular", input=input, B=B)
    need_fit("linalg.solve_triangular", input, B, left)
    if B._data.dtype != input._data.dtype:
        B = B.to(input.dtype)
    result: Tensor = apply2(SolveTriangular(upper, unitriangular, left), input, B)
    if out is None:
        return result
    return copyto(out, result, "linalg_solve_triangular", (input, B))


@public("triangular_solve")
def triangular_solve(
    input: Tensor,
    A: Tensor,
    upper: bool = True,
    transpose: bool = False,
    unitriangular: bool = False,
    *,
    out: Any = None,
) -> Any:
    """Solution of equations with a triangular matrix, and a copy of the matrix.

    Math: y with A y = b, b `input`; Aᵀ y = b with `transpose`
          ∂L/∂b = A⁻ᵀ g      ∂L/∂A = the triangle of -(∂L/∂b) yᵀ
    Shape: (*, n, k), (*, n, n) -> (*, n, k), (*, n, n)

    Raises:
        RuntimeError: for sizes that do not fit.

    Example:
        >>> import warnings
        >>> import edutorch as torch
        >>> A = torch.tensor([[2.0, 9.0], [0.0, 4.0]])
        >>> with warnings.catch_warnings(action="ignore"):
        ...     torch.triangular_solve(torch.ones(2, 1), A).solution
        tensor([[-0.6250],
                [ 0.2500]])
    """
    if _m.special_modes and triangular_solve in _m.modes.autocast:
        return _m.autocast(
            triangular_solve, input, A, upper, transpose, unitriangular, out=out
        )
    need_flags(
        "triangular_solve",
        upper=upper,
        transpose=transpose,
        unitriangular=unitriangular,
    )
    need_tensors("triangular_solve", input=input, A=A)
    for name, x in (("b", input), ("A", A)):
        if x.ndim < 2:
            raise RuntimeError(
                f"torch.triangular_solve: Expected {name} to have at least 2 "
                f"dimensions, but it has {x.ndim} dimensions instead"
            )
    need_pair("triangular_solve", input, A)
    warn_replaced("triangular_solve")
    op = TriangularSolve(upper, transpose, unitriangular)
    result = triangular_type(*apply(op, input, A))
    return (
        result if out is None else copyto(out, result, "triangular_solve", (input, A))
    )
