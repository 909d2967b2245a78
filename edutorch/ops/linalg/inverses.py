"""Inverses, linear equations and determinants."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.op import Op, apply, apply1, apply2
from ...backends import array_module
from ...tensor.tensor import Tensor
from ..attach import composite, into, public
from ..matmul.arrays import turned
from ..pointwise.arithmetic import conj
from ..pointwise.blend import where
from ..return_types import return_type
from .checks import need_fit, need_square, not_solved, singular

__all__ = [
    "det", "inv", "inverse", "logdet", "matrix_power", "slogdet", "solve",
    "solve_triangular", "triangular_solve",
]  # fmt: skip

slogdet_type = return_type("linalg_slogdet", "sign", "logabsdet")
triangular_type = return_type("triangular_solve", "solution", "cloned_coefficient")


class Inv(Op):
    """Inverse of matrices.

    Math: y = x⁻¹      ∂L/∂x = -yᵀ g yᵀ
    Shape: (*, n, n) -> (*, n, n)
    """

    torch_name = "LinalgInvEx"
    saves = ()
    saves_output = True

    def check(self, x: Any) -> None:
        need_square("linalg.inv", x)

    def forward(self, x: Any) -> Any:
        try:
            return np.linalg.inv(x)
        except np.linalg.LinAlgError:
            raise singular(
                "linalg.inv", x, "inversion could not be completed because the input "
                "matrix is singular.",
            ) from None  # fmt: skip

    def backward(self, g: Any) -> Any:
        y = turned(self.output)
        return -(y @ g @ y)


@public("inverse")
def inv(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Inverse of square matrices.

    Math: y = x⁻¹      ∂L/∂x = -yᵀ g yᵀ
    Shape: (*, n, n) -> (*, n, n)

    Raises:
        LinAlgError: for a singular matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.inv(torch.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor([[0.5000, 0.0000],
                [0.0000, 0.2500]])
    """
    result = apply1(Inv(), A)
    return result if out is None else into(out, result)


inverse = inv


class Solve(Op):
    """Solution of linear equations.

    Math: y with a y = b      ∂L/∂b = a⁻ᵀ g      ∂L/∂a = -(∂L/∂b) yᵀ
    Shape: (*, n, n), (*, n, k) -> (*, n, k)
    """

    torch_name = "LinalgSolveEx"
    saves = (0,)
    saves_output = True

    def forward(self, a: Any, b: Any) -> Any:
        try:
            return np.linalg.solve(a, b)
        except np.linalg.LinAlgError:
            raise not_solved("torch.linalg.solve", a) from None

    def backward(self, g: Any) -> Any:
        a = self.inputs[0]
        gb = columns_solve(turned(a), g)
        return -(gb @ turned(self.output)) if self.needs[0] else None, gb


def columns_solve(a: Any, b: Any) -> Any:
    """Solve a y = b where b has columns, for formulas."""
    return apply2(Solve(), a, b)


def as_columns(A: Tensor, B: Tensor, left: bool) -> tuple[Any, Any, Any]:
    """Matrix and right-hand sides of a y = b, and how y is brought to the asked form.

    Raises:
        RuntimeError: for matrices that are not square, or do not fit.
    """
    need_square("linalg.solve", A)
    if A._data.dtype != B._data.dtype:
        raise RuntimeError(
            "linalg.solve: Expected A and B to have the same dtype, but found A of "
            f"type {A.dtype.short} and B of type {B.dtype.short} instead"
        )
    n, m = tuple(A.shape), tuple(B.shape)
    vectors = len(m) == 1 or (len(n) - 1 == len(m) and m == n[:-1])
    b = B[..., None] if vectors else B
    if b.ndim < 2:
        raise RuntimeError(
            "linalg.solve: The input tensor B must have at least 2 dimensions."
        )
    rows, columns = b.shape[-2:]
    if n[-1] != (rows if left else columns):
        raise RuntimeError(
            "linalg.solve: Incompatible shapes of A and B for the equation "
            f"{'AX' if left else 'XA'} = B ({n[-2]}x{n[-1]} and {rows}x{columns})"
        )
    if not left:
        return plain_turn(A), plain_turn(b), plain_turn
    return A, b, (lambda y: y[..., 0]) if vectors else (lambda y: y)


def solve(
    A: Tensor, B: Tensor, *, left: bool = True, out: Tensor | None = None
) -> Tensor:
    """Solution of linear equations.

    Math: y with A y = B (`left`) or y A = B      ∂L/∂B = A⁻ᵀ g      ∂L/∂A = -(∂L/∂B) yᵀ
    Shape: (*, n, n), (*, n, k) or (*, n) -> as B

    Raises:
        LinAlgError: for a singular matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.solve(torch.tensor([[2.0, 0.0], [0.0, 4.0]]), torch.ones(2))
        tensor([0.5000, 0.2500])
    """
    a, b, back = as_columns(A, B, left)
    result: Tensor = back(columns_solve(a, b))
    return result if out is None else into(out, result)


def plain_turn(x: Any) -> Any:
    """The last two dimensions swapped, without conjugation."""
    return x.swapaxes(-2, -1)


class SolveTriangular(Op):
    """Solution of equations with a triangular matrix.

    Math: y with a y = b      ∂L/∂b = a⁻ᵀ g      ∂L/∂a = the triangle of -(∂L/∂b) yᵀ
    Shape: (*, n, n), (*, n, k) -> (*, n, k)
    """

    torch_name = "LinalgSolveTriangular"
    attributes = ("upper", "unit")
    saves = (0,)
    saves_output = True

    def __init__(self, upper: bool, unit: bool) -> None:
        self.upper, self.unit = upper, unit

    def check(self, a: Any, b: Any) -> None:
        need_square("linalg.solve_triangular", a)

    def forward(self, a: Any, b: Any) -> Any:
        a = self.triangle(a)
        if self.unit:
            n = a.shape[-1]
            a = np.where(np.eye(n, dtype=bool), a.dtype.type(1), a)
        try:
            return np.linalg.solve(a, b)
        except np.linalg.LinAlgError:
            shape = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
            return np.full((*shape, *b.shape[-2:]), np.inf, b.dtype)

    def triangle(self, x: Any) -> Any:
        """The triangle that counts, of an array or tensor."""
        n = x.shape[-1]
        xp = array_module(getattr(x, "_data", x))
        mask = xp.tri(n, k=-1 if self.unit else 0, dtype=bool)
        return where(mask.T if self.upper else mask, x, 0)

    def backward(self, g: Any) -> Any:
        a = self.inputs[0]
        gb = triangular(turned(a), g, not self.upper, self.unit)
        ga = -self.triangle(gb @ turned(self.output)) if self.needs[0] else None
        return ga, gb


def triangular(a: Any, b: Any, upper: bool, unit: bool = False) -> Any:
    """Solve a y = b with a triangular matrix, for formulas."""
    return apply2(SolveTriangular(upper, unit), a, b)


def solve_triangular(
    A: Tensor,
    B: Tensor,
    *,
    upper: bool,
    left: bool = True,
    unitriangular: bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Solution of equations with a triangular matrix, of which one half is read.

    Math: y with A y = B (`left`) or y A = B
          ∂L/∂B = A⁻ᵀ g      ∂L/∂A = the triangle of -(∂L/∂B) yᵀ
    Shape: (*, n, n), (*, n, k) -> (*, n, k)

    Args:
        upper: whether the upper half counts.
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
    need_fit("linalg.solve_triangular", A, B, left)
    result: Tensor
    if left:
        result = triangular(A, B, upper, unitriangular)
    else:
        turned_a, turned_b = plain_turn(A), plain_turn(B)
        result = plain_turn(triangular(turned_a, turned_b, not upper, unitriangular))
    return result if out is None else into(out, result)


@public("triangular_solve")
def triangular_solve(
    b: Tensor,
    A: Tensor,
    upper: bool = True,
    transpose: bool = False,
    unitriangular: bool = False,
    *,
    out: Any = None,
) -> Any:
    """Solution of equations with a triangular matrix, and a copy of the matrix.

    Math: y with A y = b, or Aᵀ y = b (`transpose`)
    Shape: (*, n, k), (*, n, n) -> (*, n, k), (*, n, n)

    Raises:
        RuntimeError: for sizes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> A = torch.tensor([[2.0, 9.0], [0.0, 4.0]])
        >>> torch.triangular_solve(torch.ones(2, 1), A).solution
        tensor([[-0.6250],
                [ 0.2500]])
    """
    n, m = A.shape[-1], b.shape[-2]
    if n != m:
        raise RuntimeError(
            f"Incompatible matrix sizes for triangular_solve: each A matrix is {n} by "
            f"{n} but each b matrix is {m} by {b.shape[-1]}"
        )
    matrix, half = (plain_turn(A), not upper) if transpose else (A, upper)
    result = triangular_type(triangular(matrix, b, half, unitriangular), A.clone())
    return result if out is None else into(out, result)


class Det(Op):
    """Determinant of matrices.

    Math: y = det x      ∂L/∂x = g · y · x⁻ᵀ, which is g times the cofactors
    Shape: (*, n, n) -> (*)
    """

    torch_name = "LinalgDet"
    saves_output = True

    def check(self, x: Any) -> None:
        need_square("linalg.det", x)

    def forward(self, x: Any) -> Any:
        with np.errstate(all="ignore"):  # NumPy warns where it narrows to single
            return np.asarray(np.linalg.det(x)).astype(x.dtype)

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        if isinstance(x, Tensor):
            scale = g * conj(self.output)
            return scale[..., None, None] * turned(inv(x))
        return np.asarray(g)[..., None, None] * _cofactors(x)


def _cofactors(x: Any) -> Any:
    """Cofactors by singular values, of singular matrices too."""
    u, s, vh = np.linalg.svd(x)
    n = s.shape[-1]
    others = np.where(np.eye(n, dtype=bool), 1, s[..., None, :]).prod(-1)
    sign = np.linalg.det(u) * np.linalg.det(vh)
    return turned(turned(vh) @ (others[..., None] * turned(u)) * sign[..., None, None])


@public("det")
def det(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Determinant of square matrices.

    Math: y = det x      ∂L/∂x = g · y · x⁻ᵀ
    Shape: (*, n, n) -> (*)

    Raises:
        RuntimeError: for what is no square matrix of floating numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.det(torch.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor(8.)
    """
    result = apply1(Det(), A)
    return result if out is None else into(out, result)


class Slogdet(Op):
    """Sign and logarithm of the size of the determinant.

    Math: y = (det x / |det x|, ln |det x|)      ∂L/∂x = g₂ · x⁻ᵀ
    Shape: (*, n, n) -> (*), (*)
    """

    torch_name = "LinalgSlogdet"
    several = True

    def check(self, x: Any) -> None:
        need_square("linalg.slogdet", x)

    def forward(self, x: Any) -> Any:
        sign, logarithm = np.linalg.slogdet(x)
        return np.asarray(sign, x.dtype), np.asarray(logarithm).astype(x.real.dtype)

    def backward(self, g_sign: Any, g: Any) -> Any:
        x = self.inputs[0]
        if getattr(x, "_data", x).dtype.kind == "c":
            turn = conj(g_sign) * slogdet(x)[0]
            g = g - turn.imag * 1j  # how the direction turns with x
        return g[..., None, None] * turned(inv(x))


@public("slogdet")
def slogdet(A: Tensor, *, out: Any = None) -> Any:
    """Sign and logarithm of the size of the determinant, without overflow.

    Math: y = (det x / |det x|, ln |det x|)      ∂L/∂x = g₂ · x⁻ᵀ
    Shape: (*, n, n) -> (*), (*)

    Raises:
        RuntimeError: for what is no square matrix of floating numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.slogdet(torch.tensor([[2.0, 0.0], [0.0, 4.0]])).logabsdet
        tensor(2.0794)
    """
    found = apply(Slogdet(), A)
    result = slogdet_type(*found)
    return result if out is None else into(out, result)


@public("logdet")
@composite
def logdet(input: Tensor) -> Tensor:
    """Logarithm of the determinant; nan where it is negative.

    Math: y = ln det x      ∂L/∂x = g · x⁻ᵀ
    Shape: (*, n, n) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.logdet(torch.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor(2.0794)
    """
    sign, logarithm = slogdet(input)
    if input.is_complex():
        return sign.log() + logarithm  # type: ignore[no-any-return]
    return where(sign == -1, float("nan"), logarithm)  # type: ignore[no-any-return]


@public("matrix_power")
@composite
def matrix_power(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Square matrices multiplied n times; of the inverse for negative n.

    Math: y = xⁿ
    Shape: (*, n, n) -> (*, n, n)

    Example:
        >>> import edutorch as torch
        >>> torch.matrix_power(torch.tensor([[1.0, 1.0], [0.0, 1.0]]), 3)
        tensor([[1., 3.],
                [0., 1.]])
    """
    need_square("linalg.matrix_power", input)
    result: Tensor
    if n == 0:
        size = input.shape[-1]
        xp = array_module(input._data)
        result = input * 0 + xp.eye(size, dtype=input._data.dtype)
    else:
        base = inv(input) if n < 0 else input
        result = _power(base, abs(n))
    return result if out is None else into(out, result)


def _power(x: Any, n: int) -> Any:
    """xⁿ by squaring."""
    y = None
    while n:
        if n % 2:
            y = x if y is None else y @ x
        n //= 2
        if n:
            x = x @ x
    return y
