"""What matrix functions accept, and PyTorch's words for what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernels.lazy import LazyModule
from ...tensor.tensor import Tensor

__all__ = ["LinAlgError"]

scipy_linalg = LazyModule("scipy.linalg")


class _LinAlgError(RuntimeError):  # PyTorch's name, as messages show it
    """A matrix function has no result: the matrix is singular, or not positive."""


LinAlgError = _LinAlgError


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


def triangular_factors(matrix: Any) -> tuple[Any, Any]:
    """L and U of one matrix in one array, and with which row each was swapped."""
    (factor,) = scipy_linalg.get_lapack_funcs(("getrf",), (matrix,))
    factors, swaps, _info = factor(matrix)
    return factors, swaps


def singular(name: str, a: Any, what: str) -> LinAlgError:
    """The error for the first singular matrix of a stack."""
    for place, matrix in zip(np.ndindex(a.shape[:-2]), _matrices(a), strict=True):
        zeros = np.flatnonzero(np.diagonal(triangular_factors(matrix)[0]) == 0)
        if zeros.size:
            batch = f"(Batch element {_flat(place, a)}): " if place else ""
            return LinAlgError(
                f"{name}: {batch}The diagonal element {zeros[0] + 1} is zero, the "
                f"{what}"
            )
    return LinAlgError(f"{name}: the input matrix is singular.")


def not_positive(name: str, a: Any) -> LinAlgError:
    """The error for the first matrix of a stack that is not positive definite."""
    for place, matrix in zip(np.ndindex(a.shape[:-2]), _matrices(a), strict=True):
        for k in range(1, matrix.shape[0] + 1):
            try:
                np.linalg.cholesky(matrix[:k, :k])
            except np.linalg.LinAlgError:
                batch = f"(Batch element {_flat(place, a)}): " if place else ""
                return LinAlgError(
                    f"{name}: {batch}The factorization could not be completed because "
                    f"the input is not positive-definite (the leading minor of order "
                    f"{k} is not positive-definite)."
                )
    return LinAlgError(f"{name}: the input is not positive-definite.")


def _matrices(a: Any) -> Any:
    return a.reshape(-1, *a.shape[-2:])


def _flat(place: tuple[int, ...], a: Any) -> int:
    return int(np.ravel_multi_index(place, a.shape[:-2]))
