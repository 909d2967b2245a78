"""Inverses, powers and linear equations."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply1, apply2
from ...backends import array_module
from ...layouts import contiguous_format
from ...op_events import reported, reported_as
from ...tensor.tensor import Tensor, wrap
from ..argument_checks import need_flags, need_tensors
from ..matmul.array_products import ctranspose
from ..out_argument import is_refused_first
from ..pointwise.conjugate import conj
from ..registration import composite, copyto, public
from . import lapack
from .checks import (
    index_of,
    need_columns,
    need_equal_sides,
    need_matrix,
    need_precision,
    need_square,
    need_square_shape,
    not_solved_error,
    singular_error,
)

__all__ = ["inv", "inverse", "matrix_power", "solve"]


class Inv(Op):
    """Inverse of matrices.

    Math: y = x⁻¹      ∂L/∂x = -yᵀ g yᵀ
    Shape: (*, n, n) -> (*, n, n)
    """

    torch_name = "LinalgInvEx"
    saves = ()
    saves_output = True

    def check(self, x: Any) -> None:
        need_square("linalg.inv_ex" if x.is_meta else "linalg.inv", x)

    def forward(self, x: Any) -> Any:
        try:
            return lapack.column_major(np.linalg.inv(x))
        except np.linalg.LinAlgError:
            raise singular_error(
                "linalg.inv", x, "inversion could not be completed because the input "
                "matrix is singular.",
            ) from None  # fmt: skip

    def backward(self, g: Any) -> Any:
        y = ctranspose(self.output)
        return -(y @ g @ y)


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
    if _m.special_modes and inv in _m.modes.autocast:
        return _m.autocast(inv, A, out=out)
    need_tensors("linalg_inv", A=A)
    result = apply1(Inv(), A)
    return result if out is None else copyto(out, result, "linalg_inv", (A,))


@public("inverse")
@reported
def inverse(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """An alias of `torch.linalg.inv`.

    Math: y = x⁻¹      ∂L/∂x = -yᵀ g yᵀ
    Shape: (*, n, n) -> (*, n, n)

    Raises:
        LinAlgError: for a singular matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.inverse(torch.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor([[0.5000, 0.0000],
                [0.0000, 0.2500]])
    """
    need_tensors("inverse", input=input)
    return inv(input, out=out)


class Solve(Op):
    """Solution of linear equations.

    Math: y with a y = b (`left`) or y a = b      ∂L/∂b = a⁻ᵀ g or g a⁻ᵀ
          ∂L/∂a = -(∂L/∂b) yᵀ or -yᵀ (∂L/∂b)
    Shape: (*, n, n), (*, n, k) or (*, n) (`vectors`) -> as b
    """

    torch_name = "LinalgSolveEx"
    attributes = ("left", "vectors")
    saves = (0,)
    saves_output = True
    complex32_kernel = "lu_cpu"

    def __init__(self, left: bool, vectors: bool) -> None:
        self.left, self.vectors = left, vectors

    def forward(self, a: Any, b: Any) -> Any:
        a, b = self.as_columns(a, b)
        try:
            return self.restored(np.linalg.solve(a, b))
        except np.linalg.LinAlgError:
            raise not_solved_error("torch.linalg.solve", a) from None

    def as_columns(self, a: Any, b: Any) -> tuple[Any, Any]:
        """The arrays of the same equations as a y = b, b with columns."""
        if self.vectors:
            return a, b[..., None]
        return (a, b) if self.left else (matrix_transpose(a), matrix_transpose(b))

    def restored(self, y: Any) -> Any:
        """The solution in the shape of b; matrices of columns are column-major."""
        y = lapack.column_major(y)
        if self.vectors:
            y = y[..., 0]
            return y if y.ndim < 2 else lapack.column_major(y)
        return y if self.left else matrix_transpose(y)

    def backward(self, g: Any) -> Any:
        a, y = self.inputs[0], self.output
        gb = apply2(Solve(self.left, self.vectors), ctranspose(a), g)
        if not self.needs[0]:
            return None, gb
        if self.vectors:
            return -(gb[..., None] * conj(y)[..., None, :]), gb
        return -(gb @ ctranspose(y) if self.left else ctranspose(y) @ gb), gb


def checked_form(A: Tensor, B: Tensor, left: bool) -> tuple[bool, bool]:
    """Whether A is on the left, and whether B has vectors, after checks of both.

    Raises:
        RuntimeError: for matrices that are not square, or do not fit.
    """
    if A._data.dtype.kind in "iub":
        need_precision("linalg.solve", A)
    if A._data.dtype != B._data.dtype:
        raise RuntimeError(
            "linalg.solve: Expected A and B to have the same dtype, but found A of "
            f"type {A.dtype.short} and B of type {B.dtype.short} instead"
        )
    need_square_shape("linalg.solve", A)
    n, m = tuple(A.shape), tuple(B.shape)
    vectors = len(m) == 1 or (len(n) - 1 == len(m) and m == n[:-1])
    need_columns("linalg.solve", A, B[..., None] if vectors else B, left)
    need_precision("linalg.solve", A, "lu_cpu")
    return left, vectors


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
    if _m.special_modes and solve in _m.modes.autocast:
        return _m.autocast(solve, A, B, left=left, out=out)
    need_flags("linalg_solve", left=left)
    need_tensors("linalg_solve", A=A, B=B)
    result: Tensor = apply2(Solve(*checked_form(A, B, left)), A, B)
    return result if out is None else copyto(out, result, "linalg_solve", (A, B))


def matrix_transpose(x: Any) -> Any:
    """The last two dimensions swapped, without conjugation."""
    return x.swapaxes(-2, -1)


@public("matrix_power")
@composite
@reported_as("linalg_matrix_power")
def matrix_power(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Square matrices to the power n; negative powers are those of the inverse.

    Math: y = xⁿ, for n < 0 of x⁻¹      ∂L/∂x = Σ_(k<n) (xᵀ)ᵏ g (xᵀ)ⁿ⁻¹⁻ᵏ
    Shape: (*, n, n) -> (*, n, n)

    Raises:
        RuntimeError: if the matrix is not square; for negative powers of integers.

    Example:
        >>> import edutorch as torch
        >>> torch.matrix_power(torch.tensor([[1.0, 1.0], [0.0, 1.0]]), 3)
        tensor([[1., 3.],
                [0., 1.]])
    """
    need_tensors("linalg_matrix_power", input=input)
    n = index_of(n, "linalg_matrix_power", "'n' (position 2)")
    if input.ndim < 2:
        need_matrix("linalg.matrix_power", input)
    need_equal_sides("linalg.matrix_power: ", input)
    result: Tensor
    if n == 0:
        size = input.shape[-1]
        xp = array_module(input._data)
        one = xp.eye(size, dtype=input._data.dtype)
        # This has the history of `input`, but not its order of memory.
        result = input.clone(memory_format=contiguous_format).copy_(wrap(one))
    elif n == 1:
        result = input.clone(memory_format=contiguous_format)
    else:
        base = inv(input) if n < 0 else input
        result = _power(base, abs(n))
    if out is None:
        return result
    squared = n == 1 or (abs(n) > 2 and abs(n).bit_count() == 1)  # and then copied
    variant = "inverse" if n == -1 else "copy" if n == 0 or squared else ""
    if n == 0:
        result = result.detach()
    # The last step writes into `out`: a product or the inverse.
    ends = n == -1 or abs(n) in (2, 3) or abs(n).bit_count() > 1
    castable = isinstance(out, Tensor) and dtypes.can_cast(result.dtype, out.dtype)
    if ends and castable and not is_refused_first([out], input):
        variant = "product"
    return copyto(out, result, "linalg_matrix_power", (input,), variant=variant)


def _power(x: Any, n: int) -> Any:
    """xⁿ by repeated squaring."""
    if n == 3:
        return (x @ x) @ x
    y = None
    while n:
        if n % 2:
            y = x if y is None else y @ x
        n //= 2
        if n:
            x = x @ x
    return y
