"""Twin of `kernels/scatter.py`: rows added to rows."""

from __future__ import annotations

from typing import Any

from edutorch.kernels.fast.compiling import kernel
from edutorch.kernels.fast.guard import require, within

__all__ = ["scatter_add_rows"]


@kernel("void(T[:,::1], T[:,::1], int64[::1])")
def scatter_add_rows(rows: Any, y: Any, index: Any) -> None:
    """Math: y[index[i]] += rows[i]; every index is a row of y."""
    require(len(rows) == index.size and rows.shape[1] == y.shape[1])
    within(index, len(y))
    for i in range(index.size):
        row, total = rows[i], y[index[i]]
        for j in range(row.size):
            total[j] += row[j]
