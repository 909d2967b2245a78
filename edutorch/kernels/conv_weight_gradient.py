"""Sums of products for the gradient of a convolution's weight, in several parts."""

from __future__ import annotations

from math import prod
from typing import Any

from edutorch.backends.array_modules import array_module
from edutorch.kernels.memory_format import row_major
from edutorch.kernels.sliding_windows import Shape

__all__ = ["WeightGradient"]

# Of a weight whose sums are transposed at the end; for larger ones that takes too long.
MAX_TRANSPOSED = 2**17


class WeightGradient:
    """Adds up products of output gradients and columns: gw = sum g columnsᵀ.

    There are several sums, so that threads can add at the same time. Which one a
    product is added to must not depend on the threads: then the result does not,
    either.

    BLAS is quicker if the smaller matrix is the transposed one. So small weights are
    summed as gwᵀ = sum columns gᵀ.

    Args:
        x: an array of the kind and dtype of the sums.
        sums: their number.
        w_shape: of the weight, (O, C / groups, *K).
        groups: of the convolution.
        multiply: computes products of matrices (G, M, K), (G, K, N).

    Example:
        >>> import numpy as np
        >>> x = np.ones((1, 2, 3))
        >>> gradient = WeightGradient(x, 1, (2, 2), 1, np.matmul)
        >>> gradient.add(0, x, x)
        >>> gradient.total().tolist()
        [[3.0, 3.0], [3.0, 3.0]]
    """

    def __init__(
        self, x: Any, sums: int, w_shape: Shape, groups: int, multiply: Any
    ) -> None:
        o, rows = w_shape[0] // groups, prod(w_shape[1:])
        self.w_shape, self.multiply = w_shape, multiply
        self.transposed = groups * o * rows <= MAX_TRANSPOSED and o < rows
        shape = (rows, o) if self.transposed else (o, rows)
        self.sums = array_module(x).zeros((sums, groups, *shape), x.dtype)

    def add(self, i: int, g: Any, columns: Any) -> None:
        """Add a product to sum `i`.

        Shape: g (G, O / G, P), columns (G, rows, P)
        """
        a, b = (columns, g) if self.transposed else (g, columns)
        self.sums[i] += self.multiply(a, b.swapaxes(1, 2))

    def total(self) -> Any:
        """All sums together, in the shape of the weight."""
        gw = self.sums.sum(0)
        if self.transposed:
            gw = row_major(gw.swapaxes(1, 2))
        return gw.reshape(self.w_shape)
