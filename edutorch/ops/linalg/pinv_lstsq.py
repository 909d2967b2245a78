"""Pseudoinverse, least squares and rank."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply, apply1
from ...tensor.tensor import Tensor, wrap
from ..argument_checks import need_flags, need_tensors, number_of, refuse_gradients
from ..argument_errors import argument_error, check_call, invalid_combination
from ..dims import ABSENT
from ..matmul.array_products import ctranspose
from ..matmul.matrix_products import matmul
from ..reduce.sums import sum
from ..registration import composite, copyto, public
from ..return_types import return_type
from . import lapack
from .checks import (
    LinAlgError,
    batch_element_text,
    need_batches,
    need_broadcast,
    need_equal_sides,
    need_lapack,
    need_precision,
)
from .eigen import symmetric_eigen
from .svd import singular_values, singular_values_only

__all__ = ["lstsq", "matrix_rank", "pinv", "pinverse"]

lstsq_type = return_type(
    "linalg_lstsq", "solution", "residuals", "rank", "singular_values"
)


class Pinv(Op):
    """Pseudoinverse, from the singular values above the tolerance.

    Math: y = V s⁻¹ Uᵀ
          ∂L/∂x = -yᵀ g yᵀ + (1 - x y) gᵀ y yᵀ + yᵀ y gᵀ (1 - y x)
    Shape: (*, n, m) -> (*, m, n)
    Reference: Golub and Pereyra, 1973
    """

    torch_name = "LinalgPinv"
    attributes = ("atol", "rtol", "hermitian")
    saves_output = True
    rtol_name = "rtol"  # or its older name, where the caller has that

    def __init__(self, atol: Any, rtol: Any, hermitian: bool) -> None:
        self.atol, self.rtol, self.hermitian = atol, rtol, hermitian

    def check(self, x: Any) -> None:
        if self.rtol_name == "rcond":  # which PyTorch looks at first
            check_tolerances("pinv", self)
        kind = x._data.dtype
        if x._data.ndim < 2 or kind.kind not in "fc" or kind.itemsize == 2:
            raise RuntimeError(
                f"linalg.pinv({x.dtype.short}{{{list(x.shape)}}}): expected a tensor "
                "with 2 or more dimensions of float, double, cfloat or cdouble types"
            )
        check_tolerances("pinv", self)
        refuse_gradients("linalg_pinv", atol=self.atol, rtol=self.rtol)
        if not x._data.size:
            return
        if self.hermitian:
            need_equal_sides("linalg.eigh: ", x)
        for given in (self.rtol, self.atol):
            if isinstance(given, Tensor):
                need_broadcast(given.shape, x.shape[:-2])

    def forward(self, x: Any) -> Any:
        if not x.size:
            return np.zeros((*x.shape[:-2], x.shape[-1], x.shape[-2]), x.dtype)
        if self.hermitian:
            w, v = symmetric_eigen(x, "L")
            significant = np.abs(w) > self.limit(x, np.abs(w))
            inverse = np.where(significant, 1 / np.where(significant, w, 1), 0)
            return v * inverse[..., None, :] @ ctranspose(v)
        u, s, vh = singular_values(x, full=False)
        significant = s > self.limit(x, s)
        inverse = np.where(significant, 1 / np.where(significant, s, 1), 0)
        return ctranspose(vh) * inverse[..., None, :] @ ctranspose(u)

    def limit(self, x: Any, s: Any) -> Any:
        """For each matrix, the largest singular value that is treated as 0."""
        return tolerance(x, s, self.atol, self.rtol)[..., None]

    def backward(self, g: Any) -> Any:
        return pinv_gradient(g, self.inputs[0], self.output)


def pinv_gradient(g: Any, x: Any, y: Any) -> Any:
    """The gradient of x, given that of its pseudoinverse y.

    Math: -yᵀ g yᵀ + (1 - x y) gᵀ y yᵀ + yᵀ y gᵀ (1 - y x), in small products
    """
    gh, yh = ctranspose(g), ctranspose(y)
    if x.shape[-2] <= x.shape[-1]:
        k = gh @ y
        ky = k @ yh
        return ky - ctranspose(y @ k) - (x @ y) @ ky + (yh @ y) @ (gh - k @ x)
    k = y @ gh
    yk = yh @ k
    return (gh - x @ k) @ y @ yh + yk - ctranspose(k @ y) - (yk @ y) @ x


def check_tolerances(name: str, op: Any) -> None:
    """Raise for complex tolerances; where one is a number, convert both to numbers."""
    numbers = isinstance(op.atol, (int, float)) or isinstance(op.rtol, (int, float))
    for word in ("atol", "rtol"):
        given = getattr(op, word)
        if not (isinstance(given, Tensor) and given.is_complex()):
            continue
        if not numbers:
            shown = getattr(op, f"{word}_name", word)
            raise RuntimeError(
                f"torch.linalg.{name}: {shown} tensor of complex type is not "
                f"supported. Got {given.dtype.short}"
            )
        setattr(op, word, number_of(given, word, "", "float"))


def need_one(name: str, x: Any, new: Any, old: Any) -> None:
    """Raise unless `x` is a tensor, or if both names of the tolerance are used."""
    if not hasattr(x, "dtype") or (old is not None and new != (None, None)):
        raise invalid_combination(f"linalg_{name}")


def tolerance(x: Any, s: Any, atol: Any, rtol: Any) -> Any:
    """The larger of `atol` and `rtol` times the largest singular value."""
    atol, rtol = (getattr(v, "_data", v) for v in (atol, rtol))
    if rtol is None:
        given = atol is not None and np.any(np.asarray(atol) > 0)
        rtol = 0.0 if given else max(x.shape[-2:]) * np.finfo(s.dtype).eps
    largest = s.max(-1) if s.shape[-1] else np.zeros(s.shape[:-1], s.dtype)
    return np.maximum(0.0 if atol is None else atol, rtol * largest)


def pinv(
    input: Tensor,
    rcond: Any = ABSENT,
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
    Reference: Golub and Pereyra, 1973

    Args:
        rcond: the older name of `rtol`.
        hermitian: whether the matrices are symmetric, which is faster.

    Raises:
        RuntimeError: if the input is not a floating-point matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.pinv(torch.tensor([[2.0], [0.0]]))
        tensor([[0.5000, 0.0000]])
    """
    need_flags("linalg_pinv", hermitian=hermitian)
    older = None if rcond is ABSENT else rcond
    need_one("pinv", input, (atol, rtol), older)
    given = [t for t in (atol, rtol) if t is not None]
    given += [] if rcond is ABSENT else [rcond]
    check_call(all(isinstance(t, (int, float, Tensor)) for t in given))
    op = Pinv(atol, older if rtol is None else rtol, hermitian)
    if older is not None:
        op.rtol_name = "rcond"
    result = apply1(op, input)
    if out is None:
        return result
    numbers = older is not None or not all(isinstance(t, Tensor) for t in given)
    variant, operands = "composite" if numbers else "", (input, older, atol, rtol)
    return copyto(out, result, "linalg_pinv", operands, variant=variant)


class MatrixRank(Op):
    """The number of singular values above the tolerance."""

    attributes = ("atol", "rtol", "hermitian")
    differentiable = False

    def __init__(self, atol: Any, rtol: Any, hermitian: bool) -> None:
        self.atol, self.rtol, self.hermitian = atol, rtol, hermitian

    def check(self, x: Any) -> None:
        name = "torch.linalg.matrix_rank"
        if x._data.ndim < 2:
            raise RuntimeError(
                f"{name}: The input tensor input must have at least 2 dimensions."
            )
        if self.rtol is None:
            need_lapack(x)  # whose precision is the tolerance that was not given
        check_tolerances("matrix_rank", self)
        if x._data.size:
            if self.hermitian:
                need_equal_sides("linalg.eigh: ", x)
            if self.rtol is not None:
                kernel = "linalg_eigh_cpu" if self.hermitian else "linalg_svd_cpu"
                name = "linalg.eigh" if self.hermitian else "linalg.svd"
                need_precision(name, x, kernel, integers=self.hermitian)
                need_lapack(x)

    def forward(self, x: Any) -> Any:
        if not x.size:
            return np.zeros(x.shape[:-2], np.int64)
        if self.hermitian:
            s = np.abs(symmetric_eigen(x, "L")[0])
        else:
            s = singular_values_only(x)
        limit = tolerance(x, s, self.atol, self.rtol)
        return np.add.reduce(s > limit[..., None], -1, dtype=np.int64)


def matrix_rank(
    input: Tensor,
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
        tol: the older name of `atol`; `rtol` is then 0.

    Raises:
        RuntimeError: if the input is not a floating-point matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.matrix_rank(torch.ones(3, 3))
        tensor(1)
    """
    if _m.special_modes and matrix_rank in _m.modes.autocast:
        return _m.autocast(
            matrix_rank, input, tol, hermitian, atol=atol, rtol=rtol, out=out
        )
    need_flags("linalg_matrix_rank", hermitian=hermitian)
    need_one("matrix_rank", input, (atol, rtol), tol)
    given = [t for t in (tol, atol, rtol) if t is not None]
    several = [isinstance(t, Tensor) and t.ndim > 0 for t in given]
    check_call(
        all(isinstance(t, (int, float, Tensor)) for t in given)
        and all(several) == any(several)
    )
    if tol is not None:
        atol, rtol = tol, 0.0
    result = apply1(MatrixRank(atol, rtol, hermitian), input)
    if out is None:
        return result
    return copyto(out, result, "linalg_matrix_rank", (input, tol, atol, rtol))


def _are_vectors(a: Tensor, b: Tensor) -> bool:
    """Whether right-hand sides are vectors, not matrices."""
    return b.ndim == 1 or (b.ndim == a.ndim - 1 and a.shape[:-1] == b.shape)


def _check_lstsq(a: Tensor, b: Tensor, rcond: Any) -> None:
    """Raise if the shapes of matrices and right-hand sides do not match."""
    name = "torch.linalg.lstsq"
    if a.ndim < 2:
        raise RuntimeError(f"{name}: input must have at least 2 dimensions.")
    if b.ndim < 1:
        raise RuntimeError(f"{name}: other must have at least 1 dimension.")
    if not 0 <= a.ndim - b.ndim <= 1:
        raise RuntimeError(
            f"{name}: input.dim() must be greater or equal to other.dim() and "
            "(input.dim() - other.dim()) <= 1"
        )
    place = -1 if _are_vectors(a, b) else -2  # the size that is compared
    if a.dtype is not b.dtype:
        raise RuntimeError(
            f"{name}: Expected input and other to have the same dtype, but got "
            f"input's dtype {a.dtype.short} and other's dtype {b.dtype.short}"
        )
    if a.shape[-2] != b.shape[place]:
        raise RuntimeError(f"{name}: input.size(-2) should match other.size({place})")
    if rcond is None:
        need_lapack(a)  # as in `MatrixRank`
    columns = b if b.ndim == a.ndim else b[..., None]
    need_batches(a, columns)
    if a.shape[-2] != columns.shape[-2]:
        raise RuntimeError(f"{name}: input.size(-2) should match other.size(-1)")
    need_lapack(a)


class Lstsq(Op):
    """Least squares solutions by a LAPACK routine, with ranks and singular values.

    The second output replaces residuals if LAPACK's routine returns none.

    Math: y = argmin ‖a y - b‖² = a⁺ b
          ∂L/∂b = a⁺ᵀ g      ∂L/∂a: as of `Pinv`, of g bᵀ
    Shape: (*, n, m), (*, n, k) -> (*, m, k), (0), (*), (*, min(n, m))
    """

    torch_name = "LinalgLstsq"
    attributes = ("driver", "rcond")
    multiple_outputs = True

    def __init__(self, driver: str, rcond: float | None) -> None:
        self.driver, self.rcond = driver, rcond

    def forward(self, a: Any, b: Any) -> Any:
        if not isinstance(a, np.ndarray):
            return self.by_singular_values(a, b)
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        n, m = a.shape[-2:]
        rank = np.zeros(a.shape[:-2], np.int64)  # not for each of b's batch
        (ranks := np.broadcast_to(rank, batch)).flags.writeable = True
        a = np.broadcast_to(a, (*batch, n, m))
        b = np.broadcast_to(b, batch + b.shape[-2:])
        rows = max(n, m)  # LAPACK writes the solution over b and the errors below
        y = lapack.column_major(np.zeros((*batch, rows, b.shape[-1]), a.dtype))
        y = y[..., :m, :]
        values = np.zeros((*batch, min(n, m)), a.real.dtype)
        for place in np.ndindex(batch):
            if not (a[place].size and b[place].size):
                continue
            if self.driver == "gels":
                y[place] = self.of_full_rank(a[place], b[place], place, batch)
                continue
            y[place], ranks[place], s = lapack.least_squares(
                a[place], b[place], self.rcond, self.driver
            )
            if s is not None:
                values[place] = s
        return y, values[..., :0].reshape(-1), rank, values

    def by_singular_values(self, a: Any, b: Any) -> Any:
        """The solution on a GPU, where LAPACK is not available."""
        y = Pinv(None, self.rcond, False).forward(a) @ b
        rank = MatrixRank(None, self.rcond, False).forward(a) * bool(b.size)  # LAPACK's
        values = singular_values_only(a)
        return lapack.column_major(y), values[..., :0].reshape(-1), rank, values

    def of_full_rank(self, a: Any, b: Any, place: Any, batch: Any) -> Any:
        """The solution of one matrix of full rank, by QR."""
        y, info = lapack.full_rank_least_squares(a, b)
        if info:
            raise LinAlgError(
                f"torch.linalg.lstsq: {batch_element_text(place, batch)}The least "
                "squares solution could not be computed because the input matrix does "
                f"not have full rank (error code: {info})."
            )
        return y

    def backward(self, g: Any, _g_residuals: Any, _g_rank: Any, _g_values: Any) -> Any:
        a, b = self.inputs
        inverse = apply1(Pinv(None, None, False), a)
        gb = ctranspose(inverse) @ g
        return pinv_gradient(g @ ctranspose(b), a, inverse), gb


@composite
def lstsq(
    input: Tensor, b: Tensor, rcond: float | None = None, *, driver: str | None = None,
    out: Any = None,
) -> Any:  # fmt: skip
    """Least squares solution of linear equations.

    Math: y = argmin ‖A y - b‖², A `input`      ∂L/∂b = A⁺ᵀ g, A⁺ the pseudoinverse;
          ∂L/∂A: as of the product A⁺ b
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
    if _m.special_modes and lstsq in _m.modes.autocast:
        return _m.autocast(lstsq, input, b, rcond, driver=driver, out=out)
    need_tensors("linalg_lstsq", input=input, b=b)
    name = "gelsy" if driver is None else driver
    if name not in ("gels", "gelsy", "gelsd", "gelss"):
        raise argument_error() or RuntimeError(
            "torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, "
            "gelsd, gelss)"
        )
    _check_lstsq(input, b, rcond)
    vectors = _are_vectors(input, b)
    rows = b[..., None] if vectors else b
    if rows.ndim < input.ndim:  # PyTorch takes the rows of b for a batch, too
        rows = b.expand(*np.broadcast_shapes(input.shape[:-2], b.shape[:-1]), *b.shape)
    n, m = input.shape[-2:]
    solution, residuals, rank, values = apply(Lstsq(name, rcond), input, rows)
    values = values.detach()
    if name == "gels":
        rank = wrap(np.zeros(0, np.int64), input.device)
    if name in ("gels", "gelsy"):
        values = residuals.detach()
    if n > m and name != "gelsy" and (name == "gels" or (rank._data == m).all()):
        error = matmul(input, solution) - rows
        if not m and name == "gels":  # PyTorch solves nothing and leaves zeros
            error = error * 0
        error = error.abs() if input.is_complex() else error
        residuals = sum(error * error, -2)
    solution = solution[..., 0] if vectors else solution
    result = lstsq_type(solution, residuals, rank, values)
    return result if out is None else copyto(out, result, "linalg_lstsq", (input, b))


@public("pinverse")
def pinverse(input: Tensor, rcond: float = 1e-15) -> Tensor:
    """Pseudoinverse of matrices: the deprecated form.

    Math: y = V s⁻¹ Uᵀ, of the singular values larger than rcond · s[0]
          ∂L/∂x: as of `torch.linalg.pinv`
    Shape: (*, n, m) -> (*, m, n)

    Raises:
        RuntimeError: if the input is not a floating-point matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.pinverse(torch.tensor([[2.0], [0.0]]))
        tensor([[0.5000, 0.0000]])
    """
    if _m.special_modes and pinverse in _m.modes.autocast:
        return _m.autocast(pinverse, input, rcond)
    need_tensors("pinverse", input=input)
    return pinv(input, rcond)
