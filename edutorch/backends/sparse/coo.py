"""Coordinate format: a list of positions, and a value for each.

The first dimensions are sparse; later ones may be dense, then every value is an array
(a row of an embedding's gradient).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import layouts
from ...kernels.scatter import scatter_add_rows
from ..array_modules import array_module
from .array import SparseArray, UnsupportedError

__all__ = ["Coo", "empty_coo", "from_dense", "linear_indices"]


class Coo(SparseArray):
    """Values at listed positions; a position listed twice has the sum of its values.

    Args:
        indices: (sparse dimensions, nnz) integers.
        values: (nnz, *dense dimensions).
        coalesced: whether positions are sorted, each of them once.

    Example:
        >>> import numpy as np
        >>> from edutorch.backends.sparse import Coo
        >>> Coo(np.array([[0, 2, 0]]), np.array([1.0, 2.0, 3.0]), (3,)).dense()
        array([4., 0., 2.])
    """

    layout = layouts.sparse_coo

    def __init__(
        self, indices: Any, values: Any, shape: Any, coalesced: bool = False
    ) -> None:
        self.indices, self.values = indices, values
        self.shape: tuple[int, ...] = tuple(shape)
        self.coalesced = coalesced

    @property
    def sparse_dim(self) -> int:
        """The number of sparse dimensions, which come first."""
        return len(self.indices)

    @property
    def nbytes(self) -> int:
        """The bytes of positions and values."""
        return int(self.indices.nbytes + self.values.nbytes)

    def coordinates(self) -> Any:
        """The positions of the values, (sparse dimensions, nnz)."""
        return self.indices

    def like(self, values: Any) -> Coo:
        """A sparse array with the same positions and other values."""
        return Coo(self.indices, values, self.shape, self.coalesced)

    def copy(self, order: str = "K") -> Coo:
        """A copy with its own memory."""
        made = self.like(self.values.copy())
        made.indices = self.indices.copy()
        return made

    def keys(self) -> Any:
        """The position of each value as one number, row-major."""
        return linear_indices(self.indices, self.shape)

    def unique(self) -> Coo:
        """Coalesce: positions sorted, each once, values of equal positions added."""
        if self.coalesced:
            return self
        if len(self.values) < 2:
            return Coo(self.indices, self.values, self.shape, True)
        _, first, inverse = np.unique(
            self.keys(), return_index=True, return_inverse=True
        )
        rows = self.values.reshape(len(self.values), -1)
        if rows.dtype.kind == "b":
            rows = rows.astype(np.int64)
        sums = scatter_add_rows(inverse, rows, first.size).astype(self.dtype)
        sums = sums.reshape(first.size, *self.values.shape[1:])
        return Coo(self.indices[:, first], sums, self.shape, True)

    def dense(self) -> Any:
        """The array with its zeros."""
        once = self.unique()
        y = array_module(self.values).zeros(self.shape, self.dtype)
        if self.sparse_dim:
            y[tuple(once.indices)] = once.values
        elif len(once.values):
            y[...] = once.values.sum(axis=0)
        return y

    def assign(self, other: Coo) -> None:
        """Take positions and values of another array."""
        self.indices = other.indices.copy()
        self.values = other.values.astype(self.dtype)
        self.shape, self.coalesced = other.shape, other.coalesced

    def __setitem__(self, where: Any, value: Any) -> None:
        if where is not Ellipsis or np.ndim(value) or value != 0:
            raise UnsupportedError("sparse arrays cannot be written to")
        self.assign(empty_coo(self.shape, self.sparse_dim, self.dtype))

    # ---- transposition, selection

    def transpose(self, *dims: Any) -> Coo:
        """Permute dimensions; sparse and dense ones are not exchanged."""
        order = tuple(dims[0]) if len(dims) == 1 else dims
        order = order or tuple(reversed(range(self.ndim)))
        n = self.sparse_dim
        if sorted(order[:n]) != list(range(n)):
            raise RuntimeError(
                "permute(sparse_coo): transpositions between sparse and dense "
                "dimensions are not allowed.Only transpositions within sparse and "
                "dense dimensions are supported."
            )
        values = self.values.transpose(0, *(d - n + 1 for d in order[n:]))
        shape = tuple(self.shape[d] for d in order)
        coalesced = self.coalesced and order[:n] == tuple(range(n))
        return Coo(self.indices[list(order[:n])], values, shape, coalesced)

    @property
    def T(self) -> Coo:  # noqa: N802 (NumPy's name)
        """Dimensions in reverse order."""
        return self.transpose()

    def swapaxes(self, a: int, b: int) -> Coo:
        """Swap two dimensions."""
        n, (a, b) = self.sparse_dim, (a % self.ndim, b % self.ndim)
        if (a < n) != (b < n):
            raise RuntimeError(
                "sparse transpose: transposed dimensions must be sparse Got "
                f"sparse_dim: {n}, d0: {a}, d1: {b}"
            )
        order = list(range(self.ndim))
        order[a], order[b] = b, a
        return self.transpose(order)

    def __getitem__(self, index: Any) -> Any:
        """Entries chosen by integers, and new dimensions; others stay whole."""
        found: Any = self
        axis = 0
        for place, part in enumerate(index if isinstance(index, tuple) else (index,)):
            if not isinstance(found, Coo):  # no sparse dimension is left
                return found[index[place:]]
            if isinstance(part, (list, np.ndarray)):
                raise UnsupportedError("sparse arrays are indexed by integers only")
            if isinstance(part, (int, np.integer)):
                found = found.select(axis, int(part))
            elif part is None:
                found, axis = found.unsqueeze(axis), axis + 1
            elif part == slice(None):
                axis += 1
            elif part is not Ellipsis:
                raise UnsupportedError("sparse arrays are indexed by integers only")
        return found

    def unsqueeze(self, axis: int) -> Coo:
        """The same values with a new dimension of size 1."""
        shape = (*self.shape[:axis], 1, *self.shape[axis:])
        n = self.sparse_dim
        if axis > n:
            values = np.expand_dims(self.values, axis - n + 1)
            return Coo(self.indices, values, shape, self.coalesced)
        indices = np.insert(self.indices, axis, 0, axis=0)
        return Coo(indices, self.values, shape, self.coalesced)

    def select(self, axis: int, entry: int) -> Any:
        """The entries with one coordinate, without that dimension."""
        size = self.shape[axis]
        if not -size <= entry < size:
            raise IndexError(
                f"index {entry} is out of bounds for dimension {axis} with size {size}"
            )
        shape = self.shape[:axis] + self.shape[axis + 1 :]
        n = self.sparse_dim
        if axis >= n:
            values = self.values.take(entry, axis - n + 1)
            return Coo(self.indices, values, shape, self.coalesced)
        selected = self.indices[axis] == entry % self.shape[axis]
        others = [d for d in range(n) if d != axis]
        found = Coo(self.indices[others][:, selected], self.values[selected], shape)
        found.coalesced = self.coalesced
        return found if others else found.dense()


def linear_indices(indices: Any, shape: tuple[int, ...]) -> Any:
    """Positions, (dimensions, n), as one number each, row-major."""
    keys = array_module(indices).zeros(indices.shape[1], np.int64)
    for row, size in zip(indices, shape, strict=False):
        keys = keys * size + row
    return keys


def empty_coo(shape: tuple[int, ...], sparse_dim: int, dtype: Any) -> Coo:
    """A sparse array of zeros: nothing is stored."""
    values = np.zeros((0, *shape[sparse_dim:]), dtype)
    return Coo(np.zeros((sparse_dim, 0), np.int64), values, shape, True)


def from_dense(x: Any, sparse_dim: int) -> Coo:
    """The entries of a dense array that are not zero."""
    rest = tuple(range(sparse_dim, x.ndim))
    filled = (x != 0).any(axis=rest) if rest else x != 0
    if not sparse_dim:
        values = x[None] if filled else x[None][:0]
        indices = array_module(x).zeros((0, len(values)), np.int64)
        return Coo(indices, values.copy(), x.shape, True)
    indices = np.stack(np.nonzero(filled)).astype(np.int64, copy=False)
    return Coo(indices, x[tuple(indices)], x.shape, True)
