"""Block formats: BSR and BSC store small dense matrices as values."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import layouts
from .compressed import Compressed, pointers_of
from .coo import Coo

__all__ = ["Blocks", "compressed_array", "gather_blocks"]


class Blocks(Compressed):
    """A matrix of which each row (BSR) or column (BSC) of blocks lists its blocks.

    Args:
        pointers: where each row or column of blocks begins, and where the last ends.
        plain: the column (or row) of each block.
        values: (nnz, n, m), the blocks.

    Example:
        >>> import numpy as np
        >>> from edutorch.backends.sparse import Blocks
        >>> from edutorch.layouts import sparse_bsr
        >>> parts = np.array([0, 1]), np.array([1]), np.array([[[3, 4], [5, 6]]])
        >>> Blocks(*parts, (2, 4), sparse_bsr).dense()
        array([[0, 0, 3, 4],
               [0, 0, 5, 6]])
    """

    @property
    def block(self) -> tuple[int, int]:
        """The numbers of rows and columns of a block."""
        n, m = self.values.shape[1:]
        return n, m

    def places(self) -> Any:
        """Row and column of each block, counted in blocks: (2, nnz)."""
        return super().coordinates()

    def coordinates(self) -> Any:
        """Row and column of each element of each block, (2, nnz, n, m)."""
        n, m = self.block
        rows, columns = self.places()[..., None, None]
        i, j = rows * n + np.arange(n)[:, None], columns * m + np.arange(m)
        return np.stack(np.broadcast_arrays(i, j))

    def coo(self) -> Coo:
        """The same matrix in coordinate format, sorted; zeros of blocks are listed."""
        where = self.coordinates().reshape(2, -1)
        return Coo(where, self.values.reshape(-1), self.shape).unique()

    @property
    def T(self) -> Compressed:  # noqa: N802 (NumPy's name)
        """The transpose, of each block as well."""
        transposed = super().T
        transposed.values = self.values.swapaxes(1, 2)
        return transposed


def compressed_array(
    pointers: Any, plain: Any, values: Any, shape: Any, layout: Any
) -> Compressed:
    """A compressed matrix of numbers or of blocks, as its layout says."""
    blocks = layout in (layouts.sparse_bsr, layouts.sparse_bsc)
    kind = Blocks if blocks else Compressed
    return kind(pointers, plain, values, shape, layout)


def gather_blocks(x: Coo, layout: Any, block: tuple[int, int]) -> Compressed:
    """A matrix in coordinate format, as blocks of those that are not all zero."""
    if layout is layouts.sparse_bsc:
        return gather_blocks(x.swapaxes(0, 1), layouts.sparse_bsr, block[::-1]).T
    once, (n, m) = x.unique(), block
    rows, columns = once.indices
    width = max(x.shape[1] // m, 1)  # in blocks
    filled, which = np.unique(rows // n * width + columns // m, return_inverse=True)
    values = np.zeros((filled.size, n, m), once.dtype)
    values[which, rows % n, columns % m] = once.values
    pointers = pointers_of(filled // width, x.shape[0] // n)
    return Blocks(pointers, filled % width, values, x.shape, layout)
