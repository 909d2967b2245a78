"""Compiled loops of `kernels/distances.py`; the second matrix is transposed."""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.fast.bounds import require
from edutorch.kernels.fast.compiling import helper, kernel

__all__ = ["distances", "distances_backward"]


@helper
def _add_squares(number: Any, row: Any, out: Any) -> None:
    for j in range(row.size):
        gap = number - row[j]
        out[j] += gap * gap


@helper
def _add_gradients(shares: Any, number: Any, row: Any, g_row: Any) -> Any:
    """Gradients of a row of gaps from one number; returns that of the number."""
    total = number - number
    for j in range(row.size):
        part = shares[j] * (number - row[j])
        g_row[j] -= part
        total += part
    return total


@kernel("void(T[:,::1], T[:,::1], T[:,::1])")
def distances(x: Any, columns: Any, z: Any) -> None:
    """Shape: (N, D), (D, M) -> (N, M)."""
    require(x.shape[1] == len(columns) and z.shape == (len(x), columns.shape[1]))
    for i in range(len(x)):
        out = z[i]
        out[:] = 0
        for k in range(len(columns)):
            _add_squares(x[i, k], columns[k], out)
        for j in range(out.size):
            out[j] = np.sqrt(out[j])


@kernel("void(T[:,::1], T[:,::1], T[:,::1], T[:,::1], T[:,::1])")
def distances_backward(
    shares: Any, x: Any, columns: Any, gx: Any, g_columns: Any
) -> None:
    """Adds to both. Shape: (N, M), (N, D), (D, M) -> (N, D), (D, M)."""
    require(x.shape[1] == len(columns) and x.shape == gx.shape)
    require(shares.shape == (len(x), columns.shape[1]))
    require(columns.shape == g_columns.shape)
    for i in range(len(x)):
        for k in range(len(columns)):
            gx[i, k] += _add_gradients(shares[i], x[i, k], columns[k], g_columns[k])
