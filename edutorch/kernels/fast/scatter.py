"""Compiled loops of `kernels/scatter.py`."""

from __future__ import annotations

from typing import Any

from edutorch.kernels.fast.bounds import require, require_in_range
from edutorch.kernels.fast.compiling import kernel

__all__ = ["scatter_add_rows"]


@kernel("void(T[:,::1], T[:,::1], int64[::1])")
def scatter_add_rows(rows: Any, y: Any, index: Any) -> None:
    """Add rows to the rows of y that `index` names.

    Math: y[index[i]] += rows[i]
    """
    require(len(rows) == index.size and rows.shape[1] == y.shape[1])
    require_in_range(index, len(y))
    for i in range(index.size):
        row, total = rows[i], y[index[i]]
        for j in range(row.size):
            total[j] += row[j]
