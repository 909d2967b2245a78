"""Compiled loops of `kernels/distances.py`.

The second matrix is passed transposed, as `columns`: the inner loops run along its
rows, over all distances from one row of the first matrix.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.fast.bounds import require
from edutorch.kernels.fast.compiling import helper, kernel

__all__ = ["distances", "distances_backward"]


@helper
def _add_squares(number: Any, row: Any, out: Any) -> None:
    for j in range(row.size):
        difference = number - row[j]
        out[j] += difference * difference


@helper
def _add_gradients(scale: Any, number: Any, row: Any, g_row: Any) -> Any:
    """Subtract the gradients from `g_row`; returns the gradient of `number`.

    Math: d_j = scale_j (number - row_j); g_row_j -= d_j, and the result is sum_j d_j
    """
    total = number - number  # 0 in the dtype
    for j in range(row.size):
        d = scale[j] * (number - row[j])
        g_row[j] -= d
        total += d
    return total


@kernel("void(T[:,::1], T[:,::1], T[:,::1])")
def distances(x: Any, columns: Any, z: Any) -> None:
    """The Euclidean distances of all rows of x to all columns.

    Math: z_ij = sqrt(sum_k (x_ik - columns_kj)²)
    Shape: (N, D), (D, M) -> (N, M)
    """
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
    scale: Any, x: Any, columns: Any, gx: Any, g_columns: Any
) -> None:
    """Add the gradients to gx and g_columns; scale is g / z.

    Math: gx_ik += sum_j scale_ij (x_ik - columns_kj), g_columns_kj likewise
    Shape: (N, M), (N, D), (D, M) -> (N, D), (D, M)
    """
    require(x.shape[1] == len(columns) and x.shape == gx.shape)
    require(scale.shape == (len(x), columns.shape[1]))
    require(columns.shape == g_columns.shape)
    for i in range(len(x)):
        for k in range(len(columns)):
            gx[i, k] += _add_gradients(scale[i], x[i, k], columns[k], g_columns[k])
