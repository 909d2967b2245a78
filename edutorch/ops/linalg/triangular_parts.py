"""Triangular parts of matrices, for arrays and tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends import array_module
from ...tensor.tensor import Tensor
from ..pointwise.ternary import where
from ..shape.joining import cat

__all__: list[str] = []


def concatenate(parts: list[Any], dim: int) -> Any:
    """Concatenate arrays or tensors, for formulas."""
    tensors = any(isinstance(x, Tensor) for x in parts)
    return cat(parts, dim) if tensors else np.concatenate(parts, dim)


def column_major(x: Tensor) -> Tensor:
    """Matrices in column-major order, as LAPACK returns them."""
    transposed: Tensor = x.mT.contiguous().mT
    return transposed


def lower(x: Any, k: int = 0) -> Any:
    """The lower triangle of arrays or tensors, for formulas."""
    xp = array_module(getattr(x, "_data", x))
    return where(xp.tri(*x.shape[-2:], k=k, dtype=bool), x, _zero(x))


def upper(x: Any, k: int = 0) -> Any:
    """The upper triangle of arrays or tensors, for formulas."""
    xp = array_module(getattr(x, "_data", x))
    return where(~xp.tri(*x.shape[-2:], k=k - 1, dtype=bool), x, _zero(x))


def _zero(x: Any) -> Any:
    """The number that keeps the dtype; an integer does not that of booleans."""
    return getattr(x, "_data", x).dtype.kind != "b" and 0


def half_diagonal(x: Any) -> Any:
    """Matrices with halved diagonals, for formulas."""
    xp = array_module(getattr(x, "_data", x))
    return x * (1 - xp.eye(x.shape[-1], dtype=getattr(x, "_data", x).real.dtype) / 2)
