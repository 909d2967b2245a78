"""Euclidean distances between the rows of two matrices, and their gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.backends.array_modules import array_module
from edutorch.kernels.compiled import CompiledKernels
from edutorch.kernels.thread_pool import parallel_blocks

__all__ = [
    "distances", "distances_backward", "distances_backward_compiled",
    "distances_compiled",
]  # fmt: skip

_compiled = CompiledKernels("distances")


def distances(x: Any, y: Any) -> Any:
    """The Euclidean distance of every row of one matrix to every row of another.

    Math: z_ij = sqrt(sum_k (x_ik - y_jk)²)
    Shape: (N, D), (M, D) -> (N, M)

    Example:
        >>> distances(np.zeros((1, 2)), np.array([[3.0, 4.0], [0.0, 1.0]]))
        array([[5., 1.]])
    """
    z = distances_compiled(x, y)
    if z is not None:
        return z
    gaps = x[:, None] - y  # (N, M, D)
    return array_module(x).sqrt(array_module(x).add.reduce(gaps * gaps, axis=-1))


def distances_compiled(x: Any, y: Any) -> Any:
    """`distances` if there is a compiled kernel, else None."""
    xp = array_module(x)
    x, columns = xp.ascontiguousarray(x), xp.ascontiguousarray(y.T)
    run = _compiled.find("distances", x, columns)
    if run is None:
        return None
    z = np.empty((len(x), len(y)), x.dtype)
    parallel_blocks(
        lambda p: run(x[p], columns, z[p]),
        len(x),
        z.size * x.shape[1] / 4,  # nanoseconds: four terms in each
        uses_blas=False,
    )
    return z


def distances_backward(g: Any, x: Any, y: Any, z: Any) -> tuple[Any, Any]:
    """Gradients of `distances`, from its result z; 0 where a distance is 0.

    Math: s_ij = g_ij / z_ij      gx_i = sum_j s_ij (x_i - y_j)
          gy_j = -sum_i s_ij (x_i - y_j)
    Shape: (N, M), (N, D), (M, D), (N, M) -> (N, D), (M, D)
    """
    xp = array_module(x)
    s = g / xp.where(z == 0, z.dtype.type(np.inf), z)
    found = distances_backward_compiled(s, x, y)
    if found is not None:
        return found
    terms = s[..., None] * (x[:, None] - y)  # (N, M, D)
    return terms.sum(1), -terms.sum(0)


def distances_backward_compiled(s: Any, x: Any, y: Any) -> tuple[Any, Any] | None:
    """The sums of `distances_backward` by a compiled kernel, or None without one.

    Shape: (N, M), (N, D), (M, D) -> (N, D), (M, D)
    """
    xp = array_module(x)
    x, columns = xp.ascontiguousarray(x), xp.ascontiguousarray(y.T)
    run = _compiled.find("distances_backward", x, columns, s)
    if run is None:
        return None
    gx, g_columns = np.zeros_like(x), np.zeros_like(columns)
    run(s, x, columns, gx, g_columns)
    return gx, np.ascontiguousarray(g_columns.T)
