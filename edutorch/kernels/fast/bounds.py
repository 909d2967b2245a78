"""Bounds checks: what must hold of a kernel's arrays before its loops touch memory.

Compiled loops check no bounds. The dtypes, the number of dimensions, the order of
memory and its alignment stand in a kernel's signature, and Numba refuses others. Sizes
and indices do not: saved values, labels, states and the answers of hooks may be others
in backward than they were in forward. So every kernel begins with `require`, which
relates the sizes of its arrays; `require_in_range` checks indices. A few comparisons of
integers in compiled code cost nothing.

A failed check is the fault of code outside of the library: the functions in
`edutorch/kernels` look up a kernel only for arrays that they have checked, or let the
NumPy version report the error.
"""

from __future__ import annotations

from typing import Any

from edutorch.kernels.fast.compiling import helper

__all__ = ["require", "require_in_range"]


@helper
def require(holds: bool) -> None:
    """Refuse arrays whose sizes do not fit together.

    Raises:
        RuntimeError: unless the condition holds.
    """
    if not holds:
        raise RuntimeError(
            "the sizes of the tensors do not match: one of those saved for backward, "
            "or of the optimizer's state, has been replaced by one of another shape"
        )


@helper
def require_in_range(index: Any, size: int) -> None:
    """Refuse indices outside 0 ... size - 1.

    Raises:
        IndexError: if there is such an index.
    """
    for i in range(index.size):
        if index[i] < 0 or index[i] >= size:
            raise IndexError("index out of range in self")
