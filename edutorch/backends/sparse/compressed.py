"""Compressed formats: CSR stores row after row, CSC column after column.

`pointers[i]:pointers[i + 1]` are the values of row i, and `plain` says in which column
each of them stands; in CSC rows and columns change places.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import layouts
from .array import SparseArray, UnsupportedError
from .coo import Coo

__all__ = ["Compressed", "compress", "pointers_of"]

TRANSPOSED_LAYOUT = {
    layouts.sparse_csr: layouts.sparse_csc,
    layouts.sparse_csc: layouts.sparse_csr,
    layouts.sparse_bsr: layouts.sparse_bsc,
    layouts.sparse_bsc: layouts.sparse_bsr,
}


class Compressed(SparseArray):
    """A matrix of which each row (CSR) or column (CSC) lists its values.

    Args:
        pointers: where each row or column begins, and where the last one ends.
        plain: the column or row of each value.
        values: (nnz, *dense dimensions).

    Example:
        >>> import numpy as np
        >>> from edutorch.backends.sparse import Compressed
        >>> from edutorch.layouts import sparse_csr
        >>> parts = np.array([0, 1, 3]), np.array([2, 0, 2]), np.array([3, 4, 5])
        >>> Compressed(*parts, (2, 3), sparse_csr).dense()
        array([[0, 0, 3],
               [4, 0, 5]])
    """

    def __init__(
        self, pointers: Any, plain: Any, values: Any, shape: Any, layout: Any
    ) -> None:
        self.pointers, self.plain, self.values = pointers, plain, values
        self.shape: tuple[int, ...] = tuple(shape)
        self.layout = layout

    @property
    def by_rows(self) -> bool:
        """Whether rows are compressed, not columns."""
        return self.layout in (layouts.sparse_csr, layouts.sparse_bsr)

    @property
    def sparse_dim(self) -> int:
        """Rows and columns."""
        return 2

    @property
    def nbytes(self) -> int:
        """The bytes of pointers, indices and values."""
        return int(self.pointers.nbytes + self.plain.nbytes + self.values.nbytes)

    def coordinates(self) -> Any:
        """Row and column of each value, (2, nnz)."""
        counts = np.diff(self.pointers)
        long = np.repeat(np.arange(counts.size), counts)
        rows, columns = (long, self.plain) if self.by_rows else (self.plain, long)
        return np.stack([rows, columns]).astype(np.int64, copy=False)

    def coo(self) -> Coo:
        """The same matrix in coordinate format, sorted."""
        found = Coo(self.coordinates(), self.values, self.shape)
        found.coalesced = bool((np.diff(found.keys()) > 0).all())
        return found.unique()

    def like(self, values: Any) -> Compressed:
        """A sparse array with the same positions and other values."""
        return type(self)(self.pointers, self.plain, values, self.shape, self.layout)

    def copy(self, order: str = "K") -> Compressed:
        """A copy with its own memory."""
        parts = (self.pointers.copy(), self.plain.copy(), self.values.copy())
        return type(self)(*parts, self.shape, self.layout)

    def dense(self) -> Any:
        """The matrix with its zeros."""
        return self.coo().dense()

    def assign(self, other: Compressed) -> None:
        """Take positions and values of another matrix."""
        self.pointers, self.plain = other.pointers.copy(), other.plain.copy()
        self.values = other.values.astype(self.dtype)

    def __setitem__(self, where: Any, value: Any) -> None:
        if where is not Ellipsis or np.ndim(value) or value != 0:
            raise UnsupportedError("sparse arrays cannot be written to")
        self.pointers = np.zeros_like(self.pointers)
        self.plain, self.values = self.plain[:0], self.values[:0]

    def __getitem__(self, index: Any) -> Any:
        return self.coo()[index]

    @property
    def T(self) -> Compressed:  # noqa: N802 (NumPy's name)
        """The transpose: CSR becomes CSC without moving a value."""
        n, m = self.shape[:2]
        shape = (m, n, *self.shape[2:])
        layout = TRANSPOSED_LAYOUT[self.layout]
        return type(self)(self.pointers, self.plain, self.values, shape, layout)

    def swapaxes(self, a: int, b: int) -> Compressed:
        """The transpose."""
        return self.T if {a, b} == {0, 1} else self


def compress(x: Coo, layout: Any) -> Compressed:
    """A matrix in coordinate format, compressed by rows or columns."""
    if layout is layouts.sparse_csc:
        return compress(x.swapaxes(0, 1), layouts.sparse_csr).T
    once = x.unique()
    rows, columns = once.indices
    pointers = pointers_of(rows, x.shape[0])
    return Compressed(pointers, columns.copy(), once.values, x.shape, layout)


def pointers_of(rows: Any, n: int) -> Any:
    """The start of each of n rows among sorted entries, and the end of the last."""
    counts = np.bincount(rows, minlength=n)
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
