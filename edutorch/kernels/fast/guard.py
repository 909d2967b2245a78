"""The guard: what must hold of a kernel's arrays before its loops touch memory.

Compiled loops check no bounds. The dtypes, the number of dimensions, the order of
memory and its alignment stand in a kernel's signature, and Numba refuses others. Sizes
and indices do not: saved values, labels, states and the answers of hooks may be others
in backward than they were in forward. So every kernel begins with `require`, which says
how the sizes of its arrays belong together, and `within` does so for indices. A few
comparisons of integers in compiled code cost nothing.

What does not hold is an error of the caller's caller: wrappers in `edutorch/kernels`
look for a kernel only where they have seen that it does, or let the plain version say
what is wrong.
"""

from __future__ import annotations

from typing import Any

from edutorch.kernels.fast.compiling import helper

__all__ = ["require", "within"]


@helper
def require(holds: bool) -> None:
    """Refuse arrays that do not belong together.

    Raises:
        RuntimeError: unless the condition holds.
    """
    if not holds:
        raise RuntimeError(
            "the sizes of the tensors do not match: one of those saved for backward, "
            "or of the optimizer's state, has been replaced by one of another shape"
        )


@helper
def within(index: Any, size: int) -> None:
    """Refuse indices that are none of 0 ... size - 1.

    Raises:
        IndexError: if there is such an index.
    """
    for i in range(index.size):
        if index[i] < 0 or index[i] >= size:
            raise IndexError("index out of range in self")
