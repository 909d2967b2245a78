"""Norms of vectors and matrices, and condition numbers."""

from __future__ import annotations

from math import inf
from typing import Any

from ... import dtypes
from ...autograd import modes as _m
from ...autograd.dispatch import apply1
from ...op_events import reported, reported_as
from ...tensor.tensor import Tensor
from ...text_arguments import as_text
from ..argument_checks import need_flags, need_tensors, number_of
from ..argument_errors import argument_error, parser_errors
from ..dims import axis_for, dim_of, dims_of
from ..number_ranges import overflow_error
from ..pointwise.ternary import where
from ..reduce.min_max import amax, amin
from ..reduce.norms import Norm, require_wider, vector_norm
from ..reduce.sums import sum
from ..registration import composite, copyto, public
from ..shape.slices import narrow
from ..shape.squeezing import squeeze, unsqueeze
from ..shape.transposing import permute
from .checks import need_equal_sides, need_matrix
from .ex_variants import inv_ex
from .svd import svdvals

__all__ = [
    "cond", "frobenius_norm", "linalg_norm", "matrix_norm", "norm", "nuclear_norm",
]  # fmt: skip


def _check_matrix_norm(x: Tensor, ord: Any, dim: Any, dtype: Any) -> None:
    """Check the arguments of a matrix norm, in PyTorch's order."""
    name = "linalg.matrix_norm"
    if ord is None:
        raise argument_error() or TypeError(
            "linalg_matrix_norm() received an invalid combination of arguments - got "
            "(Tensor, NoneType), but expected one of:"
        )
    if isinstance(ord, Tensor):
        ord = number_of(ord, "ord", "linalg_matrix_norm")
    if isinstance(ord, complex):
        raise RuntimeError(
            f"{name}: Expected a non-complex scalar as the order of norm."
        )
    if ord not in ("fro", "nuc", 1, -1, 2, -2, inf, -inf):
        shown = ord if isinstance(ord, str) else f"{ord:g}"
        raise RuntimeError(f"{name}: Order {shown} not supported.")
    if x.ndim < 2 or not (x.is_floating_point() or x.is_complex()):
        need_matrix(name, x)
    if ord in ("nuc", 2, -2):
        need_matrix(name, x)
    if isinstance(dim, int) or len(dim) != 2:
        given = dim if isinstance(dim, int) else " ".join(map(str, dim))
        raise RuntimeError(f"{name}: dim must be a 2-tuple. Got {given}")
    if dim_of(dim[0], x.ndim) == dim_of(dim[1], x.ndim):
        raise RuntimeError(f"{name}: dims must be different. Got ({dim[0]}, {dim[1]})")
    require_wider(name, x, dtype)


@composite
@parser_errors
@reported_as("linalg_matrix_norm")
def matrix_norm(
    input: Tensor,
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
          ∂L/∂x: g x / y for "fro", g U Vᵀ for "nuc", else that of sums and extremes
    Shape: (.., n, .., m, ..) -> (..), or with sizes 1 there (`keepdim`)

    Raises:
        RuntimeError: for dimensions that are not a pair, or an unknown order.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.matrix_norm(torch.tensor([[3.0, 0.0], [0.0, 4.0]]))
        tensor(5.)
    """
    if _m.special_modes and matrix_norm in _m.modes.autocast:
        return _m.autocast(
            matrix_norm, input, ord, dim, keepdim, dtype=dtype, out=out, axis=axis,
            keepdims=keepdims,
        )  # fmt: skip
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, (-2, -1))
    if keepdims is not None:
        keepdim = keepdims
    need_flags("linalg_matrix_norm", keepdim=keepdim)
    need_tensors("linalg_matrix_norm", input=input)
    ord = as_text(ord)
    _check_matrix_norm(input, ord, dim, dtype)
    rows, columns = (dim_of(d, input.ndim, "linalg_matrix_norm") for d in dim)
    x = input if dtype is None else input.to(dtype)
    if ord == "fro":
        result = vector_norm(x, 2, (rows, columns), keepdim)
    elif ord in ("nuc", 2, -2):
        result = _norm_from_singular_values(x, ord, rows, columns, keepdim)
    else:
        result = _norm_from_sums(x, ord, rows, columns, keepdim)
    if out is None:
        return result
    return copyto(out, result, "linalg_matrix_norm", (input, ord))


def extreme(x: Tensor, dim: int, largest: bool, keepdim: bool = False) -> Tensor:
    """The largest (0 if empty) or smallest element along a dimension."""
    if not largest:
        return amin(x, dim, keepdim)
    if x.shape[dim]:
        return amax(x, dim, keepdim)
    return sum(x.detach(), dim, keepdim)


def _norm_from_singular_values(
    A: Tensor, ord: Any, rows: int, columns: int, keepdim: bool
) -> Tensor:
    """Matrix norms computed from singular values."""
    order = [d for d in range(A.ndim) if d not in (rows, columns)] + [rows, columns]
    s = svdvals(permute(A, order))
    nuclear = ord == "nuc"
    y = sum(s, -1, keepdim) if nuclear else extreme(s, -1, ord > 0, keepdim)
    if not keepdim:
        return y
    return permute(unsqueeze(y, -1), [order.index(d) for d in range(A.ndim)])


def _norm_from_sums(
    A: Tensor, ord: float, rows: int, columns: int, keepdim: bool
) -> Tensor:
    """Matrix norms computed from sums of columns (1) or rows (inf)."""
    along, across = (rows, columns) if ord in (1, -1) else (columns, rows)
    sums = vector_norm(A, 1, (along,), keepdim)
    across -= along < across and not keepdim
    return extreme(sums, across, ord > 0, keepdim)


@composite
@parser_errors
@reported
def linalg_norm(
    input: Tensor,
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
          ∂L/∂x = g · sgn(x) · (|x| / y)^(p-1), or that of the norm of matrices
    Shape: (*) -> (* without dim)

    Args:
        ord: None for the 2-norm of all elements.
        dim: one dimension for vectors, two for matrices, None for the whole tensor.

    Raises:
        RuntimeError: for `ord` without `dim` and more than two dimensions, and for
            more than two dimensions in `dim`.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.norm(torch.tensor([3.0, 4.0]))
        tensor(5.)
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    if keepdims is not None:
        keepdim = keepdims
    need_flags("linalg_norm", keepdim=keepdim)
    need_tensors("linalg_norm", input=input)
    ord = as_text(ord)
    if dim is None and ord is not None:
        if input.ndim not in (1, 2):
            raise RuntimeError(
                "linalg.norm: If dim is not specified but ord is, the input must be 1D "
                f"or 2D. Got {input.ndim}D."
            )
        dim = (0, 1) if input.ndim == 2 else (0,) if isinstance(ord, str) else None
    elif dim is not None and not hasattr(dim, "__index__") and len(dim) not in (1, 2):
        raise RuntimeError(
            "linalg.norm: If dim is specified, it must be of length 1 or 2. Got "
            f"{list(dim)}"
        )
    two = dim is not None and not hasattr(dim, "__index__") and len(dim) == 2
    if isinstance(ord, str) or (two and ord is not None):
        result = matrix_norm(input, ord, dim, keepdim, dtype=dtype)
    else:
        result = vector_norm(
            input, 2 if ord is None else ord, dim, keepdim, dtype=dtype
        )
    return result if out is None else copyto(out, result, "linalg_norm", (input, ord))


@public("norm")
@composite
@parser_errors
def norm(
    input: Tensor,
    p: Any = "fro",
    dim: Any = None,
    keepdim: bool = False,
    out: Tensor | None = None,
    dtype: dtypes.dtype | None = None,
) -> Tensor:
    """Norm of all elements or over dimensions; `torch.linalg.norm` is preferred.

    Math: "fro" or a number p: (Σ |x|^p)^(1/p) over `dim`; "nuc": the sum of the
          singular values      ∂L/∂x: as of `torch.linalg.norm`
    Shape: (*) -> (* without dim), or with size 1 there (`keepdim`)

    Raises:
        RuntimeError: for an unknown order.

    Example:
        >>> import edutorch as torch
        >>> torch.norm(torch.tensor([[3.0, 0.0], [0.0, 4.0]]))
        tensor(5.)
    """
    if _m.special_modes and norm in _m.modes.autocast:
        return _m.autocast(norm, input, p, dim, keepdim, out, dtype)
    need_flags("norm", keepdim=keepdim)
    whole = dim is None or hasattr(dim, "__index__")
    if isinstance(p, str) and not (p == "fro" and (whole or len(dim) <= 2)):
        both = range(input.ndim) if dim is None else [dim] if whole else dim
        result = matrix_norm(input, p, both, keepdim, dtype=dtype)
    else:
        order: Any = 2.0 if p is None or isinstance(p, str) else p
        if type(order) is int:
            dtypes.of_number(order)
        result = vector_norm(input, order, dim, keepdim, dtype=dtype)
    name = "linalg_matrix_norm" if isinstance(p, str) and p == "nuc" else "norm"
    return result if out is None else copyto(out, result, name, (input, p))


@composite
@reported_as("linalg_cond")
def cond(input: Tensor, p: Any = None, *, out: Tensor | None = None) -> Tensor:
    """Condition number: the factor by which a matrix can amplify relative errors.

    Math: y = ‖x‖ₚ · ‖x⁻¹‖ₚ, inf where x is singular; for p = 2 (None) the ratio of
          singular values      ∂L/∂x: that of norms and the inverse
    Shape: (*, n, m) -> (*)

    Raises:
        RuntimeError: for an unknown norm, and where n is not m and p not 2.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.cond(torch.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor(2.)
    """
    if _m.special_modes and cond in _m.modes.autocast:
        return _m.autocast(cond, input, p, out=out)
    need_tensors("linalg_cond", input=input)
    p = p if p is None or isinstance(p, str) else number_of(p, "p", "linalg_cond")
    if input.ndim < 2:
        raise RuntimeError(
            "linalg.cond: The input tensor must have at least 2 dimensions."
        )
    if isinstance(p, complex):
        raise overflow_error(dtypes.float64)
    if isinstance(p, str):
        need_equal_sides(f"linalg.cond(ord={p}): ", input)
    if p not in (None, "fro", "nuc", 1, -1, 2, -2, inf, -inf):
        shown = p if isinstance(p, str) else f"{p:g}"
        raise RuntimeError(f"linalg.cond got an invalid norm type: {shown}")
    if not input.numel():
        result = input.new_zeros(input.shape[:-2])
        result = result.abs() if result.is_complex() else result
    elif p in (None, 2, -2):
        s = svdvals(input)
        first, last = narrow(s, -1, 0, 1), narrow(s, -1, -1, 1)
        result = squeeze(last / first if p == -2 else first / last, -1)
    else:
        need_equal_sides(f"linalg.cond(ord={p}): ", input)
        inverse, info = inv_ex(input)
        singular = (info != 0)[..., None, None]
        size = matrix_norm(where(singular, 0, inverse), p)
        result = matrix_norm(input, p) * where(info != 0, inf, size)
    return result if out is None else copyto(out, result, "linalg_cond", (input, p))


def frobenius_norm(
    input: Tensor, dim: Any, keepdim: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """The square root of the sum of squares over one or two dimensions.

    Math: y = √Σ|x|²      ∂L/∂x = g x / y
    Shape: (*) -> (* without dim), or with size 1 there (`keepdim`)

    Raises:
        RuntimeError: for more than two dimensions in `dim`.

    Example:
        >>> import edutorch as torch
        >>> torch.frobenius_norm(torch.tensor([[3.0, 4.0]]), dim=1)
        tensor([5.])
    """
    if _m.special_modes and frobenius_norm in _m.modes.autocast:
        return _m.autocast(frobenius_norm, input, dim, keepdim, out=out)
    need_flags("frobenius_norm", keepdim=keepdim)
    need_tensors("frobenius_norm", input=input)
    dims = [dim] if isinstance(dim, int) else list(dim)
    if len(dims) > 2:
        raise RuntimeError(
            f"Expected at most 2 dimensions, but got {len(dims)} dimensions instead."
        )
    along = dims_of(dims, input.ndim, "frobenius_norm")
    op = Norm(2.0, along, keepdim)
    op.raises_single = not input.ndim and bool(dims)
    result: Tensor = apply1(op, input)
    return result if out is None else copyto(out, result, "frobenius_norm", (input,))


def nuclear_norm(
    input: Tensor, dim: Any = (-2, -1), keepdim: bool = False,
    *, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The sum of the singular values.

    Math: y = Σ s      ∂L/∂x = g · U Vᵀ
    Shape: (.., n, .., m, ..) -> (..)

    Raises:
        RuntimeError: if the input is not a floating-point matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.nuclear_norm(torch.tensor([[3.0, 0.0], [0.0, 4.0]]))
        tensor(7.)
    """
    if _m.special_modes and nuclear_norm in _m.modes.autocast:
        return _m.autocast(nuclear_norm, input, dim, keepdim, out=out)
    need_flags("nuclear_norm", keepdim=keepdim)
    need_tensors("nuclear_norm", input=input)
    if isinstance(dim, bool):  # the form without dimensions
        dim, keepdim = (-2, -1), dim
    result: Tensor = matrix_norm(input, "nuc", dim, keepdim)
    return result if out is None else copyto(out, result, "nuclear_norm", (input,))
