"""LDL decomposition of symmetric, possibly indefinite, matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import Op, apply
from ...autograd.half_precision import is_half
from ...backends.meta import MetaArray
from ...tensor.tensor import Tensor
from ..argument_checks import need_flags, need_tensors, refuse_kinds
from ..registration import copyto
from ..return_types import return_type
from . import lapack
from .checks import need_square

__all__ = ["ldl_factor", "ldl_factor_ex", "ldl_solve"]

ldl_factor_type = return_type("linalg_ldl_factor", "LD", "pivots")
ldl_factor_ex_type = return_type("linalg_ldl_factor_ex", "LD", "pivots", "info")


class LdlFactor(Op):
    """A symmetric matrix as a triangular factor, diagonal blocks and row swaps.

    Math: x = P L D Lᵀ Pᵀ, no derivative
    Shape: (*, n, n) -> (*, n, n), (*, n), (*)
    Reference: Bunch and Kaufman, 1977
    """

    torch_name = "LinalgLdlFactorEx"
    public = "linalg_ldl_factor_ex"
    attributes = ("hermitian",)
    multiple_outputs = True
    saves = ()

    def __init__(self, hermitian: bool) -> None:
        self.hermitian = hermitian

    def check(self, x: Any) -> None:
        need_square("torch.linalg.ldl_factor_ex", x, "ldl_factor_kernel_cpu")

    def forward(self, x: Any) -> Any:
        kind = "hetrf" if self.hermitian and x.dtype.kind == "c" else "sytrf"
        packed = np.empty(x.shape, x.dtype)
        pivots = np.empty(x.shape[:-1], np.int32)
        info = np.zeros(x.shape[:-2], np.int32)
        for place in np.ndindex(info.shape):
            if x[place].size:
                found, swaps, info[place] = lapack.routine(kind, x)(x[place], lower=1)
                packed[place], pivots[place] = np.tril(found), swaps
        return lapack.column_major(packed), pivots, info


def ldl_factor(input: Tensor, *, hermitian: bool = False, out: Any = None) -> Any:
    """Factors of symmetric, possibly indefinite, matrices; no derivative.

    Math: x = P L D Lᵀ Pᵀ, D of blocks of one or two rows
    Shape: (*, n, n) -> (*, n, n), (*, n)
    Reference: Bunch and Kaufman, 1977

    Args:
        hermitian: complex matrices equal their conjugate transpose, not their
            transpose.

    Raises:
        RuntimeError: if the input is not a square floating-point matrix.

    Example:
        >>> import edutorch as torch
        >>> A = torch.tensor([[1.0, 2.0], [2.0, 1.0]])
        >>> torch.linalg.ldl_factor(A).pivots
        tensor([-2, -2], dtype=torch.int32)
    """
    need_flags("linalg_ldl_factor", hermitian=hermitian)
    need_tensors("linalg_ldl_factor", input=input)
    packed, pivots, info = apply(LdlFactor(hermitian), input)
    _refuse_singular("torch.linalg.ldl_factor", info)
    result = ldl_factor_type(packed, pivots)
    return result if out is None else copyto(out, result, "linalg_ldl_factor", (input,))


def ldl_factor_ex(
    input: Tensor, *, hermitian: bool = False, check_errors: bool = False,
    out: Any = None,
) -> Any:  # fmt: skip
    """Like `ldl_factor`, but failures are reported in `info`; no derivative.

    Math: x = P L D Lᵀ Pᵀ, D of blocks of one or two rows
    Shape: (*, n, n) -> (*, n, n), (*, n), (*)

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.ldl_factor_ex(torch.zeros(2, 2)).info
        tensor(1, dtype=torch.int32)
    """
    need_flags("linalg_ldl_factor_ex", hermitian=hermitian, check_errors=check_errors)
    need_tensors("linalg_ldl_factor_ex", input=input)
    result = ldl_factor_ex_type(*apply(LdlFactor(hermitian), input))
    if check_errors:
        _refuse_singular("torch.linalg.ldl_factor_ex", result.info)
    if out is None:
        return result
    return copyto(out, result, "linalg_ldl_factor_ex", (input,))


def _refuse_singular(name: str, info: Tensor) -> None:
    bad = info._data[info._data != 0]
    if bad.size:
        raise RuntimeError(f"{name}: D[{bad[0]},{bad[0]}] is zero")


def _divide(b: Any, block: Any) -> Any:
    """D⁻¹ b for a block D of one or two rows; not finite if it is singular."""
    if len(block) == 1:
        return b / block
    (p, q), (r, s) = block
    return np.stack([s * b[0] - q * b[1], p * b[1] - r * b[0]]) / (p * s - q * r)


class LdlSolve(Op):
    """Solution of linear equations, given the result of `ldl_factor`.

    Math: y with P L D Lᵀ Pᵀ y = b, no derivative
    Shape: (*, n, n), (*, n), (*, n, k) -> (*, n, k)
    """

    torch_name = "LinalgLdlSolve"
    public = "linalg_ldl_solve"
    attributes = ("hermitian",)
    saves = ()
    complex32_kernel = "ldl_solve_kernel_cpu"

    def __init__(self, hermitian: bool) -> None:
        self.hermitian = hermitian

    def check(self, packed: Any, pivots: Any, b: Any) -> None:
        half = is_half(packed._data.dtype)
        if not half:
            need_square("torch.linalg.ldl_solve", packed)
        n = packed._data.shape[-1]
        if b._data.ndim < 2:
            raise IndexError(
                "Dimension out of range (expected to be in range of [-1, 0], but got "
                "-2)"
            )
        if b._data.shape[-2] != n:
            raise RuntimeError(
                "Incompatible matrix sizes for torch.linalg.ldl_solve: each A matrix "
                f"is {n} by {n} but each b matrix is {b._data.shape[-2]} by "
                f"{b._data.shape[-1]}"
            )
        if b._data.dtype != packed._data.dtype:
            raise RuntimeError(
                "Expected b and A to have the same dtype, but found b of type "
                f"{b.dtype.short} and A of type {packed.dtype.short} instead."
            )
        if pivots._data.shape != packed._data.shape[:-1]:
            raise RuntimeError(
                "torch.linalg.ldl_solve: Expected LD.shape[:-1] and pivots.shape to be "
                f"the same, but got pivots with shape {list(pivots.shape)} instead"
            )
        if pivots._data.dtype.kind != "i":
            raise RuntimeError(
                "torch.linalg.ldl_solve: Expected pivots to be integers. Got "
                f"{pivots.dtype.short}"
            )
        if half:
            refuse_kinds("ldl_solve_kernel_cpu", "h", packed)

    def forward(self, packed: Any, pivots: Any, b: Any) -> Any:
        batch = np.broadcast_shapes(packed.shape[:-2], b.shape[:-2])
        packed = np.broadcast_to(packed, batch + packed.shape[-2:])
        pivots = np.broadcast_to(pivots, batch + pivots.shape[-1:])
        b = np.broadcast_to(b, batch + b.shape[-2:])
        y = np.empty(b.shape, b.dtype)
        if type(b) is MetaArray:  # without values there are no pivots to follow
            return lapack.column_major(np.empty_like(b))
        for place in np.ndindex(batch):
            with np.errstate(all="ignore"):  # as in LAPACK, no matrix is refused
                y[place] = self.solve(packed[place], pivots[place], b[place])
        return lapack.column_major(y)

    def transposed(self, x: Any) -> Any:
        """The transpose, or the conjugate transpose for Hermitian matrices."""
        return x.conj().T if self.hermitian else x.T

    def solve(self, packed: Any, pivots: Any, b: Any) -> Any:
        """The solution for one matrix: P₁ L₁ D₁ P₂ L₂ D₂ ..., then the transposes."""
        x, blocks, k = b.copy(), [], 0
        while k < len(pivots):
            end = k + (1 if pivots[k] > 0 else 2)  # a block of two names its swap twice
            rows = [end - 1, abs(int(pivots[k])) - 1]
            blocks.append((k, end, rows))
            x[rows] = x[rows[::-1]]
            x[end:] -= packed[end:, k:end] @ x[k:end]
            block = np.tril(packed[k:end, k:end])
            x[k:end] = _divide(x[k:end], block + self.transposed(np.tril(block, -1)))
            k = end
        for k, end, rows in reversed(blocks):
            x[k:end] -= self.transposed(packed[end:, k:end]) @ x[end:]
            x[rows] = x[rows[::-1]]
        return x


def ldl_solve(
    LD: Tensor, pivots: Tensor, B: Tensor, *, hermitian: bool = False,
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Solution of linear equations, given the result of `ldl_factor`; no derivative.

    Math: y with A y = B, A = P L D Lᵀ Pᵀ
    Shape: (*, n, n), (*, n), (*, n, k) -> (*, n, k)

    Raises:
        RuntimeError: for sizes that do not fit, and pivots that are not integers.

    Example:
        >>> import edutorch as torch
        >>> A = torch.tensor([[1.0, 2.0], [2.0, 1.0]])
        >>> torch.linalg.ldl_solve(*torch.linalg.ldl_factor(A), torch.ones(2, 1))
        tensor([[0.3333],
                [0.3333]])
    """
    need_flags("linalg_ldl_solve", hermitian=hermitian)
    need_tensors("linalg_ldl_solve", LD=LD, pivots=pivots, B=B)
    result = apply(LdlSolve(hermitian), LD, pivots, B)
    if out is None:
        return result
    return copyto(out, result, "linalg_ldl_solve", (LD, pivots, B))
