"""Products of sparse matrices with dense ones, vectors, and each other.

SciPy computes them for the dtypes it has; for others (half precision, booleans) the
products of single values are added row by row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernels.lazy_modules import LazyModule
from ...kernels.scatter import scatter_add_rows
from .arithmetic import in_layout
from .array import SparseArray, UnsupportedError, ufunc
from .blocks import Blocks
from .compressed import Compressed
from .coo import Coo

__all__ = ["matmul", "times_dense", "times_sparse"]

scipy_sparse = LazyModule("scipy.sparse")
SCIPY_HAS = frozenset("fdFDilq")


@ufunc(np.matmul)
def matmul(a: Any, b: Any) -> Any:
    """The product of two matrices, or of a matrix and a vector; a matrix is sparse.

    Raises:
        ValueError, RuntimeError: for sizes that do not fit.
    """
    if isinstance(a, Coo) and a.ndim == b.ndim == 3 and a.sparse_dim == 3:
        if isinstance(b, SparseArray):
            raise RuntimeError("bmm_sparse: Tensor 'mat2' must be dense")
        return _batched_matmul(a, b)
    row = a.ndim == 1 and b.ndim == 2 and not isinstance(a, SparseArray)
    if (a.ndim != 2 and not row) or b.ndim > 2:
        raise UnsupportedError("sparse factors of products are matrices")
    fit = a.shape[-1] == b.shape[0]
    if not isinstance(a, SparseArray):
        if not fit:
            raise RuntimeError(
                f"addmm: Argument #3 (dense): Expected dim 0 size {b.shape[0]}, got "
                f"{a.shape[-1]}"
            )
        return times_dense(b.T, a.T).T
    if not fit:
        raise ValueError(f"shapes {a.shape} and {b.shape} do not fit")
    if not isinstance(b, SparseArray):
        return times_dense(a, b)
    if isinstance(a, Blocks) or isinstance(b, Blocks):
        raise UnsupportedError("matrices of blocks are multiplied by dense ones only")
    return times_sparse(a, b)


def _batched_matmul(a: Any, x: Any) -> Any:
    """Products of a batch: one of the matrix that has the batch on its diagonal.

    Shape: (b, n, k), (b, k, m) -> (b, n, m)
    """
    b, n, k = a.shape
    entry, i, j = a.indices
    diagonal = Coo(np.stack([entry * n + i, entry * k + j]), a.values, (b * n, b * k))
    y = times_dense(diagonal, x.reshape(b * k, x.shape[2]))
    return y.reshape(b, n, x.shape[2])


def times_dense(a: SparseArray, x: Any) -> Any:
    """A sparse matrix times a dense one.

    Math: y[i] = Σₖ a[i, k] x[k]
    Shape: (n, k), (k, m) or (k) -> (n, m) or (n)
    """
    if isinstance(a, Blocks):
        return _blocks_times(a, x)
    if a.dtype.char in SCIPY_HAS:
        return np.ascontiguousarray(_as_scipy(a) @ x)
    rows, columns = a.coordinates()
    matrix = x if x.ndim == 2 else x[:, None]
    parts = a.values[:, None] * matrix[columns]  # (nnz, m)
    y = scatter_add_rows(rows, parts, a.shape[0])
    return y if x.ndim == 2 else y[:, 0]


def _blocks_times(a: Blocks, x: Any) -> Any:
    """A block matrix times a dense one: each block times its matching rows."""
    n, m = a.block
    matrix = x if x.ndim == 2 else x[:, None]
    k = matrix.shape[1]
    rows, columns = a.places()
    met = matrix.reshape(a.shape[1] // m, m, k)[columns]  # (nnz, m, k)
    parts = (a.values @ met).reshape(len(rows), n * k)
    y = scatter_add_rows(rows, parts, a.shape[0] // n)
    return y.reshape(a.shape[0], *x.shape[1:])


def times_sparse(a: Any, b: Any) -> Any:
    """The product of two sparse matrices, in the format of the first.

    Math: y[i, j] = Σₖ a[i, k] b[k, j]
    """
    shape = (a.shape[0], b.shape[1])
    if a.dtype.char in SCIPY_HAS:
        y = (_as_scipy(a) @ _as_scipy(b)).tocoo()
        indices = np.stack([y.row, y.col]).astype(np.int64)
        return in_layout(Coo(indices, y.data, shape).unique(), a)
    left, right = (x.coo() if isinstance(x, Compressed) else x.unique() for x in (a, b))
    i, k = left.indices
    ends = np.searchsorted(right.indices[0], [k, k + 1])
    counts = ends[1] - ends[0]  # matching values of b for each value of a
    steps = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    met = np.repeat(ends[0], counts) + steps
    indices = np.stack([np.repeat(i, counts), right.indices[1][met]])
    values = np.repeat(left.values, counts) * right.values[met]
    return in_layout(Coo(indices, values, shape).unique(), a)


def _as_scipy(a: Any) -> Any:
    """SciPy's array over the same memory."""
    rows, columns = a.coordinates()
    return scipy_sparse.coo_array((a.values, (rows, columns)), shape=a.shape).tocsr()
