"""Norms of vectors and matrices, and condition numbers."""

from __future__ import annotations

from math import inf
from typing import Any

from ... import dtypes
from ...tensor.tensor import Tensor
from ..attach import composite, into, public
from ..dims import dim_of, dims_of
from ..pointwise.magnitude import abs
from ..reduce.extremes import amax, amin
from ..reduce.norms import vector_norm
from ..reduce.sums import sum
from .checks import need_matrix, need_square
from .inverses import inv
from .spectra import svdvals

__all__ = [
    "cond", "frobenius_norm", "linalg_norm", "matrix_norm", "norm", "nuclear_norm",
]  # fmt: skip


@composite
def matrix_norm(
    A: Tensor,
    ord: Any = "fro",
    dim: Any = (-2, -1),
    keepdim: bool = False,
    *,
    dtype: dtypes.dtype | None = None,
    out: Tensor | None = None,
    axis: Any = None,
    keepdims: Any = None,
) -> Tensor:
    """Norm of matrices.

    Math: "fro": √Σ|x|²; "nuc": Σ s; 2 and -2: the largest and smallest singular value;
          1 and -1: the largest and smallest column sum of |x|; inf and -inf: of rows
    Shape: (.., n, .., m, ..) -> (..), or with sizes 1 there (`keepdim`)

    Raises:
        RuntimeError: for dimensions that are no pair, or an unknown order.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.matrix_norm(torch.tensor([[3.0, 0.0], [0.0, 4.0]]))
        tensor(5.)
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis
    if keepdims is not None:
        keepdim = keepdims
    need_matrix("linalg.matrix_norm", A)
    if isinstance(dim, int) or len(dim) != 2:
        given = dim if isinstance(dim, int) else " ".join(map(str, dim))
        raise RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {given}")
    rows, columns = (dim_of(d, A.ndim) for d in dim)
    if rows == columns:
        raise RuntimeError(
            f"linalg.matrix_norm: dims must be different. Got ({dim[0]}, {dim[1]})"
        )
    A = A if dtype is None else A.to(dtype)
    if ord == "fro":
        result = vector_norm(A, 2, (rows, columns), keepdim)
    elif ord in ("nuc", 2, -2):
        result = _spectral(A, ord, rows, columns, keepdim)
    elif ord in (1, -1, inf, -inf):
        result = _of_sums(A, ord, rows, columns, keepdim)
    else:
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    return result if out is None else into(out, result)


def extreme(x: Tensor, dim: int, largest: bool, keepdim: bool = False) -> Tensor:
    """The largest (of nothing: 0) or the smallest along a dimension."""
    if not largest:
        return amin(x, dim, keepdim)
    return amax(x, dim, keepdim) if x.shape[dim] else sum(x, dim, keepdim)


def _spectral(A: Tensor, ord: Any, rows: int, columns: int, keepdim: bool) -> Tensor:
    """Norms made of singular values."""
    moved = A.movedim((rows, columns), (-2, -1))
    s = svdvals(moved)
    y = sum(s, -1) if ord == "nuc" else extreme(s, -1, ord > 0)
    if not keepdim:
        return y
    for d in sorted((rows, columns)):
        y = y.unsqueeze(d)
    return y


def _of_sums(A: Tensor, ord: float, rows: int, columns: int, keepdim: bool) -> Tensor:
    """Norms made of sums of columns (1) or rows (inf)."""
    along, across = (rows, columns) if ord in (1, -1) else (columns, rows)
    sums = sum(abs(A), along, True)
    y = extreme(sums, across, ord > 0, keepdim=True)
    return y if keepdim else y.squeeze((rows, columns))


@composite
def linalg_norm(
    A: Tensor,
    ord: Any = None,
    dim: Any = None,
    keepdim: bool = False,
    *,
    out: Tensor | None = None,
    dtype: dtypes.dtype | None = None,
    axis: Any = None,
    keepdims: Any = None,
) -> Tensor:
    """Norm of vectors or matrices, see `vector_norm` and `matrix_norm`.

    Math: y = (Σ |x|^p)^(1/p), or a norm of matrices
    Shape: (*) -> (* without dim)

    Args:
        ord: None for the 2-norm of all elements.
        dim: one dimension for vectors, two for matrices, None for the whole tensor.

    Raises:
        RuntimeError: for `ord` without `dim` and more than two dimensions.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.norm(torch.tensor([3.0, 4.0]))
        tensor(5.)
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis
    if keepdims is not None:
        keepdim = keepdims
    if dim is None and ord is not None:
        if A.ndim not in (1, 2):
            raise RuntimeError(
                "linalg.norm: If dim is not specified but ord is, the input must be 1D "
                f"or 2D. Got {A.ndim}D."
            )
        dim = (0,) if A.ndim == 1 else (0, 1)
    two = not isinstance(dim, int) and dim is not None and len(dim) == 2
    if isinstance(ord, str) or (two and ord is not None):
        where = (-2, -1) if dim is None else dim
        result = matrix_norm(A, ord, where, keepdim, dtype=dtype)
    else:
        result = vector_norm(A, 2 if ord is None else ord, dim, keepdim, dtype=dtype)
    return result if out is None else into(out, result)


@public("norm")
@composite
def norm(
    input: Tensor,
    p: Any = "fro",
    dim: Any = None,
    keepdim: bool = False,
    out: Tensor | None = None,
    dtype: dtypes.dtype | None = None,
) -> Tensor:
    """Norm of all elements or over dimensions; `torch.linalg.norm` is the newer form.

    Math: "fro" or a number p: (Σ |x|^p)^(1/p) over `dim`; "nuc": the sum of the
          singular values
    Shape: (*) -> (* without dim), or with size 1 there (`keepdim`)

    Raises:
        RuntimeError: for an unknown order.

    Example:
        >>> import edutorch as torch
        >>> torch.norm(torch.tensor([[3.0, 0.0], [0.0, 4.0]]))
        tensor(5.)
    """
    if p == "nuc":
        where = (-2, -1) if dim is None else tuple(dim)
        result = matrix_norm(input, "nuc", where, keepdim, dtype=dtype)
    elif isinstance(p, str) and p != "fro":
        raise RuntimeError(f"linalg.matrix_norm: Order {p} not supported.")
    else:
        size = 2 if p in ("fro", None) else p
        dims = dims_of(dim, input.ndim)
        result = vector_norm(input, size, dims, keepdim, dtype=dtype)
    return result if out is None else into(out, result)


@composite
def cond(A: Tensor, p: Any = None, *, out: Tensor | None = None) -> Tensor:
    """Condition number: how much a matrix magnifies relative errors.

    Math: y = ‖x‖ₚ · ‖x⁻¹‖ₚ; for p = 2 (None) the ratio of singular values
    Shape: (*, n, m) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.cond(torch.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor(2.)
    """
    if p in (None, 2, -2):
        need_matrix("linalg.cond", A)
        s = svdvals(A)
        first, last = s[..., 0], s[..., -1]
        result = last / first if p == -2 else first / last
    else:
        need_square("linalg.cond", A)
        result = matrix_norm(A, p) * matrix_norm(inv(A), p)
    return result if out is None else into(out, result)


def frobenius_norm(
    input: Tensor, dim: Any, keepdim: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """The root of the sum of squares over one or two dimensions.

    Math: y = √Σ|x|²
    Shape: (*) -> (* without dim), or with size 1 there (`keepdim`)

    Raises:
        RuntimeError: for more than two dimensions in `dim`.

    Example:
        >>> import edutorch as torch
        >>> torch.frobenius_norm(torch.tensor([[3.0, 4.0]]), dim=1)
        tensor([5.])
    """
    dims = [dim] if isinstance(dim, int) else list(dim)
    if len(dims) > 2:
        raise RuntimeError(
            f"Expected at most 2 dimensions, but got {len(dims)} dimensions instead."
        )
    result: Tensor = vector_norm(input, 2, dims, keepdim)
    return result if out is None else into(out, result)


def nuclear_norm(
    input: Tensor, dim: Any = (-2, -1), keepdim: bool = False,
    *, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The sum of the singular values.

    Math: y = Σ s      ∂L/∂x = g · U Vᵀ
    Shape: (.., n, .., m, ..) -> (..)

    Example:
        >>> import edutorch as torch
        >>> torch.nuclear_norm(torch.tensor([[3.0, 0.0], [0.0, 4.0]]))
        tensor(7.)
    """
    if isinstance(dim, bool):  # the form without dimensions
        dim, keepdim = (-2, -1), dim
    result: Tensor = matrix_norm(input, "nuc", dim, keepdim)
    return result if out is None else into(out, result)
