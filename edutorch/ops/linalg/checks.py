"""Checks of the operands of matrix functions, with PyTorch's messages."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ...tensor.tensor import Tensor
from ..argument_errors import argument_error
from . import lapack

__all__ = ["LinAlgError"]


class _LinAlgError(RuntimeError):  # PyTorch's name, as shown in messages
    """Raised for matrices that are singular or not positive definite."""


LinAlgError = _LinAlgError
# These kernels support few dtypes, and are not called without elements.
NOT_CALLED_WITHOUT_ELEMENTS = (
    "cholesky_cpu", "ldl_factor_kernel_cpu", "linalg_eigh_cpu", "linalg_svd_cpu",
    "lu_cpu",
)  # fmt: skip


def need_fit(name: str, a: Any, b: Any, left: bool = True) -> None:
    """Raise unless right-hand sides fit a square matrix."""
    need_square_shape(name, a)
    need_columns(name, a, b, left)
    need_precision(name, a, "triangular_solve_cpu", integers=True)


def need_columns(name: str, a: Any, b: Any, left: bool = True) -> None:
    """Raise if the size of a right-hand side differs from the matrix's."""
    if b.ndim < 2:
        raise RuntimeError(
            f"{name}: The input tensor B must have at least 2 dimensions."
        )
    if a.shape[-1] != b.shape[-2 if left else -1]:
        sizes = [f"{x.shape[-2]}x{x.shape[-1]}" for x in (a, b)]
        raise RuntimeError(
            f"{name}: Incompatible shapes of A and B for the equation "
            f"{'AX' if left else 'XA'} = B ({sizes[0]} and {sizes[1]})"
        )
    need_batches(b, a)


def need_batches(first: Any, second: Any) -> None:
    """Raise if two stacks of matrices cannot be broadcast together; see below."""
    need_broadcast(first.shape[:-2], second.shape[:-2])


def need_broadcast(x: Any, y: Any) -> None:
    """Raise if two shapes cannot be broadcast together.

    Raises:
        RuntimeError: with the last dimension that does not fit.
    """
    ndim = max(len(x), len(y))
    for back in range(1, min(len(x), len(y)) + 1):
        n, m = x[-back], y[-back]
        if n != m and 1 not in (n, m):
            raise RuntimeError(
                f"The size of tensor a ({n}) must match the size of tensor b ({m}) at "
                f"non-singleton dimension {ndim - back}"
            )


def need_matrix(name: str, x: Any, kernel: str = "", *, integers: bool = False) -> None:
    """Raise unless operands are batches of floating-point matrices.

    Args:
        kernel: PyTorch's name of the kernel that lacks half precision.
        integers: whether only that kernel refuses integers.

    Raises:
        RuntimeError, NotImplementedError: in PyTorch's words.
    """
    if x._data.ndim < 2:
        raise RuntimeError(
            f"{name}: The input tensor A must have at least 2 dimensions."
        )
    need_precision(name, x, kernel, integers=integers)


def need_precision(
    name: str, x: Any, kernel: str = "", *, integers: bool = False
) -> None:
    """Raise unless dtypes are single or double precision; see `need_matrix`."""
    kind = x._data.dtype
    is_integer = kind.kind not in "fcV"  # V: bfloat16
    if not is_integer and kind.itemsize > 2:
        return
    if kernel and (integers or not is_integer):
        if not x._data.size and kernel in NOT_CALLED_WITHOUT_ELEMENTS:
            return
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{x.dtype.short}'")
    if is_integer:
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got "
            f"{x.dtype.short}"
        )
    raise RuntimeError(
        f"{name}: Low precision dtypes not supported. Got {x.dtype.short}"
    )


def need_square(
    name: str, x: Tensor, kernel: str = "", *, integers: bool = False
) -> None:
    """Raise unless operands are batches of square matrices; see `need_matrix`."""
    need_square_shape(name, x)
    need_precision(name, x, kernel, integers=integers)


def need_square_shape(name: str, x: Tensor) -> None:
    """Raise unless operands are batches of square matrices, of any dtype."""
    if x._data.ndim < 2:
        need_matrix(name, x)
    need_equal_sides(f"{name}: ", x)


def need_equal_sides(prefix: str, x: Tensor) -> None:
    """Raise unless matrices are square."""
    n, m = x._data.shape[-2:]
    if n != m:
        raise RuntimeError(
            f"{prefix}A must be batches of square matrices, but they are {n} by {m} "
            "matrices"
        )


def need_pair(name: str, b: Any, a: Any) -> None:
    """Check a right-hand side and a matrix for the deprecated functions.

    Raises:
        RuntimeError, NotImplementedError: in PyTorch's words.
    """
    if a.dtype is not b.dtype:
        raise RuntimeError(
            "Expected b and A to have the same dtype, but found b of type "
            f"{b.dtype.short} and A of type {a.dtype.short} instead."
        )
    need_equal_sides("", a)
    n, m = a.shape[-1], b.shape[-2]
    if n != m:
        raise RuntimeError(
            f"Incompatible matrix sizes for {name}: each A matrix is {n} by {n} but "
            f"each b matrix is {m} by {b.shape[-1]}"
        )
    need_batches(b, a)
    need_precision(name, a, f"{name}_cpu", integers=True)


def index_of(value: Any, function: str, argument: str) -> int:
    """Convert an integer argument.

    Raises:
        TypeError: for floats, strings and anything else that is not an integer.

    Example:
        >>> index_of("2", "f", "'n' (position 1)")
        Traceback (most recent call last):
        TypeError: f(): argument 'n' (position 1) must be int, not str
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise argument_error() or TypeError(
            f"{function}(): argument {argument} must be int, not {type(value).__name__}"
        )
    return operator.index(value)


def batch_element_text(place: tuple[int, ...], shape: tuple[int, ...]) -> str:
    """The name of one matrix of a batch in messages; empty for a single matrix."""
    return (
        f"(Batch element {int(np.ravel_multi_index(place, shape))}): " if place else ""
    )


def failures(x: Any, routine: Any) -> Any:
    """Each matrix on which a routine fails: its name in messages, LAPACK's code."""
    for place in np.ndindex(x.shape[:-2]):
        *_, info = routine(x[place])
        if info:
            yield batch_element_text(place, x.shape[:-2]), info


def singular_error(name: str, x: Any, what: str) -> LinAlgError:
    """The error for the first singular matrix of a stack."""
    for batch, info in failures(x, lapack.lu_factors):
        return LinAlgError(
            f"{name}: {batch}The diagonal element {info} is zero, the {what}"
        )
    return LinAlgError(f"{name}: the input matrix is singular.")


def not_positive_error(name: str, x: Any) -> LinAlgError:
    """The error for the first matrix of a stack that is not positive definite."""
    for batch, info in failures(x, lapack.cholesky):
        return LinAlgError(
            f"{name}: {batch}The factorization could not be completed because the "
            f"input is not positive-definite (the leading minor of order {info} is not "
            "positive-definite)."
        )
    return LinAlgError(f"{name}: the input is not positive-definite.")


def not_solved_error(name: str, x: Any) -> LinAlgError:
    """The error for linear equations with a singular matrix."""
    batch = next((batch for batch, _ in failures(x, lapack.lu_factors)), "")
    return LinAlgError(
        f"{name}: {batch}The solver failed because the input matrix is singular."
    )


def not_converged_error(name: str, x: Any, what: str) -> LinAlgError:
    """The error for eigenvalues or singular values that did not converge."""
    places = np.argwhere(~np.isfinite(x).all((-2, -1)))
    if not len(places):
        return LinAlgError(f"{name}: The algorithm failed to converge.")
    batch, matrix = (
        batch_element_text(tuple(places[0]), x.shape[:-2]),
        x[tuple(places[0])],
    )
    why = "contained non-finite values."
    if what == "eigenvalues" or not np.isnan(matrix).any():
        why = (
            f"is ill-conditioned or has too many repeated {what} (error code: "
            f"{matrix.shape[-1] - 1})."
        )
    return LinAlgError(
        f"{name}: {batch}The algorithm failed to converge because the input matrix "
        f"{why}"
    )


def need_lapack(x: Tensor) -> None:
    """Raise for dtypes that LAPACK does not support."""
    if x._data.dtype.kind not in "fc" or x._data.dtype.itemsize == 2:
        raise RuntimeError(
            "This function doesn't handle types other than float and double"
        )
