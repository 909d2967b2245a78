"""Pseudoinverse, least squares, rank, and chains of products."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.op import Op, apply1
from ...tensor.tensor import Tensor
from ..attach import composite, into, public
from ..dims import dim_of
from ..matmul.arrays import turned
from ..matmul.contractions import Cross, cross_along
from ..matmul.products import matmul
from ..pointwise.arithmetic import conj
from ..reduce.sums import sum
from ..refusals import need_tensors
from ..return_types import return_type
from ..shape.joining import cat
from .checks import need_matrix
from .spectra import singular_values, svdvals

__all__ = [
    "cross", "diagonal", "lstsq", "matrix_rank", "multi_dot", "pinv", "vander",
    "vecdot",
]  # fmt: skip

lstsq_type = return_type(
    "linalg_lstsq", "solution", "residuals", "rank", "singular_values"
)


class Pinv(Op):
    """Pseudoinverse, from the singular values that are not almost 0.

    Math: y = V s⁻¹ Uᵀ
          ∂L/∂x = -yᵀ g yᵀ + (1 - x y) gᵀ y yᵀ + yᵀ y gᵀ (1 - y x)
    Shape: (*, n, m) -> (*, m, n)

    Reference: Golub and Pereyra, 1973
    """

    torch_name = "LinalgPinv"
    attributes = ("atol", "rtol", "hermitian")
    saves_output = True

    def __init__(self, atol: Any, rtol: Any, hermitian: bool) -> None:
        self.atol, self.rtol, self.hermitian = atol, rtol, hermitian

    def check(self, x: Any) -> None:
        if x._data.ndim < 2 or x._data.dtype.kind not in "fc":
            raise RuntimeError(
                f"linalg.pinv({x.dtype.short}{{{list(x.shape)}}}): expected a tensor "
                "with 2 or more dimensions of float, double, cfloat or cdouble types"
            )

    def forward(self, x: Any) -> Any:
        if not x.size:
            return np.zeros((*x.shape[:-2], x.shape[-1], x.shape[-2]), x.dtype)
        if self.hermitian:
            w, v = np.linalg.eigh(x)
            kept = np.abs(w) > self.limit(x, np.abs(w))
            inverse = np.where(kept, 1 / np.where(kept, w, 1), 0)
            return v * inverse[..., None, :] @ turned(v)
        u, s, vh = singular_values(x, full=False)
        kept = s > self.limit(x, s)
        inverse = np.where(kept, 1 / np.where(kept, s, 1), 0)
        return turned(vh) * inverse[..., None, :] @ turned(u)

    def limit(self, x: Any, s: Any) -> Any:
        """The size from which on a singular value counts, for each matrix."""
        return tolerance(x, s, self.atol, self.rtol)[..., None]

    def backward(self, g: Any) -> Any:
        x, y = self.inputs[0], self.output
        gh, yh = turned(g), turned(y)
        if x.shape[-2] <= x.shape[-1]:
            k = gh @ y
            ky = k @ yh
            return ky - turned(y @ k) - (x @ y) @ ky + (yh @ y) @ (gh - k @ x)
        k = y @ gh
        yk = yh @ k
        return (gh - x @ k) @ y @ yh + yk - turned(k @ y) - (yk @ y) @ x


def tolerance(x: Any, s: Any, atol: Any, rtol: Any) -> Any:
    """The larger of `atol` and `rtol` times the largest singular value."""
    atol, rtol = (getattr(v, "_data", v) for v in (atol, rtol))
    if rtol is None:
        given = atol is not None and np.any(np.asarray(atol) > 0)
        rtol = 0.0 if given else max(x.shape[-2:]) * np.finfo(s.dtype).eps
    largest = s.max(-1) if s.shape[-1] else np.zeros(s.shape[:-1], s.dtype)
    return np.maximum(0.0 if atol is None else atol, rtol * largest)


def pinv(
    A: Tensor,
    rcond: Any = None,
    hermitian: bool = False,
    *,
    atol: Any = None,
    rtol: Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """Pseudoinverse of matrices.

    Math: y = V s⁻¹ Uᵀ, of the singular values larger than max(atol, rtol · s[0])
          ∂L/∂x = -yᵀ g yᵀ + (1 - x y) gᵀ y yᵀ + yᵀ y gᵀ (1 - y x)
    Shape: (*, n, m) -> (*, m, n)

    Args:
        rcond: the older name of `rtol`.
        hermitian: whether the matrices are symmetric, which is faster.

    Raises:
        RuntimeError: for what is no matrix of floating numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.pinv(torch.tensor([[2.0], [0.0]]))
        tensor([[0.5000, 0.0000]])
    """
    result = apply1(Pinv(atol, rcond if rtol is None else rtol, hermitian), A)
    return result if out is None else into(out, result)


class MatrixRank(Op):
    """How many singular values are not almost 0."""

    attributes = ("atol", "rtol", "hermitian")
    differentiable = False

    def __init__(self, atol: Any, rtol: Any, hermitian: bool) -> None:
        self.atol, self.rtol, self.hermitian = atol, rtol, hermitian

    def check(self, x: Any) -> None:
        need_matrix("torch.linalg.matrix_rank", x)

    def forward(self, x: Any) -> Any:
        if self.hermitian:
            s = np.abs(np.linalg.eigvalsh(x))
        else:
            s = singular_values(x, full=False)[1]
        limit = tolerance(x, s, self.atol, self.rtol)
        return np.add.reduce(s > limit[..., None], -1, dtype=np.int64)


def matrix_rank(
    A: Tensor,
    tol: Any = None,
    hermitian: bool = False,
    *,
    atol: Any = None,
    rtol: Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """The number of singular values larger than max(atol, rtol · s[0]).

    Math: y = number of i with σᵢ > tolerance
    Shape: (*, n, m) -> (*), int64

    Args:
        tol: the older way to say `atol`, with `rtol` 0.

    Raises:
        RuntimeError: for what is no matrix of floating numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.matrix_rank(torch.ones(3, 3))
        tensor(1)
    """
    if tol is not None:
        atol, rtol = tol, 0.0
    result = apply1(MatrixRank(atol, rtol, hermitian), A)
    return result if out is None else into(out, result)


@composite
def lstsq(
    A: Tensor, B: Tensor, rcond: float | None = None, *, driver: str | None = None,
    out: Any = None,
) -> Any:  # fmt: skip
    """Solution of linear equations with the smallest sum of squared errors.

    Math: y = argmin ‖A y - B‖²
    Shape: (*, n, m), (*, n, k) -> (*, m, k), and residuals, rank, singular values

    Args:
        rcond: singular values smaller than this times the largest count as 0.
        driver: "gelsy" (default), "gels", "gelsd" or "gelss"; decides which of the
            other results are given.

    Raises:
        RuntimeError: for an unknown driver, and sizes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> A, B = torch.tensor([[1.0], [1.0]]), torch.tensor([[1.0], [2.0]])
        >>> torch.linalg.lstsq(A, B).solution
        tensor([[1.5000]])
    """
    name = driver or "gelsy"
    if name not in ("gels", "gelsy", "gelsd", "gelss"):
        raise RuntimeError(
            "torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, "
            "gelsd, gelss)"
        )
    need_tensors("linalg_lstsq", input=A, other=B)
    if A.ndim < 2:
        raise RuntimeError("torch.linalg.lstsq: input must have at least 2 dimensions.")
    if not 0 <= A.ndim - B.ndim <= 1:
        raise RuntimeError(
            "torch.linalg.lstsq: input.dim() must be greater or equal to other.dim() "
            "and (input.dim() - other.dim()) <= 1"
        )
    vectors = B.ndim == A.ndim - 1
    rows = B[..., None] if vectors else B
    n, m = A.shape[-2:]
    solution = matmul(pinv(A, rtol=rcond), rows)
    none = A.new_zeros(0).detach()
    rank, values, residuals = none.long(), none, none
    if name != "gels":
        rank = matrix_rank(A, rtol=rcond)
    if name in ("gelsd", "gelss"):
        values = svdvals(A.detach())
    if n > m and name != "gelsy" and (name == "gels" or (rank._data == m).all()):
        error = matmul(A, solution) - rows
        residuals = sum(error * conj(error), -2)
        residuals = residuals.real if A.is_complex() else residuals
    solution = solution[..., 0] if vectors else solution
    result = lstsq_type(solution, residuals, rank, values)
    return result if out is None else into(out, result)


@composite
def multi_dot(tensors: Any, *, out: Tensor | None = None) -> Tensor:
    """Product of several matrices, in the order that takes the fewest steps.

    Math: y = a b c ..
    Shape: (n, k), (k, m), .. -> (n, ..); the first and last may be vectors
    Reference: Cormen et al., 2009, section 15.2

    Raises:
        RuntimeError: for fewer than two tensors, or such as are no matrices.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.multi_dot([torch.ones(1, 2), torch.ones(2, 3), torch.ones(3)])
        tensor([6.])
    """
    matrices = list(tensors)
    if len(matrices) < 2:
        raise RuntimeError(
            f"multi_dot(): expected at least 2 tensors but got {len(matrices)}"
        )
    row, column = matrices[0].ndim == 1, matrices[-1].ndim == 1
    if row:
        matrices[0] = matrices[0][None]
    if column:
        matrices[-1] = matrices[-1][:, None]
    for i, x in enumerate(matrices):
        if x.ndim != 2:
            raise RuntimeError(f"multi_dot(): tensor {i} must be 2D but got {x.ndim}D")
    cuts = _best_cuts([x.shape[0] for x in matrices] + [matrices[-1].shape[1]])
    result: Tensor = _chain(matrices, cuts, 0, len(matrices) - 1)
    if row:
        result = result[0]
    if column:
        result = result[..., 0]
    return result if out is None else into(out, result)


def _best_cuts(sizes: list[int]) -> dict[tuple[int, int], int]:
    """For each stretch of matrices, after which one to split it."""
    n = len(sizes) - 1
    cost = {(i, i): 0 for i in range(n)}
    cuts = {}
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            ends = sizes[i] * sizes[j + 1]
            options = [
                (cost[i, k] + cost[k + 1, j] + ends * sizes[k + 1], k)
                for k in range(i, j)
            ]
            cost[i, j], cuts[i, j] = min(options)
    return cuts


def _chain(matrices: list[Any], cuts: Any, i: int, j: int) -> Any:
    if i == j:
        return matrices[i]
    k = cuts[i, j]
    return matmul(_chain(matrices, cuts, i, k), _chain(matrices, cuts, k + 1, j))


def cross(
    input: Tensor, other: Tensor, *, dim: int = -1, out: Tensor | None = None
) -> Tensor:
    """Cross product of vectors of three elements along `dim`.

    Math: y = a × b      ∂L/∂a = b × g      ∂L/∂b = g × a
    Shape: (.., 3, ..), (.., 3, ..) -> (.., 3, ..), broadcast

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.cross(torch.tensor([1, 0, 0]), torch.tensor([0, 1, 0]))
        tensor([0, 0, 1])
    """
    Cross(0 if input.ndim == 0 else dim_of(dim, input.ndim)).check(input, other)
    result: Tensor = cross_along(input, other, dim_of(dim, input.ndim))
    return result if out is None else into(out, result)


def diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """The diagonal of the last two dimensions.

    Math: y[.., i] = x[.., i, i + offset]      ∂L/∂x = g on that diagonal
    Shape: (*, n, m) -> (*, min(n, m))

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.diagonal(torch.eye(2))
        tensor([1., 1.])
    """
    return A.diagonal(offset, dim1, dim2)


@composite
def vecdot(x: Tensor, y: Tensor, *, dim: int = -1, out: Tensor | None = None) -> Tensor:
    """Inner products of vectors along a dimension, the first conjugated.

    Math: z = Σ conj(x) · y
    Shape: (.., n, ..), (.., n, ..) -> (.., ..), broadcast

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.vecdot(torch.ones(2, 3), torch.ones(2, 3))
        tensor([3., 3.])
    """
    result = sum(conj(x) * y, dim)
    return result if out is None else into(out, result)


@composite
def vander(x: Tensor, *, N: int | None = None) -> Tensor:
    """Powers of each element, from 0 on.

    Math: y[i, j] = x[i]^j
    Shape: (*, n) -> (*, n, N)

    Raises:
        RuntimeError: for N below 2.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.vander(torch.tensor([2, 3]), N=3)
        tensor([[1, 2, 4],
                [1, 3, 9]])
    """
    if N is not None and N <= 1:
        raise RuntimeError("N must be greater than 1.")
    x = x.reshape(1) if x.ndim == 0 else x
    return _powers(x, x.shape[-1] if N is None else N)


def _powers(x: Tensor, n: int) -> Tensor:
    """x⁰ .. xⁿ⁻¹ side by side: (*) -> (*, n)."""
    columns: list[Any] = [(x * 0 + 1)[..., None]]
    for _ in range(n - 1):
        columns.append(columns[-1] * x[..., None])
    return cat(columns, -1)


@composite
def old_vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Tensor:
    """Powers of each element, from N - 1 down to 0.

    Math: y[i, j] = x[i]^(N - 1 - j), or x[i]^j (`increasing`)
    Shape: (n) -> (n, N)

    Raises:
        RuntimeError: for what is no vector, or a negative N.

    Example:
        >>> import edutorch as torch
        >>> torch.vander(torch.tensor([2, 3]), N=3)
        tensor([[4, 2, 1],
                [9, 3, 1]])
    """
    if x.ndim != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    if N is not None and N < 0:
        raise RuntimeError("N must be non-negative.")
    n = x.shape[0] if N is None else N
    if n == 0:
        return x.new_empty(x.shape[0], 0)
    powers = _powers(x, n)
    return powers if increasing else powers.flip(1)


@public("pinverse")
def pinverse(input: Tensor, rcond: float = 1e-15) -> Tensor:
    """Pseudoinverse of matrices: the older form.

    Math: y = V s⁻¹ Uᵀ, of the singular values larger than rcond · s[0]
    Shape: (*, n, m) -> (*, m, n)

    Example:
        >>> import edutorch as torch
        >>> torch.pinverse(torch.tensor([[2.0], [0.0]]))
        tensor([[0.5000, 0.0000]])
    """
    return pinv(input, rcond)
