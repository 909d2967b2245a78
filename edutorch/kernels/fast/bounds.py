"""Checks of a kernel's arguments, before its loops access memory.

Compiled loops do not check bounds. Numba rejects arrays whose dtype, number of
dimensions, memory order or alignment differs from the kernel's signature. It does not
check sizes and indices, which can change between forward and backward: user code may
replace saved tensors, labels, optimizer state or the results of hooks. So every kernel
begins with `require`, which compares the sizes of its arrays; `require_in_range` checks
indices. The cost of a few integer comparisons is negligible.

Only code outside the library makes a check fail: the functions in `edutorch/kernels`
look up a kernel only for arrays that they have checked; otherwise the NumPy version
reports the error.
"""

from __future__ import annotations

from typing import Any

from edutorch.kernels.fast.compiling import helper

__all__ = ["require", "require_in_range"]


@helper
def require(holds: bool) -> None:
    """Raise an error unless the sizes of the arrays match.

    Raises:
        RuntimeError: if the condition is false.
    """
    if not holds:
        raise RuntimeError(
            "the sizes of the tensors do not match: one of those saved for backward, "
            "or of the optimizer's state, has been replaced by one of another shape"
        )


@helper
def require_in_range(index: Any, size: int) -> None:
    """Raise an error if an index is outside 0 ... size - 1.

    Raises:
        IndexError: if there is such an index.
    """
    for i in range(index.size):
        if index[i] < 0 or index[i] >= size:
            raise IndexError("index out of range in self")
