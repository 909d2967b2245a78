"""What matrix functions accept, and PyTorch's words for what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...tensor.tensor import Tensor
from . import lapack

__all__ = ["LinAlgError"]


class _LinAlgError(RuntimeError):  # PyTorch's name, as messages show it
    """A matrix function has no result: the matrix is singular, or not positive."""


LinAlgError = _LinAlgError


def need_fit(name: str, a: Any, b: Any, left: bool = True) -> None:
    """Refuse a right side that does not belong to equations with a square matrix."""
    need_square(name, a)
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


def need_matrix(name: str, x: Any) -> None:
    """Refuse what is no stack of floating point matrices."""
    a = x._data
    if a.ndim < 2:
        raise RuntimeError(
            f"{name}: The input tensor A must have at least 2 dimensions."
        )
    if a.dtype.kind not in "fc":
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got "
            f"{x.dtype.short}"
        )
    if a.dtype.itemsize == 2:
        raise RuntimeError(
            f"{name}: Low precision dtypes not supported. Got {x.dtype.short}"
        )


def need_square(name: str, x: Tensor) -> None:
    """Refuse what is no stack of square floating point matrices."""
    if x._data.ndim >= 2 and x._data.shape[-1] != x._data.shape[-2]:
        n, m = x._data.shape[-2:]
        raise RuntimeError(
            f"{name}: A must be batches of square matrices, but they are {n} by {m} "
            "matrices"
        )
    need_matrix(name, x)


def element(place: tuple[int, ...], shape: tuple[int, ...]) -> str:
    """How messages name one matrix of a stack; nothing where there is only one."""
    return (
        f"(Batch element {int(np.ravel_multi_index(place, shape))}): " if place else ""
    )


def failures(x: Any, routine: Any) -> Any:
    """(how messages name it, LAPACK's code) of each matrix on which a routine fails."""
    for place in np.ndindex(x.shape[:-2]):
        *_, info = routine(x[place])
        if info:
            yield element(place, x.shape[:-2]), info


def singular(name: str, x: Any, what: str) -> LinAlgError:
    """The error for the first singular matrix of a stack."""
    for batch, info in failures(x, lapack.factors):
        return LinAlgError(
            f"{name}: {batch}The diagonal element {info} is zero, the {what}"
        )
    return LinAlgError(f"{name}: the input matrix is singular.")


def not_positive(name: str, x: Any) -> LinAlgError:
    """The error for the first matrix of a stack that is not positive definite."""
    for batch, info in failures(x, lapack.cholesky):
        return LinAlgError(
            f"{name}: {batch}The factorization could not be completed because the "
            f"input is not positive-definite (the leading minor of order {info} is not "
            "positive-definite)."
        )
    return LinAlgError(f"{name}: the input is not positive-definite.")


def not_solved(name: str, x: Any) -> LinAlgError:
    """The error for equations whose matrix is singular."""
    batch = next((batch for batch, _ in failures(x, lapack.factors)), "")
    return LinAlgError(
        f"{name}: {batch}The solver failed because the input matrix is singular."
    )


def not_converged(name: str, x: Any) -> LinAlgError:
    """The error for singular values that cannot be found."""
    bad = ~np.isfinite(x).all((-2, -1))
    places = np.argwhere(bad)
    if not len(places):
        return LinAlgError(f"{name}: The algorithm failed to converge.")
    batch = element(tuple(places[0]), x.shape[:-2])
    return LinAlgError(
        f"{name}: {batch}The algorithm failed to converge because the input matrix "
        "contained non-finite values."
    )
