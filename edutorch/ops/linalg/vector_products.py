"""Products and powers of vectors, and chains of products."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...backends.flags import warn_once
from ...op_events import reported, reported_as
from ...tensor.tensor import Tensor
from ..argument_checks import need_each, need_flags, need_tensors
from ..argument_errors import argument_error, parser_errors
from ..create.like import ones_like
from ..dims import axis_for, dim_unless_scalar
from ..int_arguments import int_of
from ..matmul.checks import check_chain, shape_mismatch
from ..matmul.contractions import Cross, cross_along
from ..matmul.matrix_products import mm
from ..matmul.vector_products import vdot
from ..pointwise.conjugate import conj
from ..reduce.sums import sum
from ..registration import composite, copyto
from ..scan.cumulative import cumprod
from ..shape.joining import cat
from ..shape.squeezing import unsqueeze
from .checks import index_of

__all__ = [
    "chain_matmul",
    "cross",
    "diagonal",
    "multi_dot",
    "old_vander",
    "vander",
    "vecdot",
]


@composite
@reported_as("linalg_multi_dot")
def multi_dot(tensors: Any, *, out: Tensor | None = None) -> Tensor:
    """Product of several matrices, in the order with the fewest operations.

    Math: y = a b c ..      ∂L/∂a = g (b c ..)ᵀ, and so on
    Shape: (n, k), (k, m), .. -> (n, ..); the first and last may be vectors
    Reference: Cormen et al., 2009, section 15.2

    Raises:
        RuntimeError: for fewer than two tensors, or tensors that are not matrices.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.multi_dot([torch.ones(1, 2), torch.ones(2, 3), torch.ones(3)])
        tensor([6.])
    """
    if _m.special_modes and multi_dot in _m.modes.autocast:
        return _m.autocast(multi_dot, tensors, out=out)
    if not isinstance(tensors, (tuple, list)):
        raise argument_error() or TypeError(
            "linalg_multi_dot(): argument 'tensors' (position 1) must be tuple of "
            f"Tensors, not {type(tensors).__name__}"
        )
    matrices = list(tensors)
    _check_chain(matrices)
    result = _product(matrices)
    return (
        result if out is None else copyto(out, result, "linalg_multi_dot", (tensors,))
    )


@reported
def chain_matmul(*matrices: Any, out: Tensor | None = None) -> Tensor:
    """Product of matrices in the order with the fewest operations; deprecated.

    Math: y = a b c ..      ∂L/∂a = g (b c ..)ᵀ, ∂L/∂b = aᵀ g (c ..)ᵀ, and so on
    Shape: (n, k), (k, m), .. -> (n, ..)

    Raises:
        RuntimeError: without any matrix, or where they do not fit.
        TypeError: for arguments that are not tensors.

    Example:
        >>> import warnings
        >>> import edutorch as torch
        >>> with warnings.catch_warnings(action="ignore"):
        ...     torch.chain_matmul(torch.ones(1, 2), torch.ones(2, 3), torch.ones(3, 1))
        tensor([[6.]])
    """
    if _m.special_modes and chain_matmul in _m.modes.autocast:
        return _m.autocast(chain_matmul, *matrices, out=out)
    if not matrices:
        raise RuntimeError("chain_matmul(): Expected one or more matrices")
    warn_once(
        "torch.chain_matmul is deprecated and will be removed in a future PyTorch "
        "release. Use torch.linalg.multi_dot instead, which accepts a list of two or "
        "more tensors rather than multiple parameters."
    )
    need_each(matrices)
    for x in matrices:
        if x.ndim != 2:
            raise RuntimeError(f"Tensor dimension is {x.ndim}, expected 2 instead.")
    check_chain(matrices)
    if len(matrices) == 1:
        result: Tensor = matrices[0].clone()
    else:
        result = _product(list(matrices))
    return result if out is None else copyto(out, result, "chain_matmul")


def _product(matrices: list[Any]) -> Tensor:
    """The product of two or more matrices; the first and last may be vectors."""
    shape = (*matrices[0].shape[:-1], *matrices[-1].shape[1:])
    if matrices[0].ndim == 1:
        matrices[0] = unsqueeze(matrices[0], 0)
    if matrices[-1].ndim == 1:
        matrices[-1] = unsqueeze(matrices[-1], 1)
    cuts = _best_cuts([x.shape[0] for x in matrices] + [matrices[-1].shape[1]])
    result: Tensor = _chain(matrices, cuts, 0, len(matrices) - 1).view(shape)
    return result


def _check_chain(tensors: list[Any]) -> None:
    """Raise for operands that cannot be multiplied in sequence."""
    for i, x in enumerate(tensors):
        if not isinstance(x, Tensor):
            raise argument_error() or TypeError(
                f"expected Tensor as element {i} in argument 0, but got "
                f"{type(x).__name__}"
            )
    if len(tensors) < 2:
        raise RuntimeError(
            f"multi_dot(): expected at least 2 tensors but got {len(tensors)}"
        )
    for which, x in (("first", tensors[0]), ("last", tensors[-1])):
        if x.ndim not in (1, 2):
            raise RuntimeError(
                f"multi_dot(): the {which} tensor must be 1D or 2D but got {x.ndim}D"
            )
    for i, x in enumerate(tensors[1:-1], 1):
        if x.ndim != 2:
            raise RuntimeError(f"multi_dot(): tensor {i} must be 2D but got {x.ndim}D")
    check_chain(tensors)


def _best_cuts(sizes: list[int]) -> dict[tuple[int, int], int]:
    """For each range of matrices, the index at which to split it."""
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
            if n == 3 == length + 1 and options[0][0] == options[1][0]:
                cuts[i, j] = j - 1  # PyTorch's choice for three matrices
    return cuts


def _chain(matrices: list[Any], cuts: Any, i: int, j: int) -> Any:
    if i == j:
        return matrices[i]
    k = cuts[i, j]
    return mm(_chain(matrices, cuts, i, k), _chain(matrices, cuts, k + 1, j))


def cross(
    input: Tensor, other: Tensor, *, dim: int = -1, out: Tensor | None = None,
    axis: Any = None,
) -> Tensor:  # fmt: skip
    """Cross product of 3-element vectors along `dim`.

    Math: y = a × b      ∂L/∂a = b × g      ∂L/∂b = g × a
    Shape: (.., 3, ..), (.., 3, ..) -> (.., 3, ..), broadcast

    Raises:
        RuntimeError: for another size than 3 along `dim`, and different dtypes.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.cross(torch.tensor([1, 0, 0]), torch.tensor([0, 1, 0]))
        tensor([0, 0, 1])
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, -1)
    need_tensors("linalg_cross", input=input, other=other)
    if input.ndim != other.ndim:
        Cross(0).check(input, other)
    along = dim_unless_scalar(dim, input.ndim, "linalg_cross")
    Cross(dim).check(input, other)
    result: Tensor = cross_along(input, other, along)
    if out is None:
        return result
    return copyto(out, result, "linalg_cross", (input, other), disjoint=(input, other))


def diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """The diagonal of the last two dimensions.

    Math: y[.., i] = x[.., i, i + offset]      ∂L/∂x = g on that diagonal
    Shape: (*, n, m) -> (*, min(n, m))

    Raises:
        RuntimeError, IndexError: for dimensions that are equal, or not there.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.diagonal(torch.eye(2))
        tensor([1., 1.])
    """
    need_tensors("linalg_diagonal", A=A)
    return A.diagonal(offset, dim1, dim2)


@composite
@parser_errors
def vecdot(x: Tensor, y: Tensor, *, dim: int = -1, out: Tensor | None = None) -> Tensor:
    """Inner products of vectors along a dimension, the first one conjugated.

    Math: z = Σ conj(x) · y      ∂L/∂x = conj(g) · y      ∂L/∂y = g · x
    Shape: (.., n, ..), (.., n, ..) -> (.., ..), broadcast

    Raises:
        RuntimeError: for integers, and different dtypes.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.vecdot(torch.ones(2, 3), torch.ones(2, 3))
        tensor([3., 3.])
    """
    if _m.special_modes and vecdot in _m.modes.autocast:
        return _m.autocast(vecdot, x, y, dim=dim, out=out)
    need_tensors("linalg_vecdot", x=x, y=y)
    if not (x.is_floating_point() or x.is_complex()):
        raise RuntimeError(
            "linalg.vecdot: Expected a floating point or complex tensor as input. Got "
            f"{x.dtype.short}"
        )
    if x.dtype is not y.dtype:
        raise RuntimeError(
            "linalg.vecdot: Expected x and y to have the same dtype, but found x of "
            f"type {x.dtype.short} and y of type {y.dtype.short} instead"
        )
    along = int_of(dim, "dim", "linalg_vecdot")
    vectors = x.ndim == y.ndim == 1
    if vectors:  # for which PyTorch ignores `dim`
        along = 0
        if x.shape != y.shape:
            raise RuntimeError(shape_mismatch(x.shape, y.shape))
    result = vdot(x, y) if vectors else sum(conj(x) * y, along)
    if out is None:
        return result
    variant = "vectors" if vectors else ""
    return copyto(out, result, "linalg_vecdot", (x, y), variant=variant)


@composite
def vander(x: Tensor, *, N: int | None = None) -> Tensor:
    """The powers of each element, starting at 0.

    Math: y[i, j] = x[i]^j      ∂L/∂x[i] = Σⱼ g[i, j] j x[i]^(j-1)
    Shape: (*, n) -> (*, n, N); small integers become int64

    Raises:
        RuntimeError: for N below 2 (or, if not given, n), booleans and half precision.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.vander(torch.tensor([2, 3]), N=3)
        tensor([[1, 2, 4],
                [1, 3, 9]])
    """
    need_tensors("linalg_vander", x=x)
    kind = x._data.dtype
    if kind.kind in "bV" or kind == np.float16:
        raise argument_error() or RuntimeError(
            "linalg.vander supports floating point, complex, and integer tensors, but "
            f"got {x.dtype.short}"
        )
    x = unsqueeze(x, -1) if x.ndim == 0 else x
    n = x.shape[-1] if N is None else index_of(N, "linalg_vander", "'N'")
    if n <= 1:
        raise RuntimeError("N must be greater than 1.")
    x = unsqueeze(x.long() if kind.kind in "iu" else x, -1)
    powers = cumprod(x.expand(*x.shape[:-1], n - 1), -1)
    return cat([powers.new_ones(x.shape), powers], -1)


def _powers(x: Tensor, n: int) -> Tensor:
    """x⁰, ..., xⁿ⁻¹ along a new dimension: (*) -> (*, n)."""
    columns: list[Any] = [ones_like(x)[..., None]]
    for _ in range(n - 1):
        columns.append(columns[-1] * x[..., None])
    return cat(columns, -1)


@composite
def old_vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Tensor:
    """The powers of each element, from N - 1 down to 0.

    Math: y[i, j] = x[i]^(N - 1 - j), or x[i]^j (`increasing`)
          ∂L/∂x: that of the powers
    Shape: (n) -> (n, N); booleans and small integers become int64

    Raises:
        RuntimeError: if the input is not a vector, or a negative N.

    Example:
        >>> import edutorch as torch
        >>> torch.vander(torch.tensor([2, 3]), N=3)
        tensor([[4, 2, 1],
                [9, 3, 1]])
    """
    need_flags("vander", increasing=increasing)
    need_tensors("vander", x=x)
    if x.ndim != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    n = x.shape[0] if N is None else index_of(N, "vander", "'N' (position 2)")
    if n < 0:
        raise RuntimeError("N must be non-negative.")
    x = x.long() if x._data.dtype.kind in "biu" else x
    if n == 0:
        return x.new_empty(x.shape[0], 0)
    powers = _powers(x, n)
    return powers if increasing else powers.flip(1)
